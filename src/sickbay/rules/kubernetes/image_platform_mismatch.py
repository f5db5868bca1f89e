from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image has no build for the platform of the node (architecture or operating system)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"no match for platform in manifest|no matching manifest for (?P<platform>[\w./ -]{3,60}) in the manifest list|image operating system .{0,60}? cannot be used on this platform|does not match the (?:host operating system|operating system of the host)",
            says="the image has no variant for the node's platform",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = NotFound desc = failed to pull and unpack image "contoso.azurecr.io/cart:v9": no match for platform in manifest: not found',
            near_miss='failed to resolve reference "contoso.azurecr.io/cart:v9": contoso.azurecr.io/cart:v9: not found',
        ),
        Signature(
            pattern=r"exec(?: |_| user process caused: |[^:]{0,200}: )\"?exec format error|: exec format error|: invalid ELF header",
            says="the program in the image was built for another CPU",
            sample="exec /usr/local/bin/cart: exec format error",
            near_miss='exec: "cart": executable file not found in $PATH',
        ),
    ),
    why="The image was built for another CPU architecture (arm64, amd64) or operating system (Windows, Linux) than the node: the manifest has no match for the platform, or the kernel refuses the program with exec format error.",
    remedy=(
        Step(
            "See which platforms the image has.",
            run=(
                "az",
                "acr",
                "manifest",
                "show",
                "--registry",
                "<registry>",
                "--name",
                "<repository>:<tag>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Compare with the nodes.",
            run=("kubectl", "get", "nodes", "-L", "kubernetes.io/arch,kubernetes.io/os"),
            risk=Risk.READ,
        ),
        Step(
            "Build the image for all platforms in use, or pin the workload with a nodeSelector on kubernetes.io/arch and kubernetes.io/os.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://learn.microsoft.com/azure/container-registry/push-multi-architecture-images",
    ),
    leads_to=(
        "kubernetes.image_pull_failed",
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)

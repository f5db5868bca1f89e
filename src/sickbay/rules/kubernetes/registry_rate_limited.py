from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The registry throttles image pulls (429 Too Many Requests, rate limit)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:[Pp]ull(?:ing)? (?:and unpack )?image|docker\.io|failed to (?:resolve|copy)).{0,500}?(?:429 Too Many Requests|toomanyrequests)|pulling from host [^ ]{1,200} failed with status code .{0,160}?: 429\b|toomanyrequests: |\bTOOMANYREQUESTS: |aka\.ms/acr/errors#toomanyrequests|You have reached your (?:unauthenticated )?pull rate limit|429 Too Many Requests:? (?:from )?(?:docker|hub\.docker|registry)|pull QPS exceeded",
            says="the registry throttled a pull",
            sample='Failed to pull image "docker.io/library/nginx:latest": failed to copy: httpReadSeeker: failed open: unexpected status code 429 Too Many Requests',
            near_miss="GET https://management.azure.com/subscriptions: 429 Too Many Requests",
            passes=True,
        ),
    ),
    why="Public registries limit anonymous pulls for each address, and all nodes of a cluster share its outbound address; the kubelet itself also limits pulls (registryPullQPS).",
    remedy=(
        Step(
            "Copy the image into a registry of your own, and use it from there.",
            run=(
                "az",
                "acr",
                "import",
                "--name",
                "<registry>",
                "--source",
                "docker.io/library/nginx:latest",
                "--image",
                "nginx:latest",
            ),
            verify="az acr repository show-tags --name <registry> --repository nginx lists the tag",
        ),
        Step(
            "Or pull with an account: a pull secret, or a cache rule with credentials in the registry."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/container-registry/buffer-gate-public-content",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
    ),
    leads_to=("kubernetes.image_pull_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)

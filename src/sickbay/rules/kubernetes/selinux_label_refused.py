from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A container does not start because the node's SELinux does not know the label that it asks for",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"write /proc/(?:self|thread-self)/attr/(?:keycreate|exec|fscreate): (?P<error>invalid argument|permission denied)",
            says="SELinux of the node refused the label of the container: {error}",
            sample="error during container init: write /proc/self/attr/keycreate: invalid argument: unknown",
            near_miss="runc create failed: unable to start container process: exec: /app: no such file or directory",
        ),
    ),
    why="The pod sets seLinuxOptions (or the runtime has SELinux switched on), and the runtime writes that label when it starts the container. The node has no SELinux policy with that type: container-selinux is missing or old, or SELinux is disabled on the node.",
    remedy=(
        Step(
            "See which label the pod asks for.",
            run=("kubectl", "get", "pod", "<pod>", "-n", "<namespace>", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Install container-selinux of the node's distribution, or take seLinuxOptions out of the pod (for an extension: choose its setting for nodes without SELinux).",
            risk=Risk.DISRUPTIVE,
            verify="the container starts",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",),
    leads_to=(
        "arc.extension_pods_unready",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl get pod <pod> -n <namespace> -o yaml",
)

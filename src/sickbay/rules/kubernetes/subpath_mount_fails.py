from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subPath of a volume mount cannot be prepared: it is missing, or a file where a directory is expected",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r'failed to (?:prepare|create) subPath (?:directory )?for volumeMount "?(?P<mount>[\w.-]+)|(?i:Are you trying to mount a directory onto a file)|volume-subpaths/[^ ]{1,300}(?: to rootfs)?.{0,200}?(?:no such file or directory|not a directory)',
            says="a subPath could not be mounted",
            sample='Error: failed to prepare subPath for volumeMount "settings" of container "app"',
            near_miss='Error: failed to start container "app": context deadline exceeded',
        ),
        Signature(
            pattern=r"(?:CreateContainerConfigError|Error): missing value for (?P<variable>[A-Z][A-Z0-9_]{1,100})\b",
            says="the subPathExpr of a mount names the variable {variable}, which the container does not have",
            sample="Warning  Failed  3s (x5 over 45s)  kubelet  Error: missing value for POD_NAME",
            near_miss="Error: missing value for required argument --name",
            unless=r"missing value for (?:a |the )?(?:required|argument|flag|option|parameter|field|-)",
        ),
    ),
    why="A subPath mounts one file or directory of a volume. It fails when the path does not exist on a read-only volume, when a file is mounted over a directory or the reverse, when subPathExpr names a variable that env does not define, or when the config map behind it was changed while the container restarted.",
    remedy=(
        Step(
            "See the mounts of the container.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].volumeMounts}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct subPath and mountPath so that both are files or both directories; after a change of the config map delete the pod, so that it is made afresh.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/volumes/#using-subpath",),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.rollout_stuck",
        "kubernetes.container_start_fails",
        "kubernetes.config_missing",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A container must not run as root, and its image does (runAsNonRoot)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"container has runAsNonRoot and image (?:will run as root|has non-numeric user)(?: \((?P<user>[\w.-]+)\))?|container's runAsUser breaks non-root policy",
            says="runAsNonRoot forbids the user of the image",
            sample='Error: container has runAsNonRoot and image will run as root (pod: "cart-1_shop(1f5e)", container: app)',
            near_miss='Error: configmap "cart-settings" not found',
        ),
    ),
    why="securityContext.runAsNonRoot: true makes the kubelet refuse an image whose user is root, or whose user is only a name, because a name may be root: CreateContainerConfigError.",
    remedy=(
        Step(
            "See the security context.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.securityContext}{.spec.containers[*].securityContext}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set runAsUser to a number above 0 in the pod, or USER with a number in the image.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",),
    leads_to=(
        "kubernetes.rollout_stuck",
        "kubernetes.config_missing",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)

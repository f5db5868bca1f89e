from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The preStop hook of a container fails, so the container is stopped without its farewell",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"FailedPreStopHook|\bPreStopHook failed|preStop hook .{0,80}?failed",
            says="the preStop hook of a container fails",
            sample="Warning  FailedPreStopHook  15s   kubelet  PreStopHook failed",
            near_miss="Warning  FailedPostStartHook  15s   kubelet  PostStartHook failed",
        ),
    ),
    why="Before a container is told to end, the kubelet runs its preStop hook: the command does not exist in the image, ends with another code than 0, or takes longer than the grace period. The container is ended nevertheless, with requests cut off that the hook should have let run out.",
    remedy=(
        Step(
            "Read what the hook runs and how long the pod may take to end.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.terminationGracePeriodSeconds}{.spec.containers[*].lifecycle}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a command that is in the image (or the sleep action), and a terminationGracePeriodSeconds longer than the hook.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe pod {pod} -n {namespace} shows no FailedPreStopHook when a pod is replaced",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/",),
    leads_to=(),
    ask="kubectl describe pod {pod} -n {namespace}",
)

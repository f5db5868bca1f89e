from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The postStart hook of a container fails, so the container is killed and started again",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"FailedPostStartHook|PostStartHookError|\bPostStartHook failed",
            says="the postStart hook of a container fails",
            sample="Warning  FailedPostStartHook  3s (x4 over 60s)  kubelet  PostStartHook failed",
            near_miss="Warning  FailedPreStopHook  3s  kubelet  PreStopHook failed",
        ),
    ),
    why="The kubelet runs the postStart hook beside the container's program, and kills the container when the hook fails: its command does not exist, ends with another code than 0, or asks the program before it listens. The program's own log shows nothing wrong.",
    remedy=(
        Step(
            "Read what the hook runs.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].lifecycle}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the hook, let it wait for the program, or do its work in an init container or in the program.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} shows a restart count that stands still",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/",),
    leads_to=(
        "kubernetes.killed_not_oom",
        "kubernetes.exits_at_once",
        "kubernetes.program_fails",
        "kubernetes.crash_loop",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)

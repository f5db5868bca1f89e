from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod names a PriorityClass that does not exist",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"no PriorityClass with name (?P<class>[\w.-]+) was found",
            says="there is no PriorityClass {class}",
            sample='Error creating: pods "cart-1" is forbidden: no PriorityClass with name business-critical was found',
            near_miss="priorityclass.scheduling.k8s.io/business-critical created",
        ),
    ),
    why="The API server translates priorityClassName into a number when a pod is created, and refuses the pod if there is no class of that name.",
    remedy=(
        Step(
            "See the classes.",
            run=(
                "kubectl",
                "get",
                "priorityclass",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the class, or correct priorityClassName in the workload.",
            run=(
                "kubectl",
                "create",
                "priorityclass",
                "{class}",
                "--value=1000",
            ),
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get priorityclass",
)

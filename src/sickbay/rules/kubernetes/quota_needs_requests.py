from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A quota counts requests or limits that a pod does not state (must specify)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"failed quota: (?P<quota>[\w.-]+): must specify (?P<what>[\w.,/-]+)",
            says="the quota {quota} wants every container to state {what}",
            sample='Error creating: pods "cart-1" is forbidden: failed quota: compute: must specify limits.cpu for: app; limits.memory for: app',
            near_miss='Error creating: pods "cart-1" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10',
        ),
    ),
    why="A quota over limits.cpu or requests.memory can be kept only if every container states that value; the API server therefore refuses a pod that leaves it out, however much is free.",
    remedy=(
        Step(
            "See what the quota counts.",
            run=(
                "kubectl",
                "describe",
                "resourcequota",
                "{quota}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "State {what} for every container, sidecars and init containers included.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
        Step(
            "Or give the namespace a LimitRange with defaults, so that pods that state nothing get them."
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
        "https://kubernetes.io/docs/concepts/policy/limit-range/",
    ),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl describe resourcequota -n {namespace}",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A container asks for more or less than the LimitRange of its namespace allows",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?P<side>maximum|minimum) (?P<resource>cpu|memory|ephemeral-storage|storage) usage per (?P<per>Container|Pod|PersistentVolumeClaim) is (?P<bound>[\w.]+)(?:, but (?:limit|request) is (?P<asked>[\w.]+))?|(?:cpu|memory) max limit to request ratio per (?:Container|Pod) is (?P<ratio>\d+)",
            says="the {side} of {resource} per {per} is {bound}",
            sample='Error creating: pods "cart-1" is forbidden: [maximum memory usage per Container is 1Gi, but limit is 2Gi]',
            near_miss="memory usage of container app is 900Mi",
        ),
    ),
    why="A LimitRange bounds what one container, pod or claim may ask for; the API server refuses everything outside of the bounds when it is created.",
    remedy=(
        Step(
            "See the bounds.",
            run=(
                "kubectl",
                "describe",
                "limitrange",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring requests and limits of the workload within them, or change the LimitRange.",
            run=(
                "kubectl",
                "edit",
                "limitrange",
                "-n",
                "{namespace}",
            ),
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/policy/limit-range/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
        "kubernetes.claim_missing",
    ),
    ask="kubectl describe limitrange -n {namespace}",
)

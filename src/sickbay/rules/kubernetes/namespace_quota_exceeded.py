from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The quota of a namespace is exceeded, so new pods are refused",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"exceeded quota: (?P<quota>[\w.-]+)(?:, requested: (?P<requested>[\w./=,-]+), used: (?P<used>[\w./=,-]+), limited: (?P<limited>[\w./=,-]+))?|failed quota: (?P<failed>[\w.-]+): must specify",
            says="the quota {quota} of the namespace does not allow it",
            sample='Error creating: pods "cart-1" is forbidden: exceeded quota: compute, requested: limits.cpu=2, used: limits.cpu=19, limited: limits.cpu=20',
            near_miss="Operation could not be completed as it results in exceeding approved standardDSv3Family Cores quota.",
        ),
    ),
    why="A ResourceQuota caps what a namespace may use in all; the new object would pass the cap (or does not state the requests that the quota counts), so the API server refuses it with exceeded quota.",
    remedy=(
        Step(
            "See caps and use.",
            run=("kubectl", "describe", "resourcequota", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Raise the quota, lower the requests, or remove what is no longer needed.",
            run=("kubectl", "edit", "resourcequota", "-n", "{namespace}"),
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/policy/resource-quotas/",),
    leads_to=("kubernetes.rollout_stuck",),
    ask="kubectl describe resourcequota -n {namespace}",
    spreads=False,
)

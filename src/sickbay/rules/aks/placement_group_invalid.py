from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The proximity placement group of the node pool does not go with its zones, size or region",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"\bInvalidPPG(?:ID)?\b|(?i:proximity ?placement ?group\b.{0,160}?(?:cannot|not (?:supported|allowed|valid)|must|\binvalid\b|only|multiple|conflict|does not))|(?i:(?:colocation|collocation) status.{0,80}?(?:not aligned|unknown))",
            says="the proximity placement group is refused",
            sample="(BadRequest) Proximity placement group cannot be used with multiple availability zones.",
            near_miss="Proximity placement group ppg1 holds 3 scale sets",
            weight=TYPICAL,
            unless=r"(?i)OverconstrainedAllocation|AllocationFailed|InvalidPPG(?:Region|Subscription)|NotFound",
        ),
    ),
    why="A proximity placement group keeps machines in one datacentre: a pool in it may use at most one zone, the group must lie in the cluster's region and subscription, and its sizes must exist together there. It is set when a pool is made.",
    remedy=(
        Step(
            "See the group and what stands in it.",
            run=(
                "az",
                "ppg",
                "show",
                "--ids",
                "<placement-group-id>",
                "--include-colocation-status",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the pool with one zone, or without the group.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--ppg",
                "<placement-group-id>",
                "--zones",
                "1",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/reduce-latency-ppg",),
    leads_to=("aks.request_refused",),
    ask="az ppg show --ids <placement-group-id> -o json",
)

from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The management cluster does not know a workload cluster of this name",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)A workload cluster with the name '?(?P<cluster>[\w.-]+?)'? was not found",
            says="{cluster} was not found",
            sample="A workload cluster with the name 'shop-dev' was not found.",
            near_miss="The workload cluster 'shop-dev' was found.",
            weight=TYPICAL,
        ),
    ),
    why="The cluster was not created, has another name, or belongs to another AKS host. It also seems to be missing when two AKS hosts were given the same or overlapping address pools: their API servers take the same address, and the tools ask the wrong one.",
    remedy=(
        Step(
            "List the clusters of this host.",
            run=(
                "powershell",
                "-Command",
                "Get-AksHciCluster",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use the name that is shown, or create {cluster}.",
            run=(
                "powershell",
                "-Command",
                "New-AksHciCluster",
                "-name",
                "{cluster}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "If two hosts share address pools, delete one and deploy it with pools of its own (New-AksHciNetworkSetting).",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-workload-clusters",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-networking",
    ),
    ask="powershell -Command Get-AksHciCluster",
)

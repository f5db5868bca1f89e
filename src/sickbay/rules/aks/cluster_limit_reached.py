from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subscription has as many clusters in this region as it may have",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:limit|maximum) of (?P<limit>\d+) (?:for )?managed clusters?.{0,80}?(?:has been|was|is) reached|\bManagedClusterCountExceedsQuotaLimit\b|(?:exceed\w*|reached) (?:the )?(?:quota|limit)s? (?:of|for|on) (?:\d+ )?(?:AKS|managed|Kubernetes) clusters",
            says="no further cluster is allowed in this region",
            sample="Operation failed with status: 'Conflict'. Details: The limit of 100 managed clusters has been reached for subscription s in location westeurope.",
            near_miss="3 of 100 managed clusters are used in location westeurope",
        ),
    ),
    why="AKS allows a subscription a number of clusters for each region. Clusters in state Failed count as well, also those whose resource group was deleted a short while ago.",
    remedy=(
        Step(
            "See the clusters of the region, the failed ones among them.",
            run=("az", "aks", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete what is not needed, take another region, or ask for a higher limit under Quotas in the portal.",
            verify="az aks create is accepted",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/quotas-skus-regions",),
    leads_to=("aks.operation_failed",),
    ask="az aks list -o json",
)

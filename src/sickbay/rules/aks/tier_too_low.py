from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The feature is not allowed on this tier (Free, Standard) of AKS (InvalidManagedClusterSKUForFeature)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"InvalidManagedClusterSKUForFeature|(?i:(?:not (?:allowed|available|supported)|can ?not be enabled) (?:on|for|with|in) (?:the )?'?free'? (?:sku|tier|pricing tier))|(?i:requires? (?:the )?'?(?P<tier>standard|premium)'? (?:sku )?tier)|(?i:only (?:available|supported|allowed) (?:for|on|in|with) (?:the )?'?(?P<needed>standard|premium)'? (?:sku |pricing )?tier)",
            says="the tier of the cluster does not include the feature",
            sample="InvalidManagedClusterSKUForFeature: The feature costAnalysis is not allowed for managed cluster SKU tier Free.",
            near_miss="The managed cluster SKU tier was changed to Standard.",
        ),
    ),
    why="Cost analysis and the service level agreement belong to the Standard tier and above, long-term support (LTS) to the Premium tier (sku.tier); the cluster is of a lower one.",
    remedy=(
        Step(
            "Move the cluster to the Standard tier, or for long-term support to premium; it costs a fee for each hour.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--tier",
                "standard",
            ),
            verify="az aks show --query sku.tier wants Standard",
        ),
        Step("Repeat the request."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/aks-cost-analysis-add-on-issues",
        "https://learn.microsoft.com/azure/aks/free-standard-pricing-tiers",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)

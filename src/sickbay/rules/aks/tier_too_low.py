from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The feature is not allowed on the Free tier of AKS (InvalidManagedClusterSKUForFeature)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"InvalidManagedClusterSKUForFeature|(?i:(?:not (?:allowed|available|supported)|can ?not be enabled) (?:on|for|with|in) (?:the )?'?free'? (?:sku|tier|pricing tier))|(?i:requires? (?:the )?'?(?P<tier>standard|premium)'? (?:sku|tier))",
            says="the tier of the cluster does not include the feature",
            sample="InvalidManagedClusterSKUForFeature: The feature costAnalysis is not allowed for managed cluster SKU tier Free.",
            near_miss="The managed cluster SKU tier was changed to Standard.",
        ),
    ),
    why="Cost analysis, the service level agreement and long-term support belong to the Standard or Premium tier (sku.tier); the cluster is of a lower one.",
    remedy=(
        Step(
            "Move the cluster to the Standard tier; it costs a fee for each hour.",
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

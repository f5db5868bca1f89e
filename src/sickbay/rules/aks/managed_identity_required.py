from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The add-on or extension works only on a cluster with a managed identity, and this one has a service principal",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"aks-extensions-service-principal-not-supported|(?i:supported on clusters using managed service identity)|InvalidManagedIdentitySettingForCostAnalysis|(?i:(?:add-?on|feature|cost analysis|mesh|keda) .{0,120}?(?:requires|only (?:works|supported) (?:on|for)) .{0,60}?managed identity)",
            says="the cluster has no managed identity",
            sample="InvalidManagedIdentitySettingForCostAnalysis: Cost analysis is only supported on clusters with managed identity.",
            near_miss="The cluster uses a managed identity.",
        ),
    ),
    why="Newer add-ons sign in with the managed identity of the cluster; a cluster with a service principal (a client id and secret) has none.",
    remedy=(
        Step(
            "Change the cluster to a managed identity; nodes get it when their pools are upgraded next.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-managed-identity",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show --query identity.type wants SystemAssigned or UserAssigned",
        ),
        Step(
            "Reimage the pools, then enable the add-on again.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/aks-cost-analysis-add-on-issues",
        "https://learn.microsoft.com/azure/aks/use-managed-identity",
    ),
    leads_to=("aks.operation_failed", "aks.request_refused", "arc.extension_failed"),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)

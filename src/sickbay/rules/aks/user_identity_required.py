from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The setting needs a user-assigned identity, and the cluster has a system-assigned one",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:CustomRouteTableWithMSINotSupported|CustomRouteTableWithUnsupportedMSI(?:Type)?|SystemAssignedIdentityNotSupportedForCustomPrivateDNSZone)\b|\b\w*OnlySupportedOnUserAssignedMSICluster\b|(?i:System-?assigned (?:managed )?identity (?:is )?not supported (?:for|with))|(?i:does(?: not|n.t) support (?:the )?(?:cluster )?identity type .?System-?Assigned)|(?i:updating identity type from .{0,40}?is not allowed)|(?i:supported value is .?UserAssigned)|(?i:only supported (?:on|for|with) user.?assigned (?:MSI|managed identity|identity) ?(?:cluster)?)|(?i:(?:need|requires?|must use) (?:a )?user.?assigned (?:managed )?identity)",
            says="a user-assigned identity is needed",
            sample="OnlySupportedOnUserAssignedMSICluster: System-assigned managed identity not supported for custom resource Private DNS zone. Please use user-assigned managed identity.",
            near_miss="The cluster has a user-assigned managed identity",
        ),
    ),
    why="A route table, private DNS zone or kubelet identity of your own must be permitted to the cluster identity before the cluster exists. A system-assigned identity is born with the cluster, so it cannot have been given the roles.",
    remedy=(
        Step(
            "Make an identity.",
            run=(
                "az",
                "identity",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "<identity>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Give it the roles: Network Contributor on the network, and Private DNS Zone Contributor on the zone where one is used."
        ),
        Step(
            "Create the cluster with it (--assign-identity, identity type UserAssigned); an existing cluster takes it with az aks update --enable-managed-identity --assign-identity."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/use-managed-identity",
        "https://learn.microsoft.com/azure/aks/private-clusters",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query identity.type",
)

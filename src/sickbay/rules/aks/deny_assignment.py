from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A deny assignment (locked, managed resource group) forbids the action (DenyAssignmentAuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bDenyAssignmentAuthorizationFailed\b|(?i:access is denied because of the deny assignment with name '?(?P<assignment>[^']{1,120}))|(?i:access is denied because of (?:the|a) deny assignment)",
            says="a deny assignment forbids the action[: {assignment}]",
            sample="DenyAssignmentAuthorizationFailed: The client 'a@contoso.com' has permission to perform action 'Microsoft.Network/loadBalancers/write' on scope '/subscriptions/2/resourceGroups/MC_rg_shop'; however, the access is denied because of the deny assignment with name 'AKS node resource group' and Id '3' at scope '/subscriptions/2/resourceGroups/MC_rg_shop'.",
            near_miss="The role assignment for AKS node resource group was created",
        ),
    ),
    why="Whatever roles somebody has, a deny assignment comes first. AKS sets one on the node resource group when its restriction level is ReadOnly (always so on AKS Automatic), so that machines, disks and balancers are changed through the cluster only; managed applications and deployment stacks set others.",
    remedy=(
        Step(
            "See the deny assignments there.",
            run=(
                "az",
                "rest",
                "--method",
                "get",
                "--url",
                "https://management.azure.com/subscriptions/{subscription}/resourceGroups/<group>/providers/Microsoft.Authorization/denyAssignments?api-version=2022-04-01",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the change through AKS (az aks, az aks nodepool, Kubernetes services) instead of on the resource."
        ),
        Step(
            "Or lift the restriction, where the cluster is not AKS Automatic.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--nrg-lockdown-restriction-level",
                "Unrestricted",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show --query nodeResourceGroupProfile.restrictionLevel wants Unrestricted",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/node-resource-group-lockdown",),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
        "aks.authorization_failed",
        "aso.wrong_identity_or_permission",
        "aso.linked_scope_refused",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query nodeResourceGroupProfile -o json",
)

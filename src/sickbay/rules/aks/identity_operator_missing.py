from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster identity may not assign the kubelet identity (Managed Identity Operator is missing)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)object id '(?P<object_id>[^']+)' (?:does not have authorization|has permission to perform action .{0,400}?(?:does not|doesn't) have permission) to perform action\(?s?\)? '(?P<action>Microsoft\.ManagedIdentity/userAssignedIdentities/assign/action)' (?:over scope|on the linked scope\(s\)) '(?P<scope>[^'\s]+)'",
            says="{object_id} may not assign {scope}",
            sample="LinkedAuthorizationFailed: The client 'app' with object id '3a1b' does not have authorization to perform action 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action' over scope '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/kubelet' or the scope is invalid.",
            near_miss="The client 'app' with object id '3a1b' performed action 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'",
        ),
    ),
    why="A cluster with a kubelet identity of your own binds it to its scale sets, which needs `Microsoft.ManagedIdentity/userAssignedIdentities/assign/action`. The identity of the control plane, or the user who runs the command, has no role with that action on the kubelet identity.",
    remedy=(
        Step(
            "Grant Managed Identity Operator on the identity that is to be assigned.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "{object_id}",
                "--role",
                "Managed Identity Operator",
                "--scope",
                "{scope}",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --assignee {object_id} --scope {scope} wants Managed Identity Operator",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-managed-identity",),
    leads_to=(
        "aks.authorization_failed",
        "aks.operation_failed",
    ),
    ask="az role assignment list --all --query \"[?roleDefinitionName=='Managed Identity Operator']\" -o json",
)

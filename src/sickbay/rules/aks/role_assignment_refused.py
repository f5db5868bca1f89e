from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Whoever runs the command may not assign roles, so AKS cannot grant its identity access (needs Owner)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:CreateRoleAssignment(?:OnMSI)?Error|ReconcileAddonIdentityRoleAssignmentError)\b|Could not create a role assignment for|Could not grant Managed Identity Operator permission",
            says="a role assignment was refused",
            sample="Could not create a role assignment for ACR. Are you an Owner on this subscription?",
            near_miss="Created a role assignment for ACR: AcrPull",
        ),
        Signature(
            pattern=r"(?i)to perform action\(?s?\)? 'Microsoft\.Authorization/roleAssignments/(?:write|delete)'",
            says="a role assignment was refused",
            sample="AuthorizationFailed: The client 'me@contoso.com' with object id '3a1b' does not have authorization to perform action 'Microsoft.Authorization/roleAssignments/write' over scope '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerRegistry/registries/acr' or the scope is invalid.",
            near_miss="The client 'me@contoso.com' with object id '3a1b' performed action 'Microsoft.Authorization/roleAssignments/write'",
            # The same words reach the service operator, whose own identity then lacks the role.
            weight=TYPICAL,
        ),
    ),
    why="Attaching a registry, a subnet or a DNS zone writes a role assignment, and Contributor does not include `Microsoft.Authorization/roleAssignments/write`. The account that runs the command needs Owner, User Access Administrator or Role Based Access Control Administrator on that scope; the cluster itself is not at fault.",
    remedy=(
        Step(
            "See your own roles.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "<you>",
                "--all",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Have an owner of the scope write the role assignment, or give you the role to do so.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<you>",
                "--role",
                "Role Based Access Control Administrator",
                "--scope",
                "<scope>",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --assignee <you> --scope <scope> wants the role",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",
        "https://learn.microsoft.com/azure/aks/cluster-container-registry-integration",
    ),
    leads_to=(
        "aks.authorization_failed",
        "aks.operation_failed",
    ),
    ask="az role assignment list --assignee <you> --all -o json",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A deny assignment blocks the action, whatever roles the identity has (DenyAssignmentAuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\bDenyAssignmentAuthorizationFailed\b|(?i:access is denied because of the deny assignment)(?: with name '(?P<assignment>[^']{1,120}))?",
            says="a deny assignment blocks the action[: {assignment}]",
            sample="DenyAssignmentAuthorizationFailed: The client 'a' with object id 'a' has permission to perform action 'Microsoft.Network/loadBalancers/write' on scope '/subscriptions/0/resourceGroups/mrg'; however, the access is denied because of the deny assignment with name 'System deny assignment created by managed application' and Id '2' at scope '/subscriptions/0/resourceGroups/mrg'.",
            near_miss="The client has permission to perform action 'Microsoft.Network/loadBalancers/write', and no deny assignment applies",
        ),
    ),
    why="Deny assignments come from managed applications, deployment stacks, Blueprints and services that lock their managed resource group (a node resource group with restriction level ReadOnly, Databricks, OpenShift). They win over every role assignment, Owner included, and cannot be removed by a user: only the owner of the lock can change what is inside.",
    remedy=(
        Step(
            "See which deny assignment it is and who made it.",
            run=(
                "az",
                "rest",
                "--method",
                "get",
                "--url",
                "https://management.azure.com/subscriptions/{subscription}/resourceGroups/{resource_group}/providers/Microsoft.Authorization/denyAssignments?api-version=2022-04-01",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the change where the managed resource group is owned: through the managed application, the deployment stack (--deny-settings-mode) or the service (AKS: az aks update --nrg-lockdown-restriction-level Unrestricted); or exclude the identity there.",
            verify="the same request wants to succeed",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/role-based-access-control/deny-assignments",),
    leads_to=(
        "aks.authorization_failed",
        "aso.wrong_identity_or_permission",
        "aso.linked_scope_refused",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az rest --method get --url https://management.azure.com/subscriptions/{subscription}/resourceGroups/{resource_group}/providers/Microsoft.Authorization/denyAssignments?api-version=2022-04-01",
)

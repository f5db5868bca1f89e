from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An identity lacks the role for an action that the operation needs (AuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)with object id '(?P<object_id>[^']+)' (?:does not have authorization|has permission to perform action .*?(?:does not|doesn't) have permission) to perform action\(?s?\)? '(?P<action>[^']+)' (?:over scope|on the linked scope\(s\)) '(?P<scope>[^'\s]+)'",
            says="{object_id} may not do {action} on {scope}",
            sample="AuthorizationFailed: The client 'me' with object id '3a1b' does not have authorization to perform action 'Microsoft.ContainerService/managedClusters/write' over scope '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/shop' or the scope is invalid.",
            near_miss="The client 'me' with object id '3a1b' performed action 'Microsoft.ContainerService/managedClusters/write' over scope '/subscriptions/s'",
        ),
        Signature(
            pattern=r"(?:\b(?:Linked)?AuthorizationFailed\b|\bLinkedAccessCheckFailed\b|Could not create a role assignment for|(?i:does not have (?:authorization|permission) to perform action))(?:.*?object id '(?P<object_id>[^']+))?(?:.*?action '(?P<action>[^']+)')?(?:.*?scope(?:\(s\))? '(?P<scope>[^'\s]+))?",
            says="the identity may not do what was asked",
            sample='Code="LinkedAuthorizationFailed" Message="The client has permission to perform action \'Microsoft.Network/virtualNetworks/write\'; however, the linked scope is refused"',
            near_miss="AuthorizationSucceeded: the client has permission to perform the action",
        ),
        Signature(
            pattern=r"Operation returned an invalid status code 'Forbidden'(?P<object_id>)(?P<action>)(?P<scope>)|due to service principal authorization failures",
            says="Azure answered a request with Forbidden",
            sample="New-AzAksCluster : Operation returned an invalid status code 'Forbidden'",
            near_miss="New-AzAksCluster : Operation returned the status code 'OK'",
            weight=TYPICAL,
        ),
    ),
    why="ARM checks every action against the roles of the identity that asks: the user who runs the command, or the cluster's identity that joins subnets, route tables and disks. `LinkedAuthorizationFailed` means that the resource itself may be written, but not the one that it is linked to.",
    remedy=(
        Step(
            "See which roles the identity has there.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "{object_id}",
                "--scope",
                "{scope}",
                "--include-inherited",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant a role that holds the action[ ({action})] on that scope (for networks: Network Contributor); it takes some minutes to work.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "{object_id}",
                "--role",
                "<role>",
                "--scope",
                "{scope}",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --assignee {object_id} --scope {scope} wants the role",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/linkedauthorizationfailed-error",
    ),
    leads_to=("aks.operation_failed", "aks.private_dns_failed", "aks.scale_up_failed"),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)

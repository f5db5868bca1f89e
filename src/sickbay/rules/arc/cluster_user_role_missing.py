from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The user lacks the role Azure Arc Enabled Kubernetes Cluster User: no credentials of the connected cluster",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Microsoft\.Kubernetes/connectedClusters/listClusterUserCredentials?(?:/action)?",
            says="the credentials of the cluster may not be listed",
            sample="The client 'joe@contoso.com' with object id '11111111-1111-1111-1111-111111111111' does not have authorization to perform action 'Microsoft.Kubernetes/connectedClusters/listClusterUserCredential/action' over scope '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Kubernetes/connectedClusters/c1'",
            near_miss="az role assignment create --role 'Azure Arc Enabled Kubernetes Cluster User Role'",
        ),
        Signature(
            pattern=r"(?i)\bAZK8S0805\b|Unable to list cluster user credentials|Failed to get credentials\. ?\(?(?:Forbidden|AuthorizationFailed)|ClusterCredentialsGetFailed",
            says="the credentials of the cluster could not be listed",
            sample="Unable to list cluster user credentials: Operation returned an invalid status 'Forbidden'",
            near_miss="Listed cluster user credentials",
            weight=TYPICAL,
        ),
    ),
    why="az connectedk8s proxy asks Azure for the credentials of the cluster (listClusterUserCredential). Without the authorization for that action on the connected cluster (AuthorizationFailed, Forbidden) the proxy ends before it reaches the cluster; what the user may do inside is decided later, by Azure RBAC or Kubernetes roles.",
    remedy=(
        Step(
            "Give the user the role at the connected cluster.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<user-or-group>",
                "--role",
                "00493d72-78f6-4148-b6c5-d3ce8e4799dd",
                "--scope",
                "/subscriptions/<subscription>/resourceGroups/{resource_group}/providers/Microsoft.Kubernetes/connectedClusters/{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s proxy starts",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",),
    leads_to=("aks.authorization_failed",),
    ask="az role assignment list --assignee <user> --scope <connected-cluster-id> --include-inherited",
)

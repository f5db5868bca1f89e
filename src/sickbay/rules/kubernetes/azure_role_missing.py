from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A user has no Azure role for the objects of the cluster (Azure RBAC for Kubernetes, Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"is forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>\w+) resource \"(?P<resource>[\w./-]+)\".{0,200}?User does not have access to the resource in Azure",
            says="{user} has no Azure role that allows to {verb} {resource}",
            sample='Error from server (Forbidden): namespaces is forbidden: User "alice@contoso.com" cannot list resource "namespaces" in API group "" at the cluster scope: User does not have access to the resource in Azure. Update role assignment to allow access.',
            near_miss='namespaces is forbidden: User "alice@contoso.com" cannot list resource "namespaces" in API group "" at the cluster scope',
        ),
    ),
    why="The cluster uses Azure RBAC for Kubernetes authorization: for users of Entra ID it asks Azure, and Azure knows no role assignment on the cluster, the namespace or above that allows this. It answers 403 Forbidden; a new assignment can take some minutes.",
    remedy=(
        Step(
            "See which roles the user has on the cluster.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "{user}",
                "--scope",
                "<cluster-id>",
                "--include-inherited",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Assign a role: RBAC Reader to look, RBAC Writer to change, RBAC Cluster Admin for objects of the whole cluster.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "{user}",
                "--role",
                "Azure Kubernetes Service RBAC Reader",
                "--scope",
                "<cluster-id>",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i {verb} {resource} answers yes, for the user",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/manage-azure-rbac",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/user-cannot-get-cluster-resources",
    ),
    ask="az role assignment list --assignee {user} --scope <cluster-id> --include-inherited",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A user or service account lacks the RBAC permission for what it asks (Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\w+(?:\.[\w.-]+)? (?:\"[^\"]{1,200}\" )?is forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>\w+) resource \"(?P<resource>[\w./-]+)\"",
            says="{user} may not {verb} {resource}",
            sample='Error from server (Forbidden): nodes is forbidden: User "system:serviceaccount:shop:cart" cannot list resource "nodes" in API group "" at the cluster scope',
            near_miss='pods "cart-1" is forbidden: exceeded quota: compute',
        ),
    ),
    why="No Role or ClusterRole that is bound to this user, group or service account allows the action: Kubernetes RBAC authorization (or Azure RBAC for Kubernetes) refuses it with 403 Forbidden.",
    remedy=(
        Step(
            "Ask what the account may do.",
            run=("kubectl", "auth", "can-i", "{verb}", "{resource}", "--as", "{user}", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Bind a role that allows it (for people on clusters with Azure RBAC, an Azure role).",
            run=(
                "kubectl",
                "create",
                "rolebinding",
                "<name>",
                "--clusterrole=<role>",
                "--user={user}",
                "-n",
                "{namespace}",
            ),
            verify="kubectl auth can-i {verb} {resource} --as {user} answers yes",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/user-cannot-get-cluster-resources",
    ),
    leads_to=(),
    ask="kubectl auth can-i {verb} {resource} --as {user}",
    spreads=False,
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A user lacks the RBAC permission for what they ask in a namespace (Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*) (?:\"[^\"]{0,250}\" )?is forbidden: User (?:\"(?P<user>[^\"]{1,200})\"|<[^>]{1,100}>) cannot (?P<verb>\w+) resource \"[\w.-]+\" in API group \"[\w.-]*\" in the namespace \"(?P<namespace>[a-z0-9-]{1,63})\"",
            says="{user} may not {verb} {resource} in namespace {namespace}",
            sample='Error from server (Forbidden): deployments.apps is forbidden: User "alice@contoso.com" cannot list resource "deployments" in API group "apps" in the namespace "shop"',
            near_miss='pods "cart-1" is forbidden: exceeded quota: compute',
            unless=r"User \"system:(?:serviceaccount:|anonymous)|no relationship found between node|does not have access to the resource in Azure",
        ),
        Signature(
            pattern=r"is forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>\w+) resource \"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*/[\w-]+)\" in API group \"[\w.-]*\" in the namespace \"(?P<namespace>[a-z0-9-]{1,63})\"",
            says="{user} may not {verb} {resource} in namespace {namespace}",
            sample='pods "cart-1" is forbidden: User "alice@contoso.com" cannot create resource "pods/exec" in API group "" in the namespace "shop"',
            near_miss='pods "cart-1" is forbidden: violates PodSecurity "restricted:latest"',
            unless=r"User \"system:(?:serviceaccount:|anonymous)|no relationship found between node|does not have access to the resource in Azure",
        ),
        Signature(
            pattern=r"is forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>[a-z]+) (?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w./-]*) in the namespace \"(?P<namespace>[a-z0-9-]{1,63})\"",
            says="{user} may not {verb} {resource} in namespace {namespace}",
            sample='pods is forbidden: User "alice@contoso.com" cannot list pods in the namespace "shop"',
            near_miss='User "alice@contoso.com" can list pods',
            unless=r"User \"system:(?:serviceaccount:|anonymous)|no relationship found between node|does not have access to the resource in Azure",
        ),
    ),
    why="No Role or ClusterRole that is bound to this user, or to a group of theirs, allows the action: Kubernetes RBAC authorization refuses it with 403 Forbidden. With Entra ID the name is the user's principal name or object id, and a binding may name a group by its object id instead.",
    remedy=(
        Step(
            "Ask what the user may do.",
            run=("kubectl", "auth", "can-i", "--list", "--as={user}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Make a role that allows exactly what was denied.",
            run=(
                "kubectl",
                "create",
                "role",
                "{verb}-{kind}",
                "--verb={verb}",
                "--resource={resource}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Bind it to the user (for many users, to a group with --group).",
            run=(
                "kubectl",
                "create",
                "rolebinding",
                "{verb}-{kind}",
                "--role={verb}-{kind}",
                "--user={user}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i {verb} {resource} --as={user} -n {namespace} answers yes",
        ),
        Step(
            "If the cluster uses Azure RBAC for Kubernetes, assign an Azure role instead.",
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
                "<cluster-id>/namespaces/{namespace}",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/user-cannot-get-cluster-resources",
    ),
    ask="kubectl auth can-i --list --as={user} -n {namespace}",
)

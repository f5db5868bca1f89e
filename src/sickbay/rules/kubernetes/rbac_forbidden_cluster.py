from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A user lacks the RBAC permission for what they ask of the whole cluster (Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*) (?:\"[^\"]{0,250}\" )?is forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>\w+) resource \"[\w.-]+\" in API group \"[\w.-]*\" at the cluster scope",
            says="{user} may not {verb} {resource} at the cluster scope",
            sample='Error from server (Forbidden): deployments.apps is forbidden: User "alice@contoso.com" cannot list resource "deployments" in API group "apps" at the cluster scope',
            near_miss='pods "cart-1" is forbidden: exceeded quota: compute',
            unless=r"User \"system:(?:serviceaccount:|anonymous)|no relationship found between node|does not have access to the resource in Azure",
        ),
        Signature(
            pattern=r"is forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>\w+) resource \"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*/[\w-]+)\" in API group \"[\w.-]*\" at the cluster scope",
            says="{user} may not {verb} {resource} at the cluster scope",
            sample='pods "cart-1" is forbidden: User "alice@contoso.com" cannot create resource "pods/exec" in API group "" at the cluster scope',
            near_miss='pods "cart-1" is forbidden: violates PodSecurity "restricted:latest"',
            unless=r"User \"system:(?:serviceaccount:|anonymous)|no relationship found between node|does not have access to the resource in Azure",
        ),
        Signature(
            pattern=r"is forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>[a-z]+) (?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w./-]*) at the cluster scope",
            says="{user} may not {verb} {resource} at the cluster scope",
            sample='pods is forbidden: User "alice@contoso.com" cannot list pods at the cluster scope',
            near_miss='User "alice@contoso.com" can list pods',
            unless=r"User \"system:(?:serviceaccount:|anonymous)|no relationship found between node|does not have access to the resource in Azure",
        ),
    ),
    why="What is asked at the cluster scope (nodes, namespaces, or objects of all namespaces) must be granted by a ClusterRole and a ClusterRoleBinding to this user or to a group of theirs. None does, so Kubernetes RBAC authorization refuses it with 403 Forbidden.",
    remedy=(
        Step(
            "See whether the cluster asks Azure (enableAzureRbac) or its own bindings, and who its administrators are.",
            run=(
                "az",
                "aks",
                "show",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--query",
                "aadProfile",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a cluster role that allows exactly what was denied.",
            run=(
                "kubectl",
                "create",
                "clusterrole",
                "{verb}-{kind}",
                "--verb={verb}",
                "--resource={resource}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Bind it to the user (for many users, to a group with --group).",
            run=(
                "kubectl",
                "create",
                "clusterrolebinding",
                "{verb}-{kind}",
                "--clusterrole={verb}-{kind}",
                "--user={user}",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i {verb} {resource} --as={user} -A answers yes",
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
                "Azure Kubernetes Service RBAC Cluster Admin",
                "--scope",
                "<cluster-id>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/user-cannot-get-cluster-resources",
    ),
    ask="kubectl auth can-i --list --as={user}",
)

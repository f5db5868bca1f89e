from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A user or service account may not read a path of the API server (non-resource URL, Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"forbidden: User \"(?P<user>[^\"]{1,200})\" cannot (?P<verb>\w+) path \"(?P<path>/[^\"]{0,200})\"",
            says="{user} may not {verb} {path}",
            sample='Error from server (Forbidden): forbidden: User "system:serviceaccount:monitoring:prometheus" cannot get path "/metrics"',
            near_miss='forbidden: User "alice@contoso.com" cannot get resource "pods" in API group "" in the namespace "shop"',
            unless=r"User \"system:anonymous\"",
        ),
    ),
    why="Paths such as /metrics or /healthz are no resources: only a ClusterRole with nonResourceURLs, bound by a ClusterRoleBinding, grants them. None is bound to this user, so Kubernetes RBAC refuses it with 403 Forbidden.",
    remedy=(
        Step(
            "Make a cluster role for the path.",
            run=(
                "kubectl",
                "create",
                "clusterrole",
                "<role>",
                "--verb={verb}",
                "--non-resource-url={path}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Bind it (a service account may be named as a user, as it is here).",
            run=(
                "kubectl",
                "create",
                "clusterrolebinding",
                "<role>",
                "--clusterrole=<role>",
                "--user={user}",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i {verb} {path} --as={user} answers yes",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources",),
    ask="kubectl auth can-i {verb} {path} --as={user}",
)

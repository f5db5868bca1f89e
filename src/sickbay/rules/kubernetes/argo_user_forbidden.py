from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A user or token of Argo CD has no right for what it asks (permission denied in Argo CD RBAC)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)permission denied: (?:applications|applicationsets|projects|repositories|clusters|accounts|certificates|gpgkeys|logs|exec|extensions), (?P<verb>\w+)",
            says="Argo CD does not allow the user to {verb}",
            sample="FATA[0000] rpc error: code = PermissionDenied desc = permission denied: applications, sync, team-a/web, sub: alice, iat: 2024-01-01T00:00:00Z",
            near_miss="rpc error: code = Unauthenticated desc = no session information",
        ),
    ),
    why="Argo CD has its own roles in argocd-rbac-cm and in its projects, beside those of Kubernetes. None of them gives this user or token the action on this application.",
    remedy=(
        Step(
            "See the roles.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "argocd-rbac-cm",
                "-n",
                "argocd",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant the action to the user, its group or the role of the project.",
            risk=Risk.SAFE,
            verify="argocd account can-i answers yes",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/operator-manual/rbac/",),
    ask="kubectl get configmap argocd-rbac-cm -n argocd -o yaml",
)

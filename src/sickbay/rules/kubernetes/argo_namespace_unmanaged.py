from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Argo CD manages only some namespaces of the cluster, and an application wants another one",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"[Nn]amespace \"(?P<namespace>[a-z0-9-]{1,63})\" for (?P<kind>\w{1,60}) \"(?P<object>[\w.-]{1,200})\" is not managed|[Cc]luster level (?P<scope>\w{1,60}) \"[\w.:-]{1,200}\" can not be managed when in namespaced mode",
            says="Argo CD does not manage what the application asks for[: {kind} {object} in {namespace}][: a {scope} of the whole cluster]",
            sample='ComparisonError: Namespace "default" for Deployment "coffee" is not managed',
            near_miss='Namespace "default" for Deployment "coffee" is in sync',
        ),
    ),
    why="The secret of a destination cluster may list namespaces, and Argo CD was perhaps installed for its own namespace only (namespace-install, or an instance of the operator): it then watches and changes nothing elsewhere, and cluster-wide objects only where clusterResources is true.",
    remedy=(
        Step(
            "See the cluster secrets and their field namespaces.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-n",
                "argocd",
                "-l",
                "argocd.argoproj.io/secret-type=cluster",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the namespace to that field (argocd cluster set <cluster> --namespace <namespace>), or remove the field so that all are managed; the account of Argo CD needs the rights for it.",
            risk=Risk.DISRUPTIVE,
            verify="argocd app get <app> shows no ComparisonError",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#clusters",),
    ask="kubectl get secrets -n argocd -l argocd.argoproj.io/secret-type=cluster -o yaml",
)

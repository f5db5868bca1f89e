from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The managed external-dns cannot be set up: its service account is not in its namespace",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"FailedUpdateOrCreateExternalDNSResources",
            says="external-dns could not be set up",
            sample="Warning  FailedUpdateOrCreateExternalDNSResources  3s  application-routing  service account dns in namespace app-routing-system: not found",
            near_miss="Normal  EnsuredDNSResources  3s  application-routing  external-dns resources are up to date",
        ),
    ),
    why="An ExternalDNS or ClusterExternalDNS runs in its resourceNamespace (app-routing-system by default) and signs in with the service account of that namespace; the account is missing there or lacks its annotation.",
    remedy=(
        Step(
            "See what it says.",
            run=(
                "kubectl",
                "describe",
                "clusterexternaldns",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set resourceNamespace to the namespace of the service account, or create the account there.",
            run=(
                "kubectl",
                "get",
                "serviceaccounts",
                "-A",
            ),
            verify="kubectl describe clusterexternaldns shows no further warning",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/application-routing-gateway-api-dns-tls",
    ),
    ask="kubectl get clusterexternaldns,externaldns -A -o json",
)

from sickbay.rulekit import TYPICAL, Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A client throttles its own requests to the API server so long that they time out (client rate limiter)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"client rate limiter Wait returned an error: (?:context deadline exceeded|context canceled|rate: Wait)",
            says="the client waited for its own rate limit until its time was over",
            sample="client rate limiter Wait returned an error: context deadline exceeded",
            near_miss="client rate limiter allows 50 requests in a second",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"Waited for (?:\d{2,}(?:\.\d+)?s|\d+m[\d.]*s?) due to client-side throttling",
            says="a client holds back its own requests for a long time",
            sample="Waited for 1m52.868903155s due to client-side throttling, not priority and fairness, request: GET:https://10.0.0.1:443/api/v1/namespaces/shop/configmaps/web",
            near_miss="Waited for 1.148903155s due to client-side throttling, not priority and fairness, request: GET:https://10.0.0.1:443/apis/apps/v1",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Kubernetes clients allow themselves a number of requests in a second. Discovery asks for every API group, so in a cluster with hundreds of custom resource definitions (Azure Service Operator, Crossplane) a client with small limits uses up its time before it has asked for anything else; a slow API server has the same effect.",
    remedy=(
        Step(
            "Install only the definitions that are used (for Azure Service Operator: crdPattern), or give the client higher limits (--kube-api-qps, --kube-api-burst).",
        ),
        Step("If there are few definitions, look why the API server answers slowly."),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/crd-management/",),
    leads_to=("kubernetes.condition_timeout", "aks.keda_scaler_fails"),
    ask="kubectl get crd --no-headers",
)

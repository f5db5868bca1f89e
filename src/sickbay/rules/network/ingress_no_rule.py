from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No rule of the ingress controller matches the request: host or path is unknown to it (404)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)default backend ?- ?404|404 default backend|response 404 \(backend NotFound\)|backend NotFound, service rules for the path non-existent|404 Not Found.{0,200}?<center>(?:nginx|openresty)|backendPoolName\w{0,3}\W{1,8}defaultaddresspool",
            says="the ingress controller has no rule for the request",
            sample="default backend - 404",
            near_miss="default backend - 200 OK",
            weight=TYPICAL,
        ),
    ),
    why="The request reached the ingress controller, and no Ingress has its host and path: the host of the rule differs from the Host header, the path or its type (Exact, Prefix, rewrite-target) does not match, the Ingress is in another class, or it was refused. The default backend answers 404; an Application Gateway of AGIC sends such a request to its empty defaultaddresspool, and answers 502.",
    remedy=(
        Step(
            "See hosts, paths and classes of the ingresses.",
            run=("kubectl", "get", "ingress", "-A", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Ask with the host name of the rule.",
            run=("curl", "-v", "-H", "Host: <host>", "http://<external-ip>/<path>"),
            risk=Risk.READ,
        ),
        Step(
            "Correct host, path, pathType or ingressClassName.",
            verify="the request is answered by the backend",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/ingress/",
        "https://learn.microsoft.com/azure/aks/app-routing",
    ),
    ask="kubectl get ingress -A -o yaml",
)

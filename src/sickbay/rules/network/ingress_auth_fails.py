from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The external authentication of an ingress fails or does not answer (auth-url, oauth2-proxy)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"auth request unexpected status: (?P<status>\d{3}) while sending to client|ext_authz_(?:denied|error)|\bUAEX\b ext_authz|error calling auth(?:entication)? (?:server|service)",
            says="the authentication of the ingress gave no usable answer",
            sample="auth request unexpected status: 502 while sending to client, client: 10.1.1.1",
            near_miss="auth request status: 202",
            weight=TYPICAL,
        ),
    ),
    why="The ingress asks another service (auth-url, ext_authz) whether to let a request in, and takes only 2xx, 401 and 403 for an answer. The service is down, is reached by a wrong name, or answers with a redirect or an error, so every request ends with 500 or 403.",
    remedy=(
        Step(
            "See auth-url and auth-signin of the ingress.",
            run=("kubectl", "get", "ingress", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Ask the service from inside the cluster, and mend it or its URL.",
            verify="auth-url answers 202 or 401",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    leads_to=("network.backend_refuses",),
    ask="kubectl get ingress -A -o yaml",
)

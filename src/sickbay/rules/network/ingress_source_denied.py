from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ingress controller forbids the address of the client (whitelist-source-range, access forbidden by rule)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"access forbidden by rule, client: (?P<client>[\da-f.:]+)|is not in the (?:whitelist|allow ?list) source range",
            says="the address of the client is not allowed",
            sample='access forbidden by rule, client: 10.240.0.4, server: shop.contoso.com, request: "GET /admin HTTP/1.1"',
            near_miss="access allowed, client: 10.240.0.4",
        ),
    ),
    why="The ingress allows certain source ranges only (`whitelist-source-range`, `denylist-source-range`), and the address that the controller sees is not among them: often a node's or gateway's address instead of the client's, since externalTrafficPolicy Cluster hides it.",
    remedy=(
        Step(
            "See the ranges.",
            run=("kubectl", "get", "ingress", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Add the range, or keep the client's address: externalTrafficPolicy Local, or use-forwarded-headers behind a gateway.",
            verify="the request is answered",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl get ingress -A -o yaml",
)

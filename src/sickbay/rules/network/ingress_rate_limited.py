from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ingress controller limits the rate of requests or connections of a client (limiting requests, 429 or 503)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"limiting requests, excess: [\d.]+ by zone \"(?P<zone>[^\"]{1,200})\"|limiting connections by zone \"(?P<other>[^\"]{1,200})\"|\blocal_rate_limited\b|\brequest_rate_limited\b",
            says="requests are refused by a rate limit",
            sample='limiting requests, excess: 10.500 by zone "shop_web_rps", client: 10.1.1.1',
            near_miss='limit zone "shop_web_rps" created',
        ),
    ),
    why="Annotations of the ingress (limit-rps, limit-rpm, limit-connections) or a rate limit of the mesh allow so many requests for each client address. Behind a load balancer with externalTrafficPolicy Cluster, or a gateway, all clients share one address and reach the limit together.",
    remedy=(
        Step(
            "See the limits of the ingress.",
            run=(
                "kubectl",
                "get",
                "ingress",
                "-A",
                "-o",
                "jsonpath={.items[*].metadata.annotations}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise the limit, exempt known ranges (limit-whitelist), or let the controller see the true client address (externalTrafficPolicy Local, use-forwarded-headers).",
            verify="the log shows no further line of limiting",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl get ingress -A -o yaml",
)

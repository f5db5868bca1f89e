from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The groups of the user cannot be looked up: the endpoint obo.arc.azure.com on port 8084 is blocked",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?P<host>[\w-]+\.obo\.arc\.azure\.com)(?::8084)?\S{0,100} ?.{0,120}?(?:timed? ?out|refused|no such host|no route|unreachable|deadline exceeded|forbidden|reset by peer|EOF)",
            says="{host} is not reached",
            sample='kube-aad-proxy: overage claim (users with more than 200 group membership) is currently not supported: Post "https://westeurope.obo.arc.azure.com:8084/": dial tcp 20.1.2.3:8084: i/o timeout',
            near_miss='kube-aad-proxy: Post "https://westeurope.obo.arc.azure.com:8084/": 200 OK',
        ),
    ),
    why="When a user is in more groups than a token carries (an overage claim), kube-aad-proxy looks the groups up at https://<region>.obo.arc.azure.com on port 8084. Behind a proxy or firewall that lets only 443 out, the lookup fails and the user is refused.",
    remedy=(
        Step(
            "Call the endpoint from the cluster's network.",
            run=(
                "curl",
                "-v",
                "https://<region>.obo.arc.azure.com:8084",
            ),
            risk=Risk.READ,
            verify="any HTTP status is an answer",
        ),
        Step(
            "Allow <region>.obo.arc.azure.com on port 8084 for the cluster.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",
    ),
    leads_to=("arc.too_many_groups",),
    ask="curl -v https://<region>.obo.arc.azure.com:8084",
)

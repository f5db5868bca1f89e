from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An authorization policy of the service mesh denies a request (RBAC: access denied)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"RBAC: access denied|rbac_access_denied_matched_policy\[(?P<policy>[^\]]{1,200})\]|\bclient is not authorized: .{0,80}?linkerd|unauthorized request on route .{0,200}?linkerd|linkerd\S{0,80}.{0,120}?(?:request|connection) denied",
            says="a policy of the mesh denied a request",
            sample='[2026-03-04T10:02:03.000Z] "GET /api HTTP/1.1" 403 - rbac_access_denied_matched_policy[none] - "-" 0 19 0 - "-" "curl" "1" "cart.shop:8080" "-"',
            near_miss='Error from server (Forbidden): pods is forbidden: User "dev" cannot list resource "pods"',
            common=True,
            unless=r"\b169\.254\.0\.11\b",
        ),
    ),
    why="A sidecar or gateway compared the request with its AuthorizationPolicies and refused it with 403. As soon as one ALLOW policy selects a workload, everything that none of them allows is denied; without mutual TLS the identity of the caller is unknown, and no rule on principals fits.",
    remedy=(
        Step(
            "See the policies.",
            run=("kubectl", "get", "authorizationpolicies", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Allow the caller: its principal (cluster.local/ns/<namespace>/sa/<account>), namespace, path and method.",
            risk=Risk.DISRUPTIVE,
            verify="the same request is answered",
        ),
        Step("Make sure that both ends have a sidecar, so that the caller has an identity."),
    ),
    docs=("https://istio.io/latest/docs/ops/common-problems/security-issues/",),
    ask="kubectl get authorizationpolicies -A -o yaml",
)

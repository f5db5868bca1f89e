from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The mesh or gateway has no route or cluster for a request (NR, NC, filter_chain_not_found)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"HTTP\S{0,8} (?:404|503) (?:NR|NC)\b|\broute_not_found\b|\bcluster_not_found\b|\bfilter_chain_not_found\b",
            says="Envoy has no route for a request",
            sample='[2026-01-01T10:00:00.000Z] "GET /api HTTP/1.1" 404 NR route_not_found - "-" 0 0 0 - "-" "curl" "1" "shop.example.com" "-"',
            near_miss='"GET /api HTTP/1.1" 200 - via_upstream',
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="Envoy got a request for a host, path or port for which it was given no configuration: the VirtualService or Gateway does not list the host, the DestinationRule subset has no pods, or the name in TLS (SNI) fits no listener.",
    remedy=(
        Step(
            "Let istioctl compare the configuration.",
            run=(
                "kubectl",
                "get",
                "virtualservices,gateways,destinationrules",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the host to Gateway and VirtualService with the same name, and see that subsets fit labels of pods."
        ),
    ),
    docs=("https://istio.io/latest/docs/ops/common-problems/network-issues/",),
    ask="kubectl get virtualservices,gateways,destinationrules -A -o yaml",
)

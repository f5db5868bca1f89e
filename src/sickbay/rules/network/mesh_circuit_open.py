from sickbay.rulekit import DECISIVE, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The mesh rejects requests because its limit of open connections or requests is reached (UO, overflow)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"HTTP\S{0,8} 503 UO\b|\bupstream_overflow\b|reset reason: overflow",
            says="a circuit breaker of the mesh is open",
            sample="upstream connect error or disconnect/reset before headers. reset reason: overflow",
            near_miss="upstream_overflow_total is counted",
            weight=DECISIVE,
            unless=r"_total is counted|upstream_\w*overflow: 0",
        ),
    ),
    why="A DestinationRule limits connections and pending requests. More came at once than it allows, so that Envoy answers 503 itself.",
    remedy=(
        Step(
            "See the limits.",
            run=(
                "kubectl",
                "get",
                "destinationrules",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step("Raise maxConnections and http1MaxPendingRequests, or add replicas."),
    ),
    docs=("https://istio.io/latest/docs/tasks/traffic-management/circuit-breaking/",),
    ask="kubectl get destinationrules -A -o yaml",
)

from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A gRPC client pings more often than its server or proxy allows (GOAWAY, ENHANCE_YOUR_CALM, too_many_pings)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bENHANCE_YOUR_CALM\b|\btoo_many_pings\b",
            says="the server closed the connection for too many pings",
            sample='rpc error: code = Unavailable desc = closing transport due to: connection error: desc = \\"error reading from server: EOF\\", received prior goaway: code: ENHANCE_YOUR_CALM, debug data: \\"too_many_pings\\"',
            near_miss="received goaway: code: NO_ERROR, debug data: graceful_stop",
        ),
    ),
    why="HTTP/2 keepalive pings of the client come more often than the server, ingress or mesh in front of it permits (five minutes by default for gRPC servers), so that side ends the connection with GOAWAY ENHANCE_YOUR_CALM and every call on it fails.",
    remedy=(
        Step(
            "Set keepalive time of the client to at least what the server permits (for example 5 minutes, without pings when there is no call).",
        ),
        Step(
            "Or lower `MinTime` of the server's keepalive enforcement policy, and of the proxy between.",
            verify="the client logs no GOAWAY for an hour",
        ),
    ),
    docs=("https://grpc.io/docs/guides/keepalive/",),
    leads_to=("network.connection_cut", "kubernetes.program_fails"),
    ask="kubectl logs <pod> --since=1h",
)

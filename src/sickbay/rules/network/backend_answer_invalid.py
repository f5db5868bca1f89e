from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A backend sends an answer that its proxy cannot read (invalid or duplicate header, protocol error)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"upstream sent (?:invalid|duplicate) header|upstream sent unsupported transfer encoding|upstream sent more data than specified|upstream sent invalid chunked response|reset reason: protocol error|\bhttp1\.codec_error\b|upstream_reset_before_response_started\{protocol_error",
            says="the proxy refused the answer of the backend",
            sample="upstream sent duplicate header line: Transfer-Encoding: chunked while reading response header from upstream",
            near_miss="upstream sent header Content-Length",
            weight=TYPICAL,
        ),
    ),
    why="The ingress controller or mesh parses the answer of the backend, and it breaks HTTP: a header twice (Transfer-Encoding), with characters that are not allowed, a body that does not fit its length, or another protocol (HTTP/2, gRPC, TLS) than the route says. The client gets 502 Bad Gateway.",
    remedy=(
        Step(
            "Ask the backend directly, and look at its headers.",
            run=(
                "kubectl",
                "port-forward",
                "-n",
                "<namespace>",
                "service/<service>",
                "8080:<port>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Mend the header in the program, or tell the route the right protocol (backend-protocol, appProtocol).",
            verify="the request through the ingress answers 200",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl logs -n <namespace> <ingress-controller> --tail=200",
)

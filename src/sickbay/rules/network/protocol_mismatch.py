from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="One side speaks TLS and the other plain HTTP (wrong version number, HTTP request sent to HTTPS port)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)plain HTTP request was sent to HTTPS port|WRONG_VERSION_NUMBER|SSL routines(?::\w*:|', '\w{0,40}', ')wrong version number|tls: first record does not look like a TLS handshake|Client sent an HTTP request to an HTTPS server|server gave HTTP respons|error reading server preface: http2: (?:frame too large|failed reading the frame payload)|SSL_ERROR_RX_RECORD_TOO_LONG|\bERR_SSL_PROTOCOL_ERROR\b|Unsupported or unrecognized SSL message|upstream sent no valid HTTP/|upstream sent (?:too large|invalid) http2|upstream rejected request with error",
            says="one side spoke TLS, the other plain HTTP",
            sample="upstream connect error or disconnect/reset before headers. reset reason: connection failure, transport failure reason: TLS error: 268435703:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER",
            near_miss="TLS error: 268435581:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED",
            unless=r"(?i)image|manifests/|/v2/|registry|http: TLS handshake error|proxyconnect|failed calling webhook",
            passes=True,
            common=True,
        ),
    ),
    why="The two ends disagree about encryption: a client, proxy, probe or mesh uses TLS on a port where the program speaks plain HTTP, or plain HTTP on a TLS port. Usual reasons are the wrong port, a backend protocol that was not told to the ingress, a DestinationRule that forces TLS, or an address with the wrong scheme.",
    remedy=(
        Step(
            "See which ports the service has and what the program speaks on each.",
            run=("kubectl", "describe", "services", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Say it in one place: backend-protocol HTTPS at the ingress, scheme HTTPS in the probe, appProtocol at the port, https:// in the address; or the reverse where the program speaks HTTP.",
            verify="the same request is answered",
        ),
        Step("In a mesh: let the tls mode of the DestinationRule agree with what the pods serve."),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
        "https://istio.io/latest/docs/ops/common-problems/network-issues/",
    ),
    ask="kubectl describe services -n {namespace}",
)

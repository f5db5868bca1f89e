from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A WebSocket is not upgraded: a proxy or gateway on the way drops the Upgrade header or ends the connection",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Error during WebSocket handshake|WebSocket connection to '\S{3,300}' failed|WebSocketException.{0,120}?(?:status code '?\d{3}|Unable to connect)|websocket: bad handshake|websocket.{0,200}?Unexpected (?:server )?response(?: code)?: (?:400|403|404|502|503|504)\b|WebSocketBadStatusException",
            says="the WebSocket was not opened",
            sample="WebSocket connection to 'wss://shop.contoso.com/hub' failed: Error during WebSocket handshake: Unexpected response code: 400",
            near_miss="WebSocket connection to 'wss://shop.contoso.com/hub' opened",
            # What .NET wraps in it says that the name or the port was never reached.
            unless=r"(?i)Name or service not known|No such host is known|could not be resolved|No connection could be made",
            weight=TYPICAL,
        ),
    ),
    why="A WebSocket begins as an HTTP/1.1 request with Upgrade headers. A proxy that does not pass them on, HTTP/2 or WAF rules on the way, several replicas without session affinity (SignalR, socket.io), or an idle timeout make the upgrade fail.",
    remedy=(
        Step(
            "Try the upgrade.",
            run=(
                "curl",
                "-sSi",
                "--http1.1",
                "-H",
                "Connection: Upgrade",
                "-H",
                "Upgrade: websocket",
                "-H",
                "Sec-WebSocket-Version: 13",
                "-H",
                "Sec-WebSocket-Key: eA==",
                "https://<host>/<path>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let every hop pass Upgrade and Connection, raise its read timeout (`proxy-read-timeout`), and use session affinity for several replicas.",
            verify="the upgrade answers 101 Switching Protocols",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
        "https://learn.microsoft.com/azure/application-gateway/features",
    ),
    ask="kubectl logs -n <namespace> <ingress-controller> --tail=200",
)

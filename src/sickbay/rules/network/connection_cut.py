from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A connection breaks off while it is used (connection reset, EOF, socket hang up)",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i:connection reset by peer)|\b(?:ECONNRESET|ERR_CONNECTION_(?:RESET|CLOSED)|ERR_EMPTY_RESPONSE|PR_CONNECT_RESET_ERROR|PR_END_OF_FILE_ERROR)\b|curl: \(52\) Empty reply from server|Error: socket hang up|SocketException: Connection reset|\(\'Connection aborted\.\'|RemoteDisconnected\(|(?i:existing connection was forcibly closed)|http2: client connection lost|server closed the connection unexpectedly|terminating connection due to|Communications link failure|Received an unexpected EOF or 0 bytes from the transport stream|unexpected EOF while reading from|Remote host terminated the handshake|Connection prematurely closed|Lost connection to MySQL server|TLS connection was non-properly terminated|authentication handshake failed: (?:EOF|read tcp)|https?://\S{3,400}: (?:unexpected )?EOF\b|error reading server preface: EOF|SocketClosed on \S{3,120}|\bSocketClosedUnexpectedlyError\b|Socket closed unexpectedly|error\W{1,4}write tcp \S{5,80}: use of closed network connection|curl: \(92\) HTTP/2 stream|HTTP/2 stream \d+ was not closed cleanly|stream terminated by RST_STREAM|INTERNAL_ERROR; received from peer|server sent GOAWAY|peer closed connection in SSL handshake",
            says="a connection was cut",
            sample="Error: read ECONNRESET",
            near_miss="Connection to db was closed after use",
            weight=SYMPTOM,
            unless=r"(?i:probe)|(?i:from client)|error reading from server|client disconnected",
            common=True,
            # curl says that it is connected before anything can break.
            ended_by=r"(?i)\breconnected\b|(?:^|[^*\s]\s|[^\s\w])connected\b|connection (?:re-?established|established|restored)|listening on",
        ),
    ),
    why="The connection was open and something ended it: the other program closed or crashed, an idle timeout on the way (the load balancer drops after 4 minutes, a NAT gateway too), a firewall that does not know the flow, or a proxy that forbids it.",
    remedy=(
        Step(
            "Note whether it comes after a pause (idle timeout: set TCP keepalive below 4 minutes) or at once (the other side, or a firewall)."
        ),
        Step(
            "See whether the other program was restarted.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step("Look into the log of the firewall or proxy on the way at that time."),
    ),
    docs=("https://learn.microsoft.com/azure/load-balancer/load-balancer-tcp-reset",),
    ask="kubectl get pods -A -o wide",
    vague=True,
)

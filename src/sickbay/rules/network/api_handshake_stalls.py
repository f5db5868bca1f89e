from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The way to the API server opens, but the TLS handshake stalls (proxy, MTU or overload)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Unable to connect to the server: net/http: TLS hands|azmk8s\.io\S{0,300}: net/http: TLS handshake timeout|unable to load schema information from the API server: .{0,200}?: net/http: TLS handshake timeout|https://\S{3,100}/(?:openapi/v[23]|version|apis?)\?timeout=\S{1,40}: net/http: TLS handshake timeout",
            says="the connection to the API server was opened, but its TLS handshake timed out",
            sample="Unable to connect to the server: net/http: TLS handshake timeout",
            near_miss="Unable to connect to the server: dial tcp 20.50.2.7:443: i/o timeout",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="TCP port 443 answered, so that authorized IP ranges and closed routes are not the cause; then the handshake went unanswered. Its answer is the first large packet: it is lost when the MTU of a VPN or tunnel is too small for it, held back by a proxy or firewall that inspects TLS, or late because the API server is overloaded.",
    remedy=(
        Step(
            "See how far the handshake comes.",
            run=("curl", "-vk", "--max-time", "20", "https://<api-server-fqdn>:443/livez"),
            risk=Risk.READ,
        ),
        Step(
            "Send a large packet that may not be split; on a VPN lower the MTU until it passes.",
            run=("ping", "-M", "do", "-s", "1400", "<target>"),
            risk=Risk.READ,
        ),
        Step(
            "Ask from inside Azure: if this works, the way from the client is at fault; if it is slow too, the API server is overloaded.",
            run=(
                "az",
                "aks",
                "command",
                "invoke",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--command",
                "kubectl get --raw /readyz?verbose",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-cluster-connection-issues-api-server",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/tcp-timeouts-kubetctl-third-party-tools-connect-api-server",
    ),
    ask="curl -vk --max-time 20 https://<api-server-fqdn>:443/livez",
)

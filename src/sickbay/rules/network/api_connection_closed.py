from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Something between client and API server closes the connection (EOF, connection reset)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"error: lost connection to pod|Unable to connect to the server: (?:EOF|unexpected EOF|read tcp [^ ]{5,100}: (?:read: connection reset by peer|wsarecv: An existing connection was forcibly closed))|azmk8s\.io\S{0,300}: (?:EOF|read tcp [^ ]{5,100}: read: connection reset by peer)",
            says="the connection to the API server was closed from the other side",
            sample="Unable to connect to the server: EOF",
            near_miss="Unable to connect to the server: net/http: TLS handshake timeout",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The connection was opened and then ended by the other side before an answer came. A firewall or proxy that does not want the name or the TLS handshake (SNI filter, inspection) does that, and so does an API server that is just being restarted or updated.",
    remedy=(
        Step(
            "Try it without the proxy of this machine.",
            run=("curl", "-vk", "--noproxy", "*", "https://<api-server-fqdn>:443/livez"),
            risk=Risk.READ,
        ),
        Step(
            "Put the name of the API server into NO_PROXY, or allow it (SNI, port 443) on the firewall."
        ),
        Step(
            "See whether the cluster is being changed.",
            run=(
                "az",
                "aks",
                "show",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--query",
                "{power:powerState.code,state:provisioningState}",
            ),
            risk=Risk.READ,
            verify="kubectl get --raw /version answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-cluster-connection-issues-api-server",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    ask="curl -vk --noproxy * https://<api-server-fqdn>:443/livez",
)

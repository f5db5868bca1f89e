from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Connections time out: something on the way is blocked, or nothing answers (load balancer, NSG, firewall, pod)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            # What `agnhost connect` prints, with which clusters are tested.
            pattern=r"^TIMEOUT$",
            says="a connection timed out or found no way",
            sample="TIMEOUT",
            near_miss="TIMEOUT by nobody",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"curl: \(28\) |(?i:Failed to connect to (?P<host>[\w.:-]+) port (?P<port>\d+)[^:]{0,40}: (?:Connection )?Timed out)",
            says="a connection timed out",
            sample="curl: (28) Failed to connect to 10.81.1.4 port 80 after 21033 ms: Timed out",
            near_miss="* Connected to 20.62.1.4 (20.62.1.4) port 80 (#0)",
            weight=SYMPTOM,
        ),
        Signature(
            # As Go, Node.js, Java, Python, databases and NGINX say it.
            pattern=r"dial tcp (?P<host>[\d.]+|\[[\da-f:]+\]):(?P<port>\d+): (?:i/o timeout|connect(?:ex)?: )|\b(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_(?:CONNECTION_)?TIMED_OUT|ERR_ADDRESS_UNREACHABLE|NS_ERROR_NET_TIMEOUT)\b|\bnc: (?:connect to )?\S{3,200} .{0,60}?timed out|(?i:\bconnect(?:ion)? timed out\b)|(?i:\bno route to host\b)|(?i:network is unreachable)|NoRouteToHostException|\[Errno 11[03]\]|ConnectTimeoutError|Can't connect to MySQL server on .{3,100}? \((?:110|60)|Can't reach database server at |MongoServerSelectionError: .{0,60}?timed out|It was not possible to connect to the redis|A network-related or instance-specific error occurred|A connection attempt failed because the connected party did not|port \d+ failed: timeout expired|: Read timed out\. \(|net/http: TLS handshake timeout|Client\.Timeout exceeded while awaiting headers|failed: Connection timed out|Unable to connect to the remote server|The connection attempt failed\.|Timeout connecting to server|timed out \(configured timeouts|ORA-12170|BrokerUnreachableException|Broker transport failure|(?i:handshake timed out)|HttpClient\.Timeout of|exceeded the configured timeout of|Connection Timeout Expired|TcpTestSucceeded ?: False|TCP connect to \(\S{3,60} : \d+\) failed|dial error \(timeout|failed to connect to .{1,200}?(?:i/o timeout|context deadline exceeded|timed out)|(?:dial|connect)\w* .{0,80}?: context deadline exceeded|connection #\d+ to \S{3,120} timed out after|Destination Host Unreachable|[1-9]\d* packets transmitted, 0 received|wget: download timed out|Failed to connect to (?:/)?[\d.]+:\d+",
            says="a connection timed out or found no way",
            sample='time="2026-03-04T10:02:03Z" level=error msg="cannot reach the database" error="dial tcp 10.20.0.4:5432: i/o timeout"',
            near_miss='time="2026-03-04T10:02:03Z" level=info msg="connected" address="10.20.0.4:5432"',
            unless=r"(?i:probe)|\.sock\b|(?i:connection refused)|/healthz?\b|node status|\bleases?\b|error dialing backend|error reading from server|Test Analysis|:10250\b|:10255/[a-z]",
            weight=SYMPTOM,
            common=True,
            ended_by=r"(?i)\bsucceeded after (?:\d+ )?(?:a )?(?:retr(?:y|ies)|attempts?)\b",
        ),
        Signature(
            pattern=r"upstream timed out \(110: [\w ]{3,40}\) while connecting to upstream|504 Gateway Time-out.{0,160}?<center>nginx|reset reason: connection timeout|before_response_started\{connection_timeout",
            says="a proxy gets no connection to its backend",
            sample='2026/03/04 10:02:03 [error] 34#34: *1289 upstream timed out (110: Operation timed out) while connecting to upstream, client: 10.240.0.5, upstream: "http://10.244.1.7:8080/"',
            near_miss="2026/03/04 10:02:03 [error] 34#34: *1289 upstream timed out (110: Operation timed out) while reading response header from upstream",
            weight=SYMPTOM,
            common=True,
        ),
    ),
    why="A connection that times out, rather than being refused, had its packets dropped: by a network security group, a firewall, a network policy or a wrong route, or by pods that are restarting (intermittent timeouts).",
    remedy=(
        Step(
            "See whether the service has healthy endpoints.",
            run=("kubectl", "get", "endpointslices", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "See which rule decides on the way to the nodes.",
            run=(
                "az",
                "network",
                "nic",
                "list-effective-nsg",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<nic>",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/custom-nsg-blocks-traffic",
    ),
    vague=True,
)

from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program is refused by what it depends on (connection refused)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            # What `agnhost connect` prints, with which clusters are tested.
            pattern=r"^REFUSED$",
            says="a connection was refused",
            sample="REFUSED",
            near_miss="REFUSED by nobody",
            weight=SYMPTOM,
        ),
        Signature(
            # As curl, Go, Node.js, Java, Python and databases say it.
            pattern=r"curl: \(7\) Failed to connect to (?P<host>[\w.-]+) port (?P<port>\d+)[^:]{0,40}: (?:Connection refused|Couldn't connect)|(?i:\bconnection refused\b)|\b(?:ECONNREFUSED|(?:NS_ERROR|ERR)_CONNECTION_REFUSED)\b|Flags \[R\.\], seq 0, ack 1\b|Flags \[R\.\], seq 0, ack \d+, win 0, length 0|(?i:actively refused it)|Connection to (?P<server>[\w.-]+:\d+) refused|\[Errno 111\]|Can't connect to (?:local )?MySQL server .{3,100}? \(111|Broker may not be available|ORA-12541|(?i:\bconnect refused\b)|Cannot execute request on any known server|Connect call failed \('",
            says="a connection was refused",
            sample="Error: connect ECONNREFUSED 10.0.120.15:6379",
            near_miss="Connected to 10.0.120.15:6379",
            unless=r"(?i:probe)|\.sock\b|/(?:healthz?|readyz|livez)\b|error dialing backend|:1025[05]\b|^dial tcp \S{3,60}:[489]?443: connect: connection refused$",
            ended_by=r"(?i)\bconnected\b|connection (?:established|restored)|listening on|\bready\b",
            weight=SYMPTOM,
            common=True,
        ),
    ),
    why="The address was reached and refused the connection at once: the service has no ready pod behind it (kube-proxy answers for it), its target port is not the one on which the program listens, or the other program is not up yet. It is no firewall: that would let the connection time out.",
    remedy=(
        Step(
            "See whether the service has endpoints.",
            run=("kubectl", "get", "endpointslices", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "See whether the pods behind it are ready, and on which port they listen.",
            run=("kubectl", "get", "pods", "-A", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the address, the port or the selector, or bring the other program up.",
            verify="the program connects",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",),
    ask="kubectl get endpointslices -A",
    vague=True,
)

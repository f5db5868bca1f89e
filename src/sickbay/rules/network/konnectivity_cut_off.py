from sickbay.rulekit import (
    TYPICAL,
    Category,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
)

RULE = Rule(
    title="The konnectivity agents cannot open their tunnel to the API server (blocked, or ALPN removed)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"TLS key negotiation failed to occur within \d+ seconds|aks-link.{0,200}?(?:Connection timed out|TLS Error)|(?i:tunnelfront.{0,60}?failure to connect the tunnel)|tunnelfront.{0,200}?(?:Connection timed out|Connection refused)|(?:cannot (?:connect|sync) once|[Cc]annot connect to (?:the )?proxy server|[Ff]ailed to connect to proxy server|error dialing? (?:the )?proxy server).{0,200}?(?:Error while dialing|authentication handshake failed).{0,200}?(?:i/o timeout|connection refused|no such host|connection reset by peer|missing selected ALPN property|x509: |EOF|context deadline exceeded)",
            says="a konnectivity agent cannot connect to the API server",
            sample='E1116 10:11:12.131415 1 clientset.go:186] "cannot connect once" err="rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 20.50.2.7:443: i/o timeout""',
            near_miss='I1116 10:11:12.131415 1 client.go:528] "remote connection EOF"',
            passes=True,
            ended_by=r"sync added client connecting to proxy server|Connect to server",
        ),
        Signature(
            pattern=r"missing selected ALPN property",
            says="a device on the way removed ALPN from the TLS handshake of the tunnel",
            sample='connection error: desc = "transport: authentication handshake failed: credentials: cannot check peer: missing selected ALPN property"',
            near_miss="ALPN: server accepted h2",
            passes=True,
        ),
        Signature(
            pattern=r"(?:\"could not read stream\"|\"Stream recv error\"|\"failure reading stream\"|\"rpc error while reading\").{0,60}?code = Unavailable.{0,300}?(?:connection timed out|connection reset by peer|i/o timeout|keepalive ping failed)",
            says="the tunnel of a konnectivity agent broke off",
            sample='E0719 13:51:09.000000 1 client.go:486] "could not read stream" err="rpc error: code = Unavailable desc = error reading from server: read tcp 10.244.0.5:41234->20.50.60.70:443: read: connection timed out"',
            near_miss='I0719 13:51:09.000000 1 client.go:486] "remote connection EOF"',
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The agents open the tunnel themselves, over TLS on port 443 of the API server with ALPN (HTTP/2). A firewall, security group or route that drops it cuts the tunnel, and so does a proxy or firewall that inspects TLS and removes the ALPN extension or shows its own certificate.",
    remedy=(
        Step(
            "Read what the agents say.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "app=konnectivity-agent",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the name of the API server on port 443 from the nodes, without TLS inspection.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs of a pod answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/tcp-timeouts-kubetctl-third-party-tools-connect-api-server",
    ),
    leads_to=(
        "network.connection_times_out",
        "network.konnectivity_down",
        "network.kubelet_unreachable",
    ),
    ask="kubectl logs -n kube-system deployment/konnectivity-agent --tail=100",
    spreads=True,
)

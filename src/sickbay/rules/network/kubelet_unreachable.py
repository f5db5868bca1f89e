from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server cannot reach kubelets on port 10250 (error dialing backend, tunnel)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            # The tunnel also leads to webhooks and aggregated APIs: its agent says to which port.
            pattern=r"error dialing backend: |error dialing backend.{0,200}?:10250\b|:10250/\S{0,300}?: (?:dial tcp \S{3,80}: (?:i/o timeout|connect: |getsockopt: )|dial tcp \S{0,80}$|net/http: TLS handshake timeout|http: server gave HTTP response to HTTPS client|remote error|context deadline exceeded|net/http: request canceled)",
            says="the API server cannot reach the kubelet of a node",
            sample="Error from server: error dialing backend: dial tcp 10.240.0.4:10250: connect: no route to host",
            near_miss='"error dialing backend" err="dial tcp 10.244.0.17:8443: connect: connection refused" dialID=55 dialAddress="10.244.0.17:8443"',
            unless=r"No agent available",
            passes=True,
        ),
        Signature(
            pattern=r"^no log from the kubelet of (?P<node>[\w.-]{1,253}) within \d+ s$",
            says="the API server gives no log from {node}, whose kubelet it cannot reach, or which is very slow",
            sample="no log from the kubelet of aks-np1-1-vmss000000 within 10 s",
            near_miss="no log from the kubelet of aks-np1-1-vmss000000: container has not started",
            weight=TYPICAL,
        ),
    ),
    why="Logs, exec and port-forward go from the API server through the konnectivity tunnel to port 10250 of the kubelet: the konnectivity-agent pods do not run, an NSG or network policy blocks the port between nodes or the tunnel, or a proxy answers in place of the kubelet (HTTP response to HTTPS client).",
    remedy=(
        Step(
            "See whether the tunnel agents run.",
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
            "Allow port 10250 between the node subnets, and 443 from the nodes to the API server.",
            verify="kubectl logs of a pod on each node answers",
        ),
        Step(
            "Restart the agents.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment/konnectivity-agent",
                "-n",
                "kube-system",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/error-from-server-error-dialing-backend-dial-tcp",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/tunnel-connectivity-issues",
    ),
    leads_to=(),
    ask="kubectl get pods -n kube-system -l app=konnectivity-agent -o wide",
)

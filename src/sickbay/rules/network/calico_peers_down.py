from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Calico has no BGP session with other nodes, so pods of different nodes do not reach each other",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"BIRD is not ready: BGP not established with (?P<peers>[\da-f.:, ]{3,200})|Number of node\(s\) with BGP peering established = 0",
            says="calico-node has no BGP session with {peers}",
            sample="Warning  Unhealthy  3s (x20 over 3m)  kubelet  Readiness probe failed: calico/node is not ready: BIRD is not ready: BGP not established with 10.0.0.5,10.0.0.6",
            near_miss="Number of node(s) with BGP peering established = 2",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"\| (?:node-to-node mesh|node specific|global) \| (?:start|wait|feed|idle|down) \|",
            says="a BGP session of Calico is not established",
            sample="| 10.0.0.6 | node-to-node mesh | start | 16:43:32 | Active Socket: Host is unreachable |",
            near_miss="| 10.0.0.6 | node-to-node mesh | up | 16:43:32 | Established |",
            weight=TYPICAL,
        ),
    ),
    why="Calico tells the nodes by BGP (TCP 179) behind which node each pod range lies. Without a session the routes are missing: the port is blocked between the nodes, calico-node chose the wrong interface as its address, or the peer is down.",
    remedy=(
        Step(
            "See the agents of all nodes (on a node itself, calicoctl node status shows the sessions).",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-o",
                "wide",
                "-l",
                "k8s-app=calico-node",
            ),
            risk=Risk.READ,
        ),
        Step("Allow TCP 179 (and IP protocol 4 or UDP 4789 for the tunnel) between all nodes."),
        Step(
            "If it chose a wrong interface, tell calico-node which to take.",
            run=(
                "kubectl",
                "set",
                "env",
                "daemonset/calico-node",
                "-n",
                "kube-system",
                "IP_AUTODETECTION_METHOD=can-reach=<address>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system shows calico-node READY",
        ),
    ),
    docs=("https://docs.tigera.io/calico/latest/operations/troubleshoot/troubleshooting",),
    leads_to=("kubernetes.probe_bad_answer", "network.connection_times_out"),
    ask="kubectl logs -n kube-system -l k8s-app=calico-node",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="On a node the address of a service leads nowhere, although a pod behind it answers",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"probe on node (?P<node>[\w.-]{1,253}): service (?P<namespace>[\w.-]{1,253})/(?P<service>[\w.-]{1,253}) does not answer on (?P<address>[\da-f.:]{3,60}): (?P<how>i/o timeout|connect: connection refused), though (?P<pod>\S{1,507}) behind it does on (?P<backend>[\da-f.:]{3,60})",
            says="from {node} the service {namespace}/{service} does not answer on {address}, while {pod} behind it answers on {backend}",
            sample="probe on node aks-np1-1-vmss000000: service shop/web does not answer on 10.0.114.9:80: i/o timeout, though shop/web-7b94d-jqwpz behind it does on 10.244.1.3:8080",
            near_miss="probe on node aks-np1-1-vmss000000: pod shop/web-7b94d-jqwpz does not answer on 10.244.1.3:8080: i/o timeout",
        ),
    ),
    why="Pods are reached over the network, services by rules that kube-proxy (or the eBPF programs that stand in for it) writes on every node. When the pod answers and the service does not, the network and the program are well, and the rules on this node are missing, stale or flushed by something else.",
    remedy=(
        Step(
            "See whether kube-proxy runs on the node, and what it says.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "component=kube-proxy",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart it, so that all rules are written anew.",
            run=("kubectl", "rollout", "restart", "daemonset/kube-proxy", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="sickbay diagnose --probe --probe-node {node} finds the service answering",
        ),
        Step(
            "If they go missing again, look for another program on the node that writes iptables or nft rules (a firewall, a security agent, a second network plugin)."
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://kubernetes.io/docs/reference/networking/virtual-ips/",
    ),
    leads_to=(
        "network.name_resolution_fails",
        "network.dns_server_silent",
        "network.connection_times_out",
    ),
    ask="sickbay diagnose --probe --probe-node {node} --probe-host",
)

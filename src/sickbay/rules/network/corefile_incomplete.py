from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Corefile of CoreDNS lacks what answers a name: its zone or the plugin forward (no next plugin found)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:(?P<name>[\w.-]+)\. [A-Z]{1,10}: )?plugin/(?P<plugin>\w+): no next plugin found",
            says="CoreDNS has no plugin that answers for {name}",
            sample="[ERROR] plugin/errors: 2 orders.shop.svc.cluster.local. A: plugin/kubernetes: no next plugin found",
            near_miss="[INFO] plugin/kubernetes: waiting for Kubernetes API before starting server",
        ),
    ),
    why="A question goes from plugin to plugin of its server block. What is not in the zone of the plugin kubernetes falls through to the next one, and there is none: forward was taken out of the block, or the plugin kubernetes names another zone than the cluster's, so that even services are unknown to it.",
    remedy=(
        Step(
            "See the Corefile.",
            run=("kubectl", "get", "configmap", "coredns", "-n", "kube-system", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Let the plugin read `kubernetes cluster.local in-addr.arpa ip6.arpa`, and put `forward . /etc/resolv.conf` behind it (with a server of your own where the node has none).",
            risk=Risk.SAFE,
        ),
        Step(
            "Restart CoreDNS.",
            run=("kubectl", "rollout", "restart", "deployment/coredns", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="nslookup {name} from a pod answers",
        ),
    ),
    docs=("https://coredns.io/plugins/forward/", "https://coredns.io/plugins/kubernetes/"),
    leads_to=("network.dns_server_silent", "network.name_resolution_fails"),
    ask="kubectl get configmap coredns coredns-custom -n kube-system -o yaml",
)

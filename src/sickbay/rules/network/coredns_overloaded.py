from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="CoreDNS is so short of CPU that it answers its own health check late",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"plugin/health: Local health request to \S{3,80} (?:failed|took more than)",
            says="the local health request of CoreDNS fails or is slow",
            sample='[WARNING] plugin/health: Local health request to "http://:8080/health" took more than 1s: 1.5s',
            near_miss="[INFO] plugin/health: Going into lameduck mode",
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="CoreDNS asks itself every second. When the answer fails or takes over a second, the process does not get CPU: its limit is reached, the node is overloaded, or it waits for slow upstreams with many queries open.",
    remedy=(
        Step(
            "Look at CPU of CoreDNS and its nodes.",
            run=(
                "kubectl",
                "top",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "k8s-app=kube-dns",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give CoreDNS more replicas (coredns-autoscaler), move it off busy nodes, and lower the queries: node-local DNS, ndots 2."
        ),
    ),
    leads_to=(
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    docs=("https://learn.microsoft.com/azure/aks/coredns-custom",),
    ask="kubectl top pods -n kube-system -l k8s-app=kube-dns",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="CoreDNS gets more queries than it can forward (concurrent queries exceeded maximum)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.SCALING),
    detect=(
        Signature(
            pattern=r"concurrent queries exceeded maximum (?P<limit>\d+)|Maximum number of concurrent DNS queries reached \(max: (?P<most>\d+)",
            says="CoreDNS refuses queries beyond {limit} at a time",
            sample="[ERROR] plugin/errors: 2 login.microsoftonline.com. A: concurrent queries exceeded maximum 1000",
            near_miss="[INFO] plugin/forward: max_concurrent 1000",
        ),
    ),
    why="CoreDNS forwards only so many queries at a time. A slow upstream server makes them pile up, and clients multiply them: with ndots:5 every outside name is first asked with each search domain, four or five useless queries (answered NXDOMAIN, which is no fault by itself) for each good one.",
    remedy=(
        Step(
            "See how busy CoreDNS is.",
            run=("kubectl", "top", "pods", "-n", "kube-system", "-l", "k8s-app=kube-dns"),
            risk=Risk.READ,
        ),
        Step(
            "In busy workloads write outside names with a final dot, or set dnsConfig ndots to 2, and keep connections open."
        ),
        Step(
            "Give CoreDNS more pods: change the ladder of its autoscaler.",
            run=("kubectl", "edit", "configmap", "coredns-autoscaler", "-n", "kube-system"),
            risk=Risk.SAFE,
            verify="the log of CoreDNS shows no further refusals",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
        "https://learn.microsoft.com/azure/aks/coredns-custom",
    ),
    leads_to=("network.dns_server_silent", "network.name_resolution_fails"),
    ask="kubectl logs -n kube-system -l k8s-app=kube-dns --tail=50",
    spreads=True,
)

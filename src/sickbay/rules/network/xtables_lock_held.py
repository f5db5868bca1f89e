from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Another program holds the xtables lock, so kube-proxy cannot write its iptables rules",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?i)Another app is currently holding the xtables lock|failed to acquire (?:old |new )?iptables lock|could not obtain xtables lock",
            says="the lock of iptables is held by another program",
            sample='E0112 10:11:12.131415 1 proxier.go:1546] "Failed to execute iptables-restore" err="exit status 4 (Another app is currently holding the xtables lock; still 5s 0us time ahead to have a chance to grab the lock...)"',
            near_miss="I0112 10:11:12.131415 1 proxier.go:824] SyncProxyRules complete",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Only one program at a time may change iptables. On nodes with many rules (thousands of services, network policies, a security agent) each change takes seconds, so that kube-proxy does not get the lock in time and new or changed services are not reachable for a while.",
    remedy=(
        Step(
            "See how many services there are, and who else writes iptables on the nodes.",
            run=("kubectl", "get", "daemonsets", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Let the other program write less often, or remove it; on large clusters use IPVS, nftables or Cilium instead of iptables.",
            verify="the log of kube-proxy shows no further failures",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/networking/virtual-ips/",
        "https://learn.microsoft.com/azure/aks/configure-kube-proxy",
    ),
    leads_to=("kubernetes.kube_proxy_down",),
    ask="kubectl logs -n kube-system -l component=kube-proxy --tail=50",
)

from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="LocalDNS (the DNS cache on a node, 169.254.10.10) does not run or cannot start, so names do not resolve there",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bLocalDNSError\b|check_dns_to_localdns|localdns\S{0,40}.{0,120}?(?:Failed with result|Start request repeated too quickly|start operation timed out|failed to start|is not running|did not come online|not ready after|address already in use)|[Ll]ocaldns (?:corefile|slice ?file) (?:either )?does not exist|Failed to (?:regenerate|decode and write) (?:localdns )?corefile|Unable to determine (?:the default route interface|network file) for|lookup \S{1,253} on 169\.254\.(?:10\.1[01]|20\.10):53: (?:read|dial|write)|(?:Error checking dummy device|Failed to add non-existent interface) nodelocaldns|(?:NodeLocal ?DNS|node-local-dns|LocalDNS)\b.{0,240}?\b(?:dns|name) resolution (?:does not|doesn't|no longer|stopped|fails|failing|started failing)|communications error to 169\.254\.(?:10\.1[01]|20\.10)#53|169\.254\.(?:10\.1[01]|20\.10):53: (?:bind: (?:address already in use|cannot assign requested address)|connect: connection refused|i/o timeout)",
            says="the DNS cache of the node does not answer",
            sample="localdns.service: Failed with result 'exit-code'.",
            near_miss="Localdns is online and ready to serve traffic.",
            weight=TYPICAL,
        ),
    ),
    why="With LocalDNS (or NodeLocal DNSCache) pods and node ask a cache on their own node at 169.254.10.10 / 169.254.10.11 (169.254.20.10). When its service is down, or its port 53 is already in use, nothing on that node resolves names, although CoreDNS runs.",
    remedy=(
        Step(
            "See the service on the node.",
            run=(
                "kubectl",
                "debug",
                "node/<node>",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/busybox:1.36",
                "--",
                "chroot",
                "/host",
                "journalctl",
                "-u",
                "localdns",
                "--no-pager",
                "-n",
                "100",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Restart it, or replace the node; correct the LocalDNS profile of the pool where it refuses its configuration.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--localdns-config",
                "localdnsconfig.json",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nslookup kubernetes.default.svc.cluster.local from a pod of that node answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/localdns-custom",
        "https://learn.microsoft.com/azure/aks/dns-concepts",
    ),
    leads_to=(
        "network.dns_server_silent",
        "network.name_resolution_fails",
        "kubernetes.port_in_use",
        "aks.node_dns_fails",
    ),
    ask="kubectl debug node/<node> -it --image=mcr.microsoft.com/azurelinux/busybox:1.36 -- chroot /host systemctl status localdns",
)

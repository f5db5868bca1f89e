from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node has no name servers in resolv.conf (its DHCP lease is gone), so it and CoreDNS resolve nothing",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"# No DNS servers known\b|plugin/forward: no nameservers found",
            says="resolv.conf of the node names no DNS server",
            sample="# operation for /etc/resolv.conf.\n\n# No DNS servers known.",
            near_miss="# operation for /etc/resolv.conf.\n\nnameserver 168.63.129.16",
        ),
    ),
    why="A node learns its DNS servers from the virtual network by DHCP and writes them to resolv.conf, from which CoreDNS and pods with dnsPolicy Default take them. The lease was lost (an update of systemd, a stopped systemd-networkd) or never came, so images cannot be pulled, and a CoreDNS pod that starts there ends at once.",
    remedy=(
        Step(
            "See on the node whether its interface has a lease.",
            run=(
                "kubectl",
                "debug",
                "node/<node>",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "chroot",
                "/host",
                "networkctl",
                "status",
                "eth0",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask for a new lease by a restart of the machine.",
            run=(
                "az",
                "vmss",
                "restart",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-ids",
                "<instance>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="cat /etc/resolv.conf on the node names a server",
        ),
        Step(
            "If it comes back empty, put the node on a newer image.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
        "https://learn.microsoft.com/azure/virtual-network/virtual-networks-name-resolution-for-vms-and-role-instances",
    ),
    leads_to=(
        "network.name_resolution_fails",
        "network.dns_server_silent",
        "kubernetes.coredns_down",
        "kubernetes.crash_loop",
    ),
    ask="cat /etc/resolv.conf on the node",
)

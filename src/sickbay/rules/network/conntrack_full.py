from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The connection tracking table of a node is full (conntrack), so packets are dropped",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"nf_conntrack: (?:nf_conntrack: )?table full, dropping packet|ip_conntrack: table full|CT: Map insertion failed|CT_MAP_INSERTION_FAILED|\bConntrackFull\b|No mapping for NAT masquerade",
            says="a node drops packets because its connection table is full",
            sample="kernel: nf_conntrack: nf_conntrack: table full, dropping packet",
            near_miss="nf_conntrack: 12000 of 262144 entries used",
        ),
    ),
    why="The connection tracking table (conntrack) of the node is full: many short connections, often DNS over UDP or a busy proxy, so that new connections are dropped at random.",
    remedy=(
        Step(
            "See how full it is.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "cat",
                "/proc/sys/net/netfilter/nf_conntrack_count",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Spread the workload over more nodes, reuse connections, or raise netfilter conntrack max in the Linux configuration of a new pool.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "<pool>",
                "--linux-os-config",
                "<file>",
            ),
            verify="the kernel log shows no further dropped packets",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-connection-pods-services-same-cluster",
        "https://learn.microsoft.com/azure/aks/custom-node-configuration",
    ),
    leads_to=("network.connection_times_out",),
    ask="kubectl describe node {node}",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The neighbour (ARP) table of a node overflows, so it no longer reaches pods and nodes at random",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"neighbou?r(?:: \w+)?:? (?:neighbou?r )?table overflow|arp_cache: (?:neighbou?r )?table overflow",
            says="the neighbour table overflows",
            sample="kernel: neighbour: arp_cache: neighbor table overflow!",
            near_miss="kernel: arp_cache: 12 entries",
        ),
    ),
    why="The kernel keeps at most gc_thresh3 entries of neighbours. On large clusters with flat networks a node talks to more addresses than that, and drops packets to those that do not fit.",
    remedy=(
        Step("Raise net.ipv4.neigh.default.gc_thresh1 to 3 in the linuxOSConfig of the node pool."),
        Step(
            "Make a pool with the setting.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "--linux-os-config",
                "<file>",
            ),
            risk=Risk.SAFE,
            verify="the message no longer appears in dmesg",
        ),
    ),
    leads_to=("network.connection_times_out",),
    docs=("https://learn.microsoft.com/azure/aks/custom-node-configuration",),
    ask="kubectl debug node/<node> -it --image=mcr.microsoft.com/cbl-mariner/busybox:2.0",
)

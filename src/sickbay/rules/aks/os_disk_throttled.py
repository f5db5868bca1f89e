from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The disk of the node is at its IOPS or bandwidth limit, so everything on it waits",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:OS|Data|VM (?:Cached|Uncached)) ?Disk (?:IOPS|Bandwidth|IOPS and bandwidth) Consumed Percentage\W{1,40}(?:9[5-9](?:\.\d+)?|100(?:\.0+)?)\b|\b(?:131072|262144|524288|1048576|2097152) ?-> ?\d+ ?: ?[1-9]\d*\b.{0,60}?\|?\*",
            says="the disk of a node is at its limit",
            sample="OS Disk IOPS Consumed Percentage 99.8 aks-np1-12345678-vmss_2",
            near_miss="OS Disk IOPS Consumed Percentage 12.4 aks-np1-12345678-vmss_2",
            weight=TYPICAL,
        ),
    ),
    why="Azure caps IOPS and throughput of each disk and of each VM size. Logs, image pulls, emptyDir volumes and containerd share the OS disk; at the cap I/O takes hundreds of milliseconds, the kubelet's PLEG misses its deadline, and the node can turn NotReady.",
    remedy=(
        Step(
            "See how near the disk is to its limits.",
            run=(
                "az",
                "monitor",
                "metrics",
                "list",
                "--resource",
                "<scale-set-id>",
                "--metric",
                "OS Disk IOPS Consumed Percentage",
                "--aggregation",
                "Maximum",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Find the container that writes so much.",
            run=(
                "kubectl",
                "gadget",
                "run",
                "top_blockio",
                "--sort",
                "-bytes",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Move to a pool with ephemeral OS disks, a larger disk or a larger size, and put heavy writes on volumes of their own.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--node-osdisk-type",
                "Ephemeral",
                "--node-vm-size",
                "<size>",
            ),
            risk=Risk.SAFE,
            verify="the consumed percentage wants to stay below 90",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/identify-high-disk-io-latency-containers-aks",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-after-being-healthy",
    ),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.runtime_down",
        "aks.image_pull_slow",
    ),
    ask="az monitor metrics list --resource <scale-set-id> --metric 'OS Disk IOPS Consumed Percentage' --aggregation Maximum -o table",
)

from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Pulling an image takes many minutes: the image is large or the OS disk of the node is at its limit",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"Successfully pulled image .{1,300}? in (?P<pulling>(?:\d+h)?(?:[5-9]|\d{2,})m[\d.]+s)\b",
            says="the pull took {pulling}",
            sample='Normal Pulled 2m kubelet Successfully pulled image "shop.azurecr.io/cart:1" in 12m3.4s (12m3.4s including waiting). Image size: 9123451234 bytes.',
            near_miss='Normal Pulled 2m kubelet Successfully pulled image "shop.azurecr.io/cart:1" in 12.4s (12.4s including waiting).',
            weight=TYPICAL,
        ),
    ),
    why="An image is downloaded and unpacked on the OS disk of the node. Many or large images at once use up the IOPS or throughput of that disk or of the VM size, and each pull becomes slower; ephemeral OS disks and larger sizes have more.",
    remedy=(
        Step(
            "See the sizes of the images, and how busy the OS disk is (metric OS Disk Bandwidth Consumed Percentage).",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "reason=Pulled",
                "--sort-by",
                ".lastTimestamp",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the image smaller, stream it (artifact streaming), or use a pool with ephemeral OS disks.",
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
            ),
            risk=Risk.SAFE,
            verify="the event Pulled wants a time below a minute",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/container-image-pull-performance",
    ),
    leads_to=("kubernetes.container_creating_stuck",),
    ask="kubectl get events -A --field-selector reason=Pulled -o json",
)

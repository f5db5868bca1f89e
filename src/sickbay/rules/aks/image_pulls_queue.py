from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Image pulls wait for each other on the node (serializeImagePulls)",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"Successfully pulled image .{1,300}? in (?P<pulling>\d{1,3}ms|[1-5]?\d(?:\.\d+)?s) \((?P<waiting>(?:\d+h)?(?:[2-9]|\d{2,})m[\d.]+s) including waiting\)",
            says="the pull took {pulling}, and {waiting} with the waiting",
            sample='Normal Pulled 2m kubelet Successfully pulled image "shop.azurecr.io/cart:1" in 3.4s (5m10.2s including waiting). Image size: 1234 bytes.',
            near_miss='Normal Pulled 2m kubelet Successfully pulled image "shop.azurecr.io/cart:1" in 3.4s (3.4s including waiting). Image size: 1234 bytes.',
            weight=TYPICAL,
        ),
    ),
    why="Before Kubernetes 1.31 the kubelet of an AKS node pulls one image at a time, so that a large image delays every other pod that starts there. The event tells it: the pull itself took seconds, the time including waiting minutes.",
    remedy=(
        Step(
            "See the pulls of the last hour.",
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
            "Upgrade to 1.31 or newer, where pulls run side by side.",
            run=(
                "az",
                "aks",
                "upgrade",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--kubernetes-version",
                "<version>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step("Make large images smaller, or stream them (artifact streaming)."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/container-image-pull-performance",
    ),
    leads_to=("kubernetes.container_creating_stuck",),
    ask="kubectl get events -A --field-selector reason=Pulled -o json",
)

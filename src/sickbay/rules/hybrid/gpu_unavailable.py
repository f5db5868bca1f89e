from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No host of Azure Local has a free GPU (or GPU partition) of the kind that the node pool asks for",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:no|not enough|insufficient) (?:available |free |suitable )?GPUs?\b.{0,120}?(?:host|node|rpc error|OutOf\w*Capacity|pool|machine)|\b(?:host|node|rpc error|node ?pool|virtual ?machine)\b.{0,160}?\bGPUs?\b.{0,60}?(?:not available|unavailable|exhausted|OutOf\w*Capacity|none (?:left|free))",
            says="no GPU is free",
            sample="Failed to create node: No available GPU of type A2 on any host. rpc error: OutOfCapacity",
            near_miss="Created node with GPU of type A2 on host n1",
            unless=r"(?i)nvidia\.com/gpu|nodes are available",
            weight=TYPICAL,
        ),
    ),
    why="A node with a GPU size needs a free device of that model on one host, given to MOC by DDA or partitioning on every machine. When all are taken, a driver is missing or hosts differ, the machine finds no place.",
    remedy=(
        Step(
            "See the devices of the hosts.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNode | ForEach-Object { Get-VMHostAssignableDevice -ComputerName $_ }",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Free a device, lower the count of the pool or choose a size whose GPU the hosts have.",
            risk=Risk.DISRUPTIVE,
            verify="az aksarc nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/deploy-gpu-node-pool",),
    ask="powershell -Command Get-VMHostAssignableDevice",
)

from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The snapshot for the node pool or cluster cannot be used: it is gone, or of another OS, version or region",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)(?:(?:agent|node) ?-?pool|cluster) ?snapshot\b.{0,300}?(?:not found|(?:does|do) not (?:match|exist|fit)|doesn't match|not (?:supported|allowed|compatible)|differs|must be|is invalid)|ContainerService/(?:managedcluster)?snapshots/(?P<snapshot>[\w.-]+).{0,200}?(?:not found|(?:does|do) not (?:match|exist|fit)|doesn't match|not (?:supported|allowed|compatible)|must be|is invalid)|--snapshot-id\b.{0,100}?(?:not found|invalid|cannot|must)",
            says="a pool cannot be made from the snapshot[ {snapshot}]",
            sample="BadRequest: Node pool snapshot snap1 has osSKU Ubuntu, which does not match the osSKU AzureLinux of the request.",
            near_miss="Node pool snapshot snap1 was taken from pool np1 with osSKU Ubuntu",
            weight=TYPICAL,
            unless=r"(?i)VolumeSnapshot|snapshot\.storage|compute/snapshots",
        ),
    ),
    why="A snapshot keeps the node image, the OS and the Kubernetes version of one pool. A pool or cluster is made from it only in the same region, with the same OS and image family, with a VM size of the same generation and architecture, and while its versions are still supported.",
    remedy=(
        Step(
            "See what the snapshot holds.",
            run=("az", "aks", "nodepool", "snapshot", "list", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Make the pool with the OS, SKU and version of the snapshot, or take a new one of a pool that fits.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/node-pool-snapshot",),
    leads_to=("aks.operation_failed", "aks.request_refused"),
    ask="az aks nodepool snapshot list -o json",
)

from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A cluster shared volume of Azure Local is paused or offline: its storage does not answer in time",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Cluster Shared Volume '?[^']{1,80}'?.{0,60}?(?:has entered a paused state|is no longer (?:accessible|available)|is offline|was not (?:found|available))|STATUS_IO_TIMEOUT\b.{0,80}?(?:volume|I/O)|\bCSV\b.{0,60}?(?:paused|offline|not accessible)",
            says="a volume is paused",
            sample="Cluster Shared Volume 'Volume1' has entered a paused state because of 'STATUS_IO_TIMEOUT(c00000b5)'.",
            near_miss="Cluster Shared Volume 'Volume1' is no longer paused.",
            weight=TYPICAL,
        ),
    ),
    why="Disks of nodes and images lie on cluster shared volumes. When the storage pool degrades, a disk or network fails or I/O times out, the cluster pauses the volume; machines on it freeze or stop until it is back.",
    remedy=(
        Step(
            "See volumes, pool and disks.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterSharedVolume; Get-VirtualDisk; Get-PhysicalDisk | Where-Object HealthStatus -ne Healthy; Get-StorageJob",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair the disk or storage network that fails and wait for the repair jobs; then bring the volume online.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterSharedVolume | Resume-ClusterResource",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-ClusterSharedVolume wants Online",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/windows-server/high-availability/event-id-5120-cluster-shared-volume-troubleshooting-guidance",
    ),
)

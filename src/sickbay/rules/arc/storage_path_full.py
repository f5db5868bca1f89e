from sickbay.model.privatecloud import StorageContainer
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# A node of the smallest size needs more than this.
_LEAST_GIB = 10


@each(StorageContainer)
def has_no_room(path: StorageContainer, snapshot: Snapshot) -> Match | Clear | None:
    free = path.free_gib
    if free is None:
        return None
    if free >= _LEAST_GIB:
        return Clear(f"{path.name} has {free:.0f} GiB free")
    others = [other for other in snapshot.some(StorageContainer) if (other.free_gib or 0) > free]
    roomiest = max(others, key=lambda other: (other.free_gib or 0, other.name), default=None)
    elsewhere = f", and {roomiest.name} has {roomiest.free_gib:.0f}" if roomiest else ""
    return Match(
        f"{path.name} has {free:.1f} GiB free{elsewhere}",
        cites=(path.cite("properties.status.availableSizeMB", f"{free * 1024:.0f}"),),
    )


RULE = Rule(
    title="The storage path of Azure Local is full: there is not enough space on the disk",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        has_no_room,
        Signature(
            pattern=r"(?i)(?:system failed to create|moc-operator|storage ?(?:path|container)|galleryimage|virtualharddisk|virtualmachine|ClusterStorage|wssd|mocerr|Azure Local|AzureStackHCI).{0,300}?not enough space on the disk|not enough space on the disk.{0,200}?(?:storage ?(?:path|container)|ClusterStorage|galleryimage|virtualharddisk|AzureStackHCI)",
            says="a storage path has no space left",
            sample="The system failed to create contoso-vm: There is not enough space on the disk.",
            near_miss="There is not enough space on the disk of the laptop",
        ),
    ),
    why="VMs, disks, images and AKS nodes go to the first storage path unless one is chosen (and in release 2506 new AKS nodes all go to one). When that path is full, the creation fails with `There is not enough space on the disk`, although other paths have room.",
    remedy=(
        Step(
            "See the free space of the storage paths.",
            run=(
                "az",
                "stack-hci-vm",
                "storagepath",
                "list",
                "-g",
                "{resource_group}",
                "--query",
                "[].{name:name,free:status.availableSizeMB}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create with another path, or free the full one.",
            run=(
                "az",
                "stack-hci-vm",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--storage-path-id",
                "<storage-path-id>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "For AKS nodes that release 2506 puts on one path, run the remediation of the support module on a node.",
            run=(
                "powershell",
                "Invoke-SupportAksArcRemediation",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",
        "https://learn.microsoft.com/azure/azure-local/manage/create-storage-path",
    ),
    leads_to=(
        "aks.operation_failed",
        "kubernetes.disk_full",
    ),
)

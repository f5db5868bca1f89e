from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A disk, image or folder of MOC on Azure Local is gone: its storage path was deleted or renamed",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)(?:rpc error:|\bmoc\b|mocctl|wssd\w*|moc-operator|VirtualHardDisk|GalleryImage|ClusterStorage|storage ?(?:path|container))\b.{0,400}?The system cannot find the (?P<what>file|path) specified|The system cannot find the (?P<other>file|path) specified.{0,200}?(?:ClusterStorage|VirtualHardDisk|GalleryImage|storage ?container)|Type\[(?:StorageContainer|VirtualHardDisk)\].{0,200}?Not Found|(?:moc-operator|VHDX?|VirtualHardDisk).{0,300}?The network path was not found|0x80070035.{0,200}?(?:VHDX?|moc)",
            says="a file or folder of MOC does not exist any more",
            sample=r"rpc error: code = Unknown desc = Failed to attach VirtualHardDisk 'C:\ClusterStorage\UserStorage_2\aks\disk1.vhdx': The system cannot find the path specified",
            near_miss=r"Attached VirtualHardDisk 'C:\ClusterStorage\UserStorage_2\aks\disk1.vhdx'",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:storage ?(?:container|path)|ClusterStorage)\b.{0,200}?(?:is not accessible|not accessible|The device is not ready|is offline|is unavailable|(?:does not|doesn't) exist|not reachable)(?P<what>)",
            says="the storage path is not there",
            sample="storage container 'UserStorage1' path C:\\ClusterStorage\\UserStorage_1 is not accessible: The device is not ready",
            near_miss="storage container 'UserStorage1' path C:\\ClusterStorage\\UserStorage_1 is online",
            unless=r"(?i)Microsoft\.Storage|blob",
            weight=TYPICAL,
        ),
    ),
    why="MOC remembers disks, images and storage paths by their place on the cluster shared volumes. When a volume or folder is deleted or renamed by hand, what stood on it is lost, and every machine, image or volume that would be made there fails.",
    remedy=(
        Step(
            "Compare the storage paths with the folders that exist.",
            run=("az", "stack-hci-vm", "storagepath", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Bring the volume back under its old path, or remove the storage path in Azure and make a new one; node pools whose disks are lost have to be made anew.",
            risk=Risk.DISRUPTIVE,
            verify="az stack-hci-vm storagepath list wants Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/delete-storage-volume",),
    ask="az stack-hci-vm storagepath list -o json",
)

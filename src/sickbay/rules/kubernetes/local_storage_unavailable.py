from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Container Storage finds no free local disk on the node for a volume (localdisk.csi.acstor.io)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"\bProvisioning(?P<part>PhysicalVolume|VolumeGroup|LogicalVolume)Failed\b|localdisk\.csi\.acstor\.io.{0,400}?(?:code = ResourceExhausted|no disks (?:found|are available)|no devices found)",
            says="a local volume could not be made",
            sample='failed to provision volume with StorageClass "local": rpc error: code = ResourceExhausted desc = localdisk.csi.acstor.io: resource exhausted: no disks are available',
            near_miss="Normal  ProvisionedLogicalVolume  localdisk.csi.acstor.io  Successfully provisioned logical volume pvc-1",
        ),
    ),
    why="The driver makes its volumes on the NVMe disks of the very node on which the pod is placed. The VM size has none, they are used for ephemeral OS disks or by another program (an earlier LVM group), or the volumes that are there take all the space.",
    remedy=(
        Step(
            "See what local capacity each node offers.",
            run=("kubectl", "get", "csistoragecapacities", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "See the events of the claim; they name the node and the disk.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "{namespace}",
                "--field-selector",
                "involvedObject.kind=PersistentVolumeClaim",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a node pool of a size with local NVMe (L series, or one of the others that have it) and managed OS disks, ask for less, or delete volumes that are no longer needed.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/storage/container-storage/use-container-storage-with-local-disk",
    ),
    leads_to=("kubernetes.claim_unbound", "kubernetes.mount_failed"),
    ask="kubectl get csistoragecapacities -A -o yaml",
)

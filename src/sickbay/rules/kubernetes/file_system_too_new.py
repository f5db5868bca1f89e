from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kernel of the node is too old for the features of the file system on a volume (incompatible features)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"[Ss]uperblock has unknown (?:read-only compatible|incompatible) features",
            says="the kernel does not know all features of the file system",
            sample="XFS (sdc): Superblock has unknown incompatible features (0x20) enabled.",
            near_miss="XFS (sdc): Mounting V5 Filesystem",
        ),
    ),
    why="The file system was made by newer tools (mkfs of the driver's image, another node) with features that the kernel of this node does not know, so it refuses to mount a disk that is whole. Nodes with an older image see it first, and XFS more often than ext4.",
    remedy=(
        Step(
            "See the kernels and images of the nodes.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Bring the pool to an image with a newer kernel.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the pod is Running",
        ),
        Step(
            "Or let the storage class make ext4 (fsType), and restore the data into a new volume."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/azure-csi-disk-storage-provision",
        "https://learn.microsoft.com/azure/aks/node-image-upgrade",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get nodes -o wide",
)

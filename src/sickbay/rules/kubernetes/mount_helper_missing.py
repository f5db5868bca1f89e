from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node lacks the mount helper of the volume's file system (nfs, cifs, blobfuse)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(
        Signature(
            # What mount says of an export when it has no helper for it.
            pattern=r"mount: \S{1,300}: (?:cannot mount [\w.-]{3,120}:/\S{1,200} read-only|special device [\w.-]{3,120}:/\S{1,200} does not exist)",
            says="the machine lacks the helper that mounts NFS (nfs-common, nfs-utils)",
            sample="mount: /mnt/adls: cannot mount shop.blob.core.windows.net:/shop/data read-only.",
            near_miss="mount: /mnt/adls: WARNING: device write-protected, mounted read-only.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"you might need a /sbin/mount\.(?:<type>|(?P<type>\w+)) helper program|exec: \"(?P<helper>blobfuse2?|mount[\w.]*|amlfs\S*)\": executable file not found|bad superblock on (?://)?[\w.-]+[:/]/?\w\S{0,200}?, missing codepage or helper program|cifs filesystem not supported by the system|mount: (?:\S{1,300}: )?unknown filesystem type '(?P<other>\w+)'",
            says="the node cannot mount this kind of file system",
            sample="Output: mount: /var/lib/kubelet/pods/1/volumes/nfs: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.",
            near_miss="Output: mount.nfs: Connection timed out",
        ),
    ),
    why="To mount NFS or CIFS the node needs the client programs (nfs-common, cifs-utils); this node image does not have them, because in-tree volumes are used on a node that was not made by AKS, or the image is not of a supported OS.",
    remedy=(
        Step(
            "See the OS of the nodes.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use the CSI driver of the storage (file.csi.azure.com, blob.csi.azure.com, nfs.csi.k8s.io), which brings the client, instead of an in-tree nfs or azureFile volume.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/azure/aks/csi-storage-drivers",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A disk is mounted with uid or gid mount options that its file system does not know",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"mount(?:ing)?.{0,500}?(?:dir_mode|file_mode|[,= ]uid|[,= ]gid).{0,600}?wrong fs type, bad option",
            says="a disk is mounted with options of a file share",
            sample="Mounting arguments: mount -t xfs -o dir_mode=0777,file_mode=0777,uid=1000,gid=1000,defaults /dev/disk/azure/scsi1/lun2 /var/lib/kubelet/x Output: mount: wrong fs type, bad option, bad superblock on /dev/sde",
            near_miss="mount -t cifs -o dir_mode=0777 //a.file.core.windows.net/b /mnt succeeded",
        ),
    ),
    why="The mount options uid, gid, dir_mode and file_mode belong to SMB shares; ext4 and xfs disks do not know them, and mount answers with wrong fs type, bad option.",
    remedy=(
        Step(
            "Take the options out of the storage class or the volume, and set fsGroup or an init container instead.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "See the options that are set.",
            run=("kubectl", "get", "pv,storageclass", "-o", "yaml"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/failure-setting-azure-disk-mount-options-uid-gid",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get storageclass -o yaml",
)

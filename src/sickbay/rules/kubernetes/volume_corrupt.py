from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The file system on a volume is damaged (fsck, superblock), so it cannot be mounted",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"'?fsck'? found errors on device .{0,100}?could not correct them|Structure needs cleaning|can't read superblock|UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY|superblock .{0,60}?corrupt",
            says="the file system of a volume has errors that were not corrected",
            sample="MountVolume.MountDevice failed for volume \"pvc-0d7740b9\" : rpc error: code = Internal desc = 'fsck' found errors on device /dev/sdc but could not correct them: fsck from util-linux 2.37.2",
            near_miss="fsck from util-linux 2.37.2 /dev/sdc: clean, 11/524288 files",
        ),
        Signature(
            pattern=r"wrong fs type, bad option, bad superblock on (?P<disk>/dev/\S{1,100}?),",
            says="{disk} does not hold the file system that is expected",
            sample="mount: /var/lib/kubelet/plugins/kubernetes.io/csi/disk.csi.azure.com/1/globalmount: wrong fs type, bad option, bad superblock on /dev/sdc, missing codepage or helper program, or other error.",
            near_miss="mount: /mnt: wrong fs type, bad option, bad superblock on 10.0.0.4:/export, missing codepage or helper program, or other error.",
            weight=TYPICAL,
            unless=r"dir_mode|file_mode|[,= ][ug]id=|unknown incompatible features",
        ),
    ),
    why="The node checks a disk before it mounts it, and fsck found damage that it may not repair unasked: the disk was detached while it was written (a node that died, a forced detach). A disk whose file system is another than the fsType of its class is refused in the same words.",
    remedy=(
        Step(
            "Find the disk of the volume.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "custom-columns=NAME:.metadata.name,DISK:.spec.csi.volumeHandle",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take a snapshot of the disk first.",
            run=(
                "az",
                "snapshot",
                "create",
                "-g",
                "{node_resource_group}",
                "-n",
                "<snapshot>",
                "--source",
                "<disk-id>",
            ),
        ),
        Step(
            "Attach the disk to a helper VM, repair it there (fsck -y or xfs_repair), and detach it again.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step("Or restore the volume from a snapshot or backup.", risk=Risk.DISRUPTIVE),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://kubernetes.io/docs/concepts/storage/volumes/",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)

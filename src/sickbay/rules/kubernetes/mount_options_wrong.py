from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import DISK_DRIVER, PersistentVolume, StorageClass
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_FOREIGN = ("uid=", "gid=", "dir_mode=", "file_mode=")
_DISKS = (DISK_DRIVER, "kubernetes.io/azure-disk")


@each(PersistentVolume)
def has_foreign_options(volume: PersistentVolume, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    foreign = _foreign(volume.spec.mount_options) if volume.driver == DISK_DRIVER else ""
    if not foreign:
        return Clear(f"volume {volume.name} has no options of CIFS on a disk")
    return Match(
        f"volume {volume.name} is a disk and has the mount options {foreign} of CIFS",
        facts={"volume": volume.name},
        cites=(volume.cite("spec.mountOptions", foreign),),
    )


@each(StorageClass)
def makes_foreign_options(found: StorageClass, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    foreign = _foreign(found.mount_options) if found.provisioner in _DISKS else ""
    if not foreign:
        return Clear(f"class {found.name} gives disks no options of CIFS")
    return Match(
        f"class {found.name} makes disks and gives them the mount options {foreign} of CIFS",
        facts={"volume": "<volume>"},
        cites=(found.cite("mountOptions", foreign),),
    )


def _foreign(options: list[str] | None) -> str:
    parts = [part.strip() for option in options or () for part in option.split(",")]
    return ",".join(part for part in parts if part.startswith(_FOREIGN))


RULE = Rule(
    title="A disk is mounted with uid or gid mount options that its file system does not know",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        has_foreign_options,
        makes_foreign_options,
        Signature(
            pattern=r"mount(?:ing)?.{0,500}?(?:dir_mode|file_mode|[,= ]uid|[,= ]gid).{0,600}?wrong fs type, bad option",
            says="the mount options of a disk are not valid for its file system",
            sample='MountVolume.MountDevice failed for volume "pvc-d783d0e4" : mount failed: exit status 32 Mounting arguments: mount -t xfs -o dir_mode=0777,file_mode=0777,uid=1000,gid=1000,defaults /dev/disk/azure/scsi1/lun2 /var/lib/kubelet/x Output: mount: wrong fs type, bad option, bad superblock on /dev/sdd',
            near_miss='MountVolume.MountDevice failed for volume "pvc-d783d0e4" : mount failed: exit status 32 Mounting arguments: mount -t ext4 -o defaults /dev/sdd /x Output: mount: /x: no such device',
        ),
    ),
    why="The options uid, gid, dir_mode and file_mode belong to CIFS (Azure Files); ext4 and xfs on an Azure disk do not know them, and the mount fails with wrong fs type, bad option.",
    remedy=(
        Step(
            "See the options of the classes.",
            run=(
                "kubectl",
                "get",
                "storageclass",
                "-o",
                "custom-columns=NAME:.metadata.name,PROVISIONER:.provisioner,OPTIONS:.mountOptions",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove those options from the class (delete and make it again) and from the volume, and set owner and group by securityContext (runAsUser, fsGroup) of the pod.",
            run=(
                "kubectl",
                "patch",
                "pv",
                "{volume}",
                "--type",
                "json",
                "-p",
                '[{"op":"remove","path":"/spec/mountOptions"}]',
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/failure-setting-azure-disk-mount-options-uid-gid",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get pv -o json",
)

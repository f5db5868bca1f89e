from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import DISK_DRIVER, PersistentVolumeClaim, StorageClass
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_SHARED = ("ReadWriteMany", "ReadOnlyMany")


@each(PersistentVolumeClaim)
def wants_shared_disk(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    modes = [mode for mode in claim.spec.access_modes or () if mode in _SHARED]
    if claim.status.phase != "Pending" or not modes or claim.spec.volume_mode == "Block":
        return None
    if not claim.spec.storage_class_name:
        return None
    found = snapshot.get(kube("StorageClass", "", claim.spec.storage_class_name), StorageClass)
    if found is None:
        return None
    if found.provisioner != DISK_DRIVER:
        return Clear(f"class {found.name} of claim {claim.namespace}/{claim.name} makes no disks")
    return Match(
        f"claim {claim.namespace}/{claim.name} asks class {found.name} ({found.provisioner}) for {modes[0]}",
        facts={"claim": claim.name},
        cites=(claim.cite("spec.accessModes", ", ".join(modes)),),
    )


RULE = Rule(
    title="A claim asks for an access mode that its storage cannot give (ReadWriteMany, several nodes, of an Azure disk)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        wants_shared_disk,
        Signature(
            pattern=r"(?i)(?:mountVolume|mount volume) is not supported for access mode: ?(?P<mode>MULTI_NODE\w+)|invalid access mode: \[?.{0,120}?(?P<other>MULTI_NODE\w+)|Volume capability(?:\(\w+\))? not supported|invalid AccessModes \[(?P<asked>[\w ]{3,80})\]: only AccessModes|(?P<multi>MULTI_NODE\w+) AccessMode is not supported|capability at index \d+ is not supported|may not use ReadWriteOncePod with other access modes|access modes? .{0,60}?ReadWriteMany.{0,60}? not supported",
            says="the driver refused the access mode of a claim",
            sample='failed to provision volume with StorageClass "managed-csi": rpc error: code = InvalidArgument desc = mountVolume is not supported for access mode: MULTI_NODE_MULTI_WRITER',
            near_miss='failed to provision volume with StorageClass "managed-csi": rpc error: code = InvalidArgument desc = Could not parse zones',
        ),
    ),
    why="An Azure disk with a file system hangs on one node at a time: ReadWriteOnce. ReadWriteMany and ReadOnlyMany need Azure Files, blob storage, or a shared disk as a raw block device.",
    remedy=(
        Step(
            "See class and access mode of the claim.",
            run=(
                "kubectl",
                "get",
                "pvc",
                "-n",
                "{namespace}",
                "-o",
                "custom-columns=NAME:.metadata.name,CLASS:.spec.storageClassName,MODES:.spec.accessModes",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the claim again with access mode ReadWriteOnce, or with a class of Azure Files (azurefile-csi) when several nodes must write.",
            run=(
                "kubectl",
                "delete",
                "pvc",
                "{claim}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://learn.microsoft.com/azure/aks/concepts-storage",
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes",
    ),
    leads_to=(
        "kubernetes.claim_unbound",
        "kubernetes.pod_pending",
    ),
    ask="kubectl get pvc -A -o json",
)

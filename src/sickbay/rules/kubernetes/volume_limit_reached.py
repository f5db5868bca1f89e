from sickbay.model.kubernetes import Pod
from sickbay.model.placement import is_unschedulable
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import DISK_DRIVER, CSINode, VolumeAttachment
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def finds_full_nodes(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    if not any(volume.persistent_volume_claim for volume in pod.spec.volumes or ()):
        return None
    held = snapshot.once(_held)
    limits = [(node, node.most(DISK_DRIVER)) for node in snapshot.all(CSINode)]
    full = [node for node, most in limits if most is not None and held.get(node.name, 0) >= most]
    if not full or len(full) < len(limits):
        return Clear(f"{len(limits) - len(full)} of {len(limits)} nodes can take another disk")
    first = full[0]
    return Match(
        f"{pod.namespace}/{pod.name} needs a disk, and all {len(full)} nodes are full: {first.name} holds {held[first.name]} of {first.most(DISK_DRIVER)}",
        facts={"most": str(first.most(DISK_DRIVER))},
        cites=(
            first.cite(f"spec.drivers[{DISK_DRIVER}].allocatable.count", first.most(DISK_DRIVER)),
        ),
    )


def _held(snapshot: Snapshot) -> dict[str, int]:
    """How many disks hang on each node."""
    counts: dict[str, int] = {}
    for attachment in snapshot.all(VolumeAttachment):
        if attachment.spec.attacher == DISK_DRIVER:
            counts[attachment.node] = counts.get(attachment.node, 0) + 1
    return counts


RULE = Rule(
    title="The nodes hold as many data disks as their VM size allows (max volume count)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.SCALING,
    ),
    detect=(
        finds_full_nodes,
        Signature(
            pattern=r"node\(s\) exceed(?:ed)? max volume count|maximum number of data disks allowed to be attached to a VM(?: of this size)? is (?P<most>\d+)|(?i:exceeds? the (?:max(?:imum)? )?(?:number|limit) of (?:data )?disks)",
            says="no node can take another disk",
            sample="0/3 nodes are available: 3 node(s) exceed max volume count. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
            near_miss="0/3 nodes are available: 3 node(s) had volume node affinity conflict.",
        ),
    ),
    why="A VM size takes a fixed number of data disks; all eligible nodes have reached it, so a pod with one more disk cannot be placed or its disk not attached.",
    remedy=(
        Step(
            "See how many volumes hang on each node.",
            run=(
                "kubectl",
                "get",
                "volumeattachments",
                "-o",
                "custom-columns=NODE:.spec.nodeName,PV:.spec.source.persistentVolumeName",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add nodes, or a pool of a size that takes more disks.",
            run=(
                "az",
                "aks",
                "nodepool",
                "scale",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-count",
                "<count>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
    ),
    leads_to=(
        "kubernetes.pod_pending",
        "kubernetes.mount_failed",
    ),
    ask="kubectl get volumeattachments",
)

from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import VolumeAttachment
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(VolumeAttachment)
def hangs_on_lost_node(attachment: VolumeAttachment, snapshot: Snapshot) -> Match | Clear | None:
    if not attachment.node:
        return None
    if snapshot.get(kube("Node", "", attachment.node), Node) is not None:
        return Clear(f"node {attachment.node} of attachment {attachment.name} exists")
    return Match(
        f"volume {attachment.volume or attachment.name} is attached to node {attachment.node}, which does not exist any more",
        facts={"attachment": attachment.name, "volume": attachment.volume, "node": attachment.node},
        cites=(attachment.cite("spec.nodeName", attachment.node),),
        # The volume, so that what waits for it is seen to wait for this.
        subject=kube("PersistentVolume", "", attachment.volume) if attachment.volume else None,
    )


RULE = Rule(
    title="A volume is still attached to a node that no longer exists",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(
        hangs_on_lost_node,
        Signature(
            pattern=r"is not allowed when disk is marked for deletion|volume attachment is being deleted|disk .{0,200}? is marked for deletion",
            says="an earlier attachment of the disk is still being removed",
            sample="Disk property change for disk 'pvc-fdae35d9' is not allowed when disk is marked for deletion.",
            near_miss="Disk 'pvc-fdae35d9' is attached",
            weight=TYPICAL,
        ),
    ),
    why="The attachment of a volume is released by the driver when its node lets go. The node was deleted or reimaged before that, so the VolumeAttachment stays, and the disk cannot be attached elsewhere until it is removed (after about six minutes, or never if the detach fails).",
    remedy=(
        Step(
            "See the attachment and its error.",
            run=(
                "kubectl",
                "get",
                "volumeattachment",
                "{attachment}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See that the machine is really gone, then delete the attachment; the driver detaches the disk.",
            run=(
                "kubectl",
                "delete",
                "volumeattachment",
                "{attachment}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get volumeattachments shows the volume on a node that exists",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://kubernetes.io/docs/concepts/architecture/nodes/#non-graceful-node-shutdown",
    ),
    leads_to=(
        "kubernetes.volume_multi_attach",
        "kubernetes.volume_reclaim_failed",
        "kubernetes.mount_failed",
    ),
)

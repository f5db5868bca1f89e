from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(PersistentVolume)
def failed_to_go(volume: PersistentVolume, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if volume.status.phase != "Failed":
        return Clear(f"volume {volume.name} is {volume.status.phase or 'without a phase'}")
    return Match(
        f"volume {volume.name} is Failed: {volume.status.message or 'it could not be reclaimed'}",
        facts={"volume": volume.name},
        cites=(volume.cite("status.phase", volume.status.phase),),
    )


RULE = Rule(
    title="A released volume cannot be deleted (VolumeFailedDelete), so its disk or share is left over",
    severity=Severity.WARNING,
    categories=(Category.STORAGE,),
    detect=(
        failed_to_go,
        Signature(
            pattern=r"\bVolumeFailedDelete\b|Exceeded failedDeleteThreshold threshold: \d+, for volume|persistentvolume (?P<volume>[\w.-]+) is still attached to node (?P<node>[\w.-]+)|(?i:failed to delete (?:persistentvolume|disk)).{0,200}?(?:attached to VM|in use|is attached)",
            says="a volume could not be deleted",
            sample="Warning  VolumeFailedDelete  5s  disk.csi.azure.com_csi-azuredisk-controller  persistentvolume pvc-0d7740b9 is still attached to node aks-np1-31-vmss000002",
            near_miss="Normal  VolumeDeleted  5s  disk.csi.azure.com  deleted volume pvc-0d7740b9",
        ),
    ),
    why="The claim is gone and the reclaim policy is Delete, but Azure refuses to delete the disk or share: it is still attached to a machine, locked, or the identity of the cluster may not delete it.",
    remedy=(
        Step(
            "See what the volume says and where it hangs.",
            run=(
                "kubectl",
                "get",
                "volumeattachments",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Detach it (delete the attachment of a node that is gone), or remove the lock; the controller tries again by itself.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pv shows the volume no longer",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/persistent-volumes/#delete",),
    ask="kubectl get pv -o json",
)

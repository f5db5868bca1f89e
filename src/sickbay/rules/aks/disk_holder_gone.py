from sickbay.model.azure import ScaleSet, ScaleSetInstance, VirtualMachine
from sickbay.model.disks import Disk
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume
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


@each(Disk)
def hangs_on_lost_machine(disk: Disk, snapshot: Snapshot) -> Match | Clear | None:
    """Whether Azure books the disk of a claim on a machine that is not there any more."""
    if not disk.claim or not disk.machines:
        return None
    for id in disk.machines:
        if is_there(arm(id), snapshot):
            continue
        return Match(
            f"disk {disk.name} of claim {disk.claim} is booked on machine {arm(id).name} of {arm(arm(id).parent).name}, which does not exist",
            facts={
                "disk": disk.name,
                "disk_id": disk.id,
                "node_resource_group": disk.ref.group,
                "volume": disk.volume or disk.name,
            },
            cites=(disk.cite("managedBy", id),),
            subject=volume_of(disk, snapshot),
        )
    return Clear(f"the machine that holds {disk.name} exists")


def is_there(machine: Ref, snapshot: Snapshot) -> bool:
    if machine.kind.casefold() != ScaleSetInstance.kind.casefold():
        return snapshot.get(machine, VirtualMachine) is not None
    # Of a scale set that is gone nobody can list the machines.
    if snapshot.find(machine) is None and snapshot.get(arm(machine.parent), ScaleSet) is None:
        return False
    return snapshot.get(machine, ScaleSetInstance) is not None


def volume_of(disk: Disk, snapshot: Snapshot) -> Ref | None:
    """The volume, so that what waits for it is seen to wait for this."""
    volume = kube(PersistentVolume.kind, "", disk.volume)
    return volume if disk.volume and snapshot.find(volume) else None


RULE = Rule(
    title="Azure still books the disk of a volume on a machine that no longer exists",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.NODES),
    detect=(
        hangs_on_lost_machine,
        Signature(
            pattern=r"(?i)(?:attach|detach) ?(?:disk|volume)\b.{0,800}?The provided instanceId (?P<instance>\d+) is not an active Virtual Machine Scale Set VM",
            says="a disk is to be moved from or to instance {instance}, which is gone",
            sample='azureDisk - detach disk(, kubernetes-dynamic-pvc-1) on rg(rg) vm(aks-np1-31-vmss00007f) failed, err: Code="InvalidParameter" Message="The provided instanceId 267 is not an active Virtual Machine Scale Set VM instanceId." Target="instanceIds"',
            near_miss="Auto-repair reimage action failed: The provided instanceId 267 is not an active Virtual Machine Scale Set VM instanceId.",
            weight=TYPICAL,
        ),
    ),
    why="A disk is released when the machine that holds it lets go of it. The machine was deleted while that was under way, so the disk keeps its name in managedBy and counts as attached. Every attempt to attach it to another node is refused, and its pod stays in ContainerCreating.",
    remedy=(
        Step(
            "See on what the disk is booked.",
            run=(
                "az",
                "disk",
                "show",
                "--ids",
                "{disk_id}",
                "--query",
                "[diskState,managedBy]",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether Kubernetes holds it too, and delete that attachment, so that the driver detaches the disk again.",
            run=("kubectl", "get", "volumeattachments"),
            risk=Risk.READ,
        ),
        Step(
            "If it is still booked after ten minutes, save its data: a snapshot can be taken of an attached disk, and a new disk and volume be made of it.",
            run=(
                "az",
                "snapshot",
                "create",
                "-g",
                "{node_resource_group}",
                "-n",
                "{disk}-saved",
                "--source",
                "{disk_id}",
            ),
            risk=Risk.SAFE,
            verify="az disk show --ids {disk_id} --query diskState wants Unattached",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=(
        "kubernetes.volume_multi_attach",
        "kubernetes.volume_reclaim_failed",
        "kubernetes.mount_failed",
    ),
    ask="az disk list -g {node_resource_group} -o json",
)

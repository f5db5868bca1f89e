from sickbay.model.azure import ScaleSetInstance
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(ScaleSetInstance, TYPICAL)
def holds_a_leaving_disk(machine: ScaleSetInstance, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    if (machine.provisioning_state or "").casefold() != "failed":
        return None
    disks = (machine.storage_profile and machine.storage_profile.data_disks) or []
    leaving = next((disk for disk in disks if disk.to_be_detached), None)
    if leaving is None:
        return None
    return Match(
        f"{machine.name or machine.ref.name} is Failed and still holds disk {leaving.name}, which is to be detached",
        facts={
            "node_resource_group": machine.ref.group,
            "scale_set": arm(machine.ref.parent).name,
            "instance": machine.ref.name,
        },
        cites=(machine.cite("properties.storageProfile.dataDisks.toBeDetached", leaving.name),),
    )


RULE = Rule(
    title="A data disk was only partly detached and left the node's VM in a failed state",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.NODES),
    detect=(
        holds_a_leaving_disk,
        Signature(
            pattern=r"(?i)(?:failed to detach|detach(?:ing)?(?: of)?) (?:azure |data |managed )?disk '?(?P<disk>[\w./<>-]+)'? .{0,120}?(?:failed|error|timed out|from node)|\bDetachDiskFailed\b|DetachVolume\.Detach failed for volume|\bAttachDiskWhileBeingDetached\b|disk .{0,80}? (?:is currently|is already) being detached",
            says="a disk could not be detached",
            sample="AttachDiskWhileBeingDetached: Cannot attach data disk 'pvc-9' to VM 'aks-np1-31_4' because the disk is currently being detached or the last detach operation failed.",
            near_miss="detached disk pvc-9 from node aks-np1-31-vmss000004 successfully",
        ),
    ),
    why="In rare cases a detach of an Azure disk completes only in part. The machine then keeps a failed provisioning state, although the node in it may work, and every later operation on it stops.",
    remedy=(
        Step(
            "See the disks of the instance and its state.",
            run=(
                "az",
                "vmss",
                "list-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "{scale_set}",
                "--expand",
                "instanceView",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Push the model to the instance again.",
            run=(
                "az",
                "vmss",
                "update-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "{scale_set}",
                "--instance-ids",
                "{instance}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az vmss list-instances -g {node_resource_group} -n {scale_set} --query [].provisioningState wants only Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.instance_failed",),
)

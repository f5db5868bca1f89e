from sickbay.model.azure import VirtualMachine
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Step, each


@each(VirtualMachine, TYPICAL)
def machine_holds_a_leaving_disk(machine: VirtualMachine, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    if (machine.provisioning_state or "").casefold() != "failed":
        return None
    disks = (machine.storage_profile and machine.storage_profile.data_disks) or []
    leaving = next((disk for disk in disks if disk.to_be_detached), None)
    if leaving is None:
        return None
    return Match(
        f"{machine.name} is Failed and still holds disk {leaving.name}, which is to be detached",
        facts={"node_resource_group": machine.ref.group, "machine": machine.name},
        cites=(machine.cite("properties.storageProfile.dataDisks.toBeDetached", leaving.name),),
    )


RULE = Rule(
    title="A data disk was only partly detached and left a VM of an availability set in a failed state",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.NODES),
    detect=(machine_holds_a_leaving_disk,),
    why="In rare cases a detach of an Azure disk completes only in part. The machine then keeps a failed provisioning state, although the node in it may work, and every later operation on it stops.",
    remedy=(
        Step(
            "Read the status of the machine and of its extensions.",
            run=(
                "az",
                "vm",
                "get-instance-view",
                "-g",
                "{node_resource_group}",
                "-n",
                "{machine}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put the machine to its goal state again; the detach is then carried through.",
            run=("az", "vm", "update", "-g", "{node_resource_group}", "-n", "{machine}"),
            risk=Risk.DISRUPTIVE,
            verify="az vm show -g {node_resource_group} -n {machine} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.machine_failed",),
    ask="az vm get-instance-view -g {node_resource_group} -n {machine} -o json",
)

from sickbay.model.azure import VirtualMachine
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Step, each


def is_bad(state: str | None) -> bool:
    return (state or "").casefold().startswith(("failed", "provisioningstate/failed"))


@each(VirtualMachine, SYMPTOM)
def machine_is_failed(machine: VirtualMachine, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    statuses = (machine.instance_view and machine.instance_view.statuses) or ()
    failed = next((status for status in statuses if is_bad(status.code)), None)
    if failed is None and not is_bad(machine.provisioning_state):
        return None
    code = failed.code if failed else machine.provisioning_state
    part = "properties.instanceView.statuses" if failed else "properties.provisioningState"
    return Match(
        f"{machine.name} is in state {code}",
        facts={"node_resource_group": machine.ref.group, "machine": machine.name},
        cites=(machine.cite(part, code),),
        at=(failed and failed.time) or "",
    )


RULE = Rule(
    title="A virtual machine behind a node of an availability set is in a failed state",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(machine_is_failed,),
    why="A machine that keeps a failed provisioning state blocks the next operation on its pool, whether or not the node in it still works. A cluster on an availability set has single machines, which are mended one by one.",
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
            "Put the machine to its goal state again; this clears a state that has no cause any more.",
            run=("az", "vm", "update", "-g", "{node_resource_group}", "-n", "{machine}"),
            risk=Risk.DISRUPTIVE,
            verify="az vm show -g {node_resource_group} -n {machine} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.pool_failed", "kubernetes.node_not_ready"),
)

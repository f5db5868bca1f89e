from sickbay.model.kubernetes import Node
from sickbay.model.nexus import BareMetalMachine, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_MACHINE = "topology.kubernetes.io/baremetalmachine"


@each(Node)
def host_is_off(node: Node, snapshot: Snapshot) -> Match | Clear | None:
    host = node.labels.get(_MACHINE, "")
    if node.is_ready or not host:
        return None
    machines = snapshot.some(BareMetalMachine)
    machine = next((one for one in machines if same_word(one.name, host)), None)
    if machine is None:
        snapshot.require(BareMetalMachine)
        return None
    # A spare machine (Available) is off by nature, and carries nothing.
    if not same_word(machine.power_state, "Off") or same_word(machine.detailed_status, "Available"):
        return Clear(f"machine {machine.name} of node {node.name} is {machine.power_state}")
    return Match(
        f"node {node.name} is not ready, and its machine {machine.name} is off",
        facts={"node": node.name, "machine": machine.name, "machine_group": machine.ref.group},
        cites=(machine.cite("properties.powerState", machine.power_state),),
    )


RULE = Rule(
    title="A node is down because its bare-metal host lost power, and stateful pods stay bound to it",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(host_is_off,),
    why="The virtual machine of the node went down with its bare-metal machine (power failure). Kubernetes does not move stateful pods and volumes away from a node that may still be running elsewhere, so they stay Pending or Terminating until the node object is deleted.",
    remedy=(
        Step(
            "See that the machine is really off.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "show",
                "-g",
                "{machine_group}",
                "-n",
                "{machine}",
                "--query",
                "{power:powerState,status:detailedStatus}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Cordon it and move its workload away.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "cordon",
                "--evacuate",
                "True",
                "-g",
                "{machine_group}",
                "-n",
                "{machine}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Delete the node object, so that its pods and volumes are released.",
            run=("kubectl", "delete", "node", "{node}"),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get pods -A -o wide wants the pods Running on other nodes",
        ),
        Step("Restore the power of the machine, and uncordon it when it is ready."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-kubernetes-cluster-stuck-workloads-due-to-power-failure",
    ),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.kubelet_silent",
        "kubernetes.pod_stuck_terminating",
        "nexus.volume_publish_failed",
    ),
)

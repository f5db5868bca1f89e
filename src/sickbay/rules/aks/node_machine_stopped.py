from sickbay.model.aks import AgentPool
from sickbay.model.azure import ScaleSet, ScaleSetInstance
from sickbay.model.ids import arm
from sickbay.model.kubernetes import Node
from sickbay.model.lost_nodes import called_not_ready, missed
from sickbay.model.snapshot import Snapshot
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

SHUT_DOWN = "node.cloudprovider.kubernetes.io/shutdown"
OFF = ("powerstate/stopped", "powerstate/deallocated")


@each(ScaleSetInstance)
def is_powered_off(machine: ScaleSetInstance, snapshot: Snapshot) -> Match | Clear | None:
    power = machine.instance_view.code("powerstate/") if machine.instance_view else ""
    if power.casefold() not in OFF:
        return Clear(f"{machine.ref.name} is in {power}") if power else None
    facts = {
        "node_resource_group": machine.ref.group,
        "scale_set": arm(machine.ref.parent).name,
        "instance": machine.instance_id or machine.ref.name,
    }
    cites = (machine.cite("properties.instanceView.statuses", power),)
    says = f"instance {machine.ref.name} is in {power}, and its node"
    if node := missed(machine, snapshot):
        return Match(f"{says} {node.name} is not ready", facts=facts, cites=cites)
    lost = called_not_ready(machine, snapshot)
    if lost and snapshot.find(arm(machine.ref.parent)) is None:
        return Match(f"{says} {lost} is NotReady", facts=facts, cites=cites, weight=TYPICAL)
    scale_set = snapshot.get(arm(machine.ref.parent), ScaleSet)
    pools = [snapshot.find(ref) for ref in scale_set.links(snapshot)] if scale_set else []
    for pool in pools:
        # Spot machines and pools that keep their machines deallocated have such by choice.
        if isinstance(pool, AgentPool) and not (
            pool.is_stopped
            or pool.is_spot
            or (pool.scale_down_mode or "").casefold() == "deallocate"
        ):
            return Match(
                f"instance {machine.ref.name} of node pool {pool.name} is in {power}, and the pool is Running",
                facts=facts,
                cites=cites,
            )
    return None


@each(Node, TYPICAL)
def is_shut_down(node: Node, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    if node.is_ready or SHUT_DOWN not in node.tainted:
        return None
    return Match(
        f"the cloud provider has marked the machine of {node.name} as shut down",
        facts={"scale_set": node.name.partition("-vmss")[0] + "-vmss", "node_resource_group": ""},
        cites=(node.cite("spec.taints", SHUT_DOWN),),
    )


RULE = Rule(
    title="The virtual machine of a node was stopped or deallocated outside of AKS",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        is_powered_off,
        is_shut_down,
        Signature(
            pattern=r"node\(s\) had (?:untolerated )?taints? \{node\.cloudprovider\.kubernetes\.io/shutdown(?P<scale_set>)(?P<node_resource_group>)",
            says="pods found only nodes whose machines are shut down",
            sample="0/1 nodes are available: 1 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/shutdown: }.",
            near_miss="Tolerations: node.cloudprovider.kubernetes.io/shutdown:NoSchedule op=Exists",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?P<scale_set>aks-[\w-]+-vmss)_(?P<instance>\d+)\b.{0,120}?\bVM (?:deallocated|stopped)\b(?P<node_resource_group>)",
            says="a machine of the pool is stopped",
            sample="aks-np1-12345678-vmss_2 Succeeded VM deallocated",
            near_miss="aks-np1-12345678-vmss_2 Succeeded VM running",
            weight=TYPICAL,
        ),
    ),
    why="A node whose scale-set instance is stopped has no kubelet; Kubernetes keeps the node as NotReady (Unknown). Machines of a pool are started and stopped through AKS; one that was stopped by hand, by a schedule or by a policy stays off, while the pool believes it to be there.",
    remedy=(
        Step(
            "See the power state of the instances.",
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
                "--query",
                "[].{id:instanceId,power:instanceView.statuses[1].displayStatus}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start what is stopped in the scale set; instances that run stay as they are.",
            run=("az", "vmss", "start", "-g", "{node_resource_group}", "-n", "{scale_set}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants every node Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-basic-troubleshooting",
    ),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.kubelet_silent",
    ),
    ask="az vmss list-instances -g {node_resource_group} -n {scale_set} --expand instanceView -o json",
)

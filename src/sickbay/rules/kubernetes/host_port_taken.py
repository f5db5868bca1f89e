from sickbay.model.kubernetes import Pod
from sickbay.model.placement import (
    fits_labels,
    is_finished,
    is_unschedulable,
    refusing_taint,
    usable_nodes,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def finds_its_port_taken(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod) or not (wanted := _host_ports(pod)):
        return None
    nodes = [
        node
        for node in snapshot.once(usable_nodes)
        if fits_labels(pod, node) and not refusing_taint(pod, node)
    ]
    snapshot.require(Pod)
    holders = {}
    for node in nodes:
        for other in snapshot.grouped(Pod, "node", node.name):
            if not is_finished(other) and wanted & _host_ports(other):
                holders[node.name] = other
    if not nodes or len(holders) < len(nodes):
        free = len(nodes) - len(holders)
        return Clear(f"{free} nodes have the host ports of {pod.namespace}/{pod.name} free")
    holder = next(iter(holders.values()))
    port, protocol = min(wanted & _host_ports(holder))
    many = f"each of the {len(nodes)} nodes" if len(nodes) > 1 else "the one node"
    return Match(
        f"{pod.namespace}/{pod.name} wants host port {port} ({protocol}), which is taken on {many} that it may use, by {holder.namespace}/{holder.name}{' and others' if len(holders) > 1 else ''}",
        facts={"port": str(port)},
        cites=(pod.cite("spec.containers[*].ports[*].hostPort", port),),
    )


def _host_ports(pod: Pod) -> set[tuple[int, str]]:
    return {
        (port.host_port, port.protocol or "TCP")
        for container in pod.spec.containers
        for port in container.ports or ()
        if port.host_port
    }


RULE = Rule(
    title="No node has the host port free that a pod asks for",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        finds_its_port_taken,
        Signature(
            pattern=r"nodes are available:.{0,400}?node\(s\) didn't have free ports for the requested pod ports",
            says="the host port of a pod is taken on every node",
            sample="0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. preemption: 0/3 nodes are available",
            near_miss="0/3 nodes are available: 3 Insufficient memory.",
        ),
        Signature(
            pattern=r"Predicate (?:NodePorts|PodFitsHostPorts) failed|Reason: (?:NodePorts|HostPortConflict)\b|HostPortConflict",
            says="the kubelet rejected a pod because its host port is taken",
            sample="Reason: NodePorts\nMessage: Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
            near_miss="Reason: NodeAffinity",
        ),
    ),
    why="A hostPort can be used once on each node, so at most as many pods run as there are nodes; during a rolling update the old pod still has the port.",
    remedy=(
        Step(
            "See who uses host ports.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,PORTS:.spec.containers[*].ports[*].hostPort",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Leave hostPort out and use a Service, or let the update remove the old pod first (maxSurge 0).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/configuration/overview/",),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl get pods -A -o json",
)

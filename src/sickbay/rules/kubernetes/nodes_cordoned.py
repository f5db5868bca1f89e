from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import fits_labels, is_unschedulable, refusing_taint
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

CORDON = "node.kubernetes.io/unschedulable"


@each(Pod)
def only_cordoned_nodes_fit(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    nodes = [node for node in snapshot.all(Node) if fits_labels(pod, node) and node.is_ready]
    cordoned = [node for node in nodes if _would_do(pod, node)]
    if not cordoned:
        return Clear(f"no cordoned node would take {pod.namespace}/{pod.name}")
    if any(refusing_taint(pod, node) is None and not node.spec.unschedulable for node in nodes):
        return Clear(f"nodes that are not cordoned would take {pod.namespace}/{pod.name}")
    return Match(
        f"{pod.namespace}/{pod.name} waits for a node, and the {len(cordoned)} that would take it are cordoned",
        facts={"node": cordoned[0].name},
        cites=tuple(node.cite("spec.unschedulable", True) for node in cordoned[:3]),
    )


def _would_do(pod: Pod, node: Node) -> bool:
    """Whether nothing but the cordon keeps a pod from a node."""
    taint = refusing_taint(pod, node)
    return bool(node.spec.unschedulable) and (taint is None or taint.key == CORDON)


RULE = Rule(
    title="Every node that would take the pod is cordoned (SchedulingDisabled)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.WORKLOAD, Category.UPGRADE),
    detect=(only_cordoned_nodes_fit,),
    why="A cordoned node (`spec.unschedulable`, shown as SchedulingDisabled) keeps its pods but takes no new ones. Nodes stay so after a drain by hand, or after an upgrade or repair that ended half-way and never uncordoned them.",
    remedy=(
        Step(
            "See which nodes are cordoned, and whether an upgrade still runs.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Uncordon the node when nobody drains it any more.",
            run=("kubectl", "uncordon", "{node}"),
            risk=Risk.SAFE,
            verify="kubectl get node {node} wants Ready without SchedulingDisabled",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/nodes/node/#manual-node-administration",),
    leads_to=(
        "kubernetes.pod_pending",
        "kubernetes.untolerated_taint",
        "kubernetes.insufficient_resources",
    ),
    ask="kubectl get nodes -o wide",
)

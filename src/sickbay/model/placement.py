"""Whether a pod fits a node: requests against what is free, taints, labels."""

from collections.abc import Iterable

from sickbay.model.kubernetes import Node, Pod, Taint, Toleration
from sickbay.model.quantity import number
from sickbay.model.snapshot import Snapshot

_BARS_NEW_PODS = frozenset({"NoSchedule", "NoExecute"})
_FINISHED = frozenset({"Succeeded", "Failed"})


def usable_nodes(snapshot: Snapshot) -> tuple[Node, ...]:
    """The nodes that are ready and take pods; ask for it with `snapshot.once`."""
    return tuple(
        node for node in snapshot.all(Node) if not node.spec.unschedulable and node.is_ready
    )


def is_unschedulable(pod: Pod) -> bool:
    """Whether the scheduler has looked at the pod and found no node for it."""
    if pod.status.phase != "Pending" or pod.spec.node_name or pod.metadata.deletion_timestamp:
        return False
    return any(
        condition.type == "PodScheduled"
        and condition.status == "False"
        # None where the texts were taken out; other reasons mean that nobody has looked.
        and condition.reason in ("Unschedulable", "", None)
        for condition in pod.status.conditions or ()
    )


def scheduler_says(pod: Pod) -> str:
    """The scheduler's own words about a pod that it could not place."""
    conditions = pod.status.conditions or ()
    return next((c.message or "" for c in conditions if c.type == "PodScheduled"), "")


def requested(pod: Pod, resource: str) -> float:
    """What a pod reserves on its node: its containers together, or its largest init container."""
    running = sum(
        number((c.resources.requests or {}).get(resource))
        for c in pod.spec.containers
        if c.resources
    )
    starting = max(
        (
            number((c.resources.requests or {}).get(resource))
            for c in pod.spec.init_containers or ()
            if c.resources
        ),
        default=0.0,
    )
    return max(running, starting)


def is_finished(pod: Pod) -> bool:
    """Whether a pod has given back what it had reserved."""
    return pod.status.phase in _FINISHED


def free(node: Node, pods: Iterable[Pod], resource: str) -> float:
    """What the pods on a node leave of a resource."""
    allocatable = number((node.status.allocatable or {}).get(resource))
    return allocatable - sum(requested(pod, resource) for pod in pods if not is_finished(pod))


def refusing_taint(pod: Pod, node: Node) -> Taint | None:
    """The first taint of a node that keeps the pod away."""
    tolerations = pod.spec.tolerations or ()
    for taint in node.spec.taints or ():
        if taint.effect in _BARS_NEW_PODS and not any(_tolerates(t, taint) for t in tolerations):
            return taint
    return None


def _tolerates(toleration: Toleration, taint: Taint) -> bool:
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.operator == "Exists":
        return not toleration.key or toleration.key == taint.key
    return toleration.key == taint.key and (toleration.value or "") == (taint.value or "")


def fits_labels(pod: Pod, node: Node) -> bool:
    """Whether a node carries the labels that the pod insists on."""
    labels = node.labels
    if any(labels.get(key) != value for key, value in (pod.spec.node_selector or {}).items()):
        return False
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    required = affinity.required if affinity else None
    return required is None or required.accepts(labels, node.name)


def wanted_labels(pod: Pod) -> str:
    """The labels that a pod insists on, as a reader would write them."""
    selector = ", ".join(f"{k}={v}" for k, v in sorted((pod.spec.node_selector or {}).items()))
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    required = str(affinity.required) if affinity and affinity.required else ""
    return "; ".join(part for part in (selector, required) if part)


def most_pods(node: Node) -> int:
    """How many pods a node may run; 0 if it does not tell."""
    return int(number((node.status.allocatable or {}).get("pods")))


def pods_on(node: Node, snapshot: Snapshot) -> int:
    """How many pods a node runs, of those that were read."""
    return sum(not is_finished(pod) for pod in snapshot.grouped(Pod, "node", node.name))


def full_nodes_for(pod: Pod, snapshot: Snapshot) -> list[Node]:
    """The nodes that would take a pod, if each of them runs as many pods as it may; else none."""
    nodes = [
        node
        for node in snapshot.once(usable_nodes)
        if fits_labels(pod, node) and not refusing_taint(pod, node)
    ]
    full = snapshot.once(_full_nodes)
    return nodes if all(node.name in full for node in nodes) else []


def _full_nodes(snapshot: Snapshot) -> frozenset[str]:
    return frozenset(
        node.name
        for node in snapshot.once(usable_nodes)
        if 0 < most_pods(node) <= pods_on(node, snapshot)
    )


def kept_out_by_count(snapshot: Snapshot) -> bool:
    """Whether a pod waits because every node that would take it is full; ask with `once`."""
    pods = snapshot.grouped(Pod, "kind", Pod.kind)
    return any(is_unschedulable(pod) and full_nodes_for(pod, snapshot) for pod in pods)

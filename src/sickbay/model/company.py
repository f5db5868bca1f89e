"""Whether the pods that are already placed leave a node to one that must keep away from them."""

from collections import Counter
from collections.abc import Iterable

from sickbay.model.affinity import LabelSelector, PodTerm, Spread
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import fits_labels, is_finished, refusing_taint
from sickbay.model.snapshot import Snapshot


def open_nodes(pod: Pod, snapshot: Snapshot) -> list[Node]:
    """The nodes that labels, taints and their own state leave to a pod."""
    return [
        node
        for node in snapshot.all(Node)
        if fits_labels(pod, node)
        and node.is_ready
        and not node.spec.unschedulable
        and refusing_taint(pod, node) is None
    ]


def refusal(pod: Pod, nodes: list[Node], snapshot: Snapshot) -> str:
    """The rule between pods that refuses every one of some nodes, in words, or nothing."""
    affinity = pod.spec.affinity
    apart = affinity.pod_anti_affinity.required if affinity and affinity.pod_anti_affinity else ()
    for term in apart:
        taken = _places(_chosen(pod, term, snapshot), term.topology_key, snapshot)
        if all(node.labels.get(term.topology_key) in taken for node in nodes):
            return f"anti-affinity by {term.topology_key}: {len(taken)} places are taken"
    for spread in pod.spec.topology_spread_constraints or ():
        if spread.when_unsatisfiable != "ScheduleAnyway" and _is_uneven(
            pod, spread, nodes, snapshot
        ):
            return f"topology spread by {spread.topology_key} with maxSkew {spread.max_skew}"
    return ""


def _chosen(pod: Pod, term: PodTerm, snapshot: Snapshot) -> list[Pod]:
    # A selector of namespaces adds more; those that are named suffice to prove.
    spaces = term.namespaces or [pod.namespace]
    return [one for space in spaces for one in _beside(pod, space, term.label_selector, snapshot)]


def _beside(
    pod: Pod, namespace: str, selector: LabelSelector | None, snapshot: Snapshot
) -> Iterable[Pod]:
    if selector is None:
        return []
    return [
        one
        for one in snapshot.in_namespace(Pod, namespace)
        if one.ref != pod.ref and one.spec.node_name and not is_finished(one)
        if selector.selects(one.labels)
    ]


def _places(pods: Iterable[Pod], key: str, snapshot: Snapshot) -> Counter[str]:
    found: Counter[str] = Counter()
    for pod in pods:
        node = snapshot.find(kube("Node", "", pod.node))
        if isinstance(node, Node) and (place := node.labels.get(key)):
            found[place] += 1
    return found


def _is_uneven(pod: Pod, spread: Spread, nodes: list[Node], snapshot: Snapshot) -> bool:
    """Whether every open node lies where the pod would make the difference too large."""
    snapshot.require(Pod, pod.namespace)
    there = _places(
        _beside(pod, pod.namespace, spread.label_selector, snapshot), spread.topology_key, snapshot
    )
    # A place counts if the pod's labels lead there, though its nodes be tainted or full.
    every = {
        place
        for node in snapshot.all(Node)
        if fits_labels(pod, node) and (place := node.labels.get(spread.topology_key))
    }
    least = min((there[place] for place in every), default=0)
    places = (node.labels.get(spread.topology_key) for node in nodes)
    return all(not at or there[at] + 1 - least > spread.max_skew for at in places)

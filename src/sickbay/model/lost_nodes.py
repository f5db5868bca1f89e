"""The nodes that machines of scale sets were, as far as somebody still waits for them."""

from sickbay.model.azure import ScaleSetInstance
from sickbay.model.ids import kube, node_name
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.rows import NodeRow
from sickbay.model.snapshot import Snapshot


def called_not_ready(machine: ScaleSetInstance, snapshot: Snapshot) -> str:
    """The name of its node, where that is NotReady; unless its pool is known, that may be meant."""
    name = node_name(machine.ref)
    node = snapshot.find(kube(Node.kind, "", name))
    is_lost = isinstance(node, Node) and not node.is_ready
    called = snapshot.grouped(NodeRow, "name", name)
    return name if is_lost or any(not row.is_ready for row in called) else ""


def missed(machine: ScaleSetInstance, snapshot: Snapshot) -> Node | None:
    """The node that this machine was, where pods still wait for it."""
    nodes = (snapshot.find(ref) for ref in snapshot.dependents(machine.ref))
    return next(
        (
            node
            for node in nodes
            if isinstance(node, Node)
            and not node.is_ready
            and any(pod.node == node.name for pod in snapshot.grouped(Pod, "node", node.name))
        ),
        None,
    )

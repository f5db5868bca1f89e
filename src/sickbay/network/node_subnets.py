"""The subnets that the nodes of a cluster stand in, each once."""

from sickbay.model.ids import arm
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_places import Whereabouts, of_node


def node_subnets(snapshot: Snapshot) -> tuple[Whereabouts, ...]:
    """A place of a node in each subnet that has nodes, in the order of the subnets.

    Raises UnseenError when no node is in evidence and nodes were not read.
    """
    return snapshot.once(_node_subnets)


def _node_subnets(snapshot: Snapshot) -> tuple[Whereabouts, ...]:
    found: dict[str, Whereabouts] = {}
    for node in sorted(snapshot.some(Node), key=lambda one: one.name):
        place = of_node(snapshot, node)
        if place and place.subnet:
            found.setdefault(arm(place.subnet).key, place)
    return tuple(found[key] for key in sorted(found))

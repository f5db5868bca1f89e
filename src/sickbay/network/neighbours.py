"""Whether the nodes of one subnet reach each other through the security group of that subnet."""

from ipaddress import ip_network
from typing import Final, NamedTuple

from sickbay.model.azure import Subnet
from sickbay.model.ids import arm
from sickbay.model.security import NetworkSecurityGroup
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import subnets_of_nodes
from sickbay.network.flow import Flow
from sickbay.network.nsg import Crossing, Direction, decide
from sickbay.network.traffic import Decider, Verdict

_FIRST: Final = 100
_LAST: Final = 4096
# What every cluster sends between its nodes: to the kubelet, to CoreDNS, to webhooks.
_NEEDED: Final = (("TCP", 10250), ("UDP", 53), ("TCP", 443))
_WAYS: Final[tuple[Direction, ...]] = ("Inbound", "Outbound")
# Azure keeps the first four addresses of a subnet, and two nodes have two more.
_LEAST: Final = 6


class Parted(NamedTuple):
    """Two nodes of a subnet that do not reach each other, what of, and the rule that decides."""

    subnet: str
    prefix: str
    way: Direction
    traffic: str
    by: Decider


def subnets_under(snapshot: Snapshot, group: NetworkSecurityGroup) -> list[Subnet]:
    """The subnets of nodes that a group is attached to; raises where pools were not read."""
    found = (snapshot.find(arm(id)) for id in snapshot.once(subnets_of_nodes).values())
    return [
        one
        for one in found
        if isinstance(one, Subnet)
        and one.network_security_group
        and arm(one.network_security_group.id or "").key == group.ref.key
    ]


def parted(snapshot: Snapshot, subnet: Subnet) -> Parted | None:
    """The first need of the nodes of a subnet that its group denies, or None."""
    for prefix in subnet.prefixes:
        hosts = ip_network(prefix, strict=False)
        if hosts.num_addresses < _LEAST:
            continue
        for way in _WAYS:
            for protocol, port in _NEEDED:
                flow = Flow(str(hosts[4]), str(hosts[5]), protocol, port)
                decision = decide(snapshot, Crossing(way, subnet.id), flow)
                if decision and decision.verdict is Verdict.BLOCKED:
                    said = f"{protocol} {port}"
                    return Parted(subnet.name, prefix, way, said, decision.by[0])
    return None


def free_priority(group: NetworkSecurityGroup, way: Direction, decider: str) -> str:
    """The nearest number ahead of a rule that no rule of its direction has, or a placeholder."""
    taken = {
        one.priority: one.name
        for one in group.security_rules or ()
        if one.priority and (one.direction or "").casefold() == way.casefold()
    }
    last = min((key for key, name in taken.items() if name == decider), default=_LAST + 1)
    free = (str(number) for number in range(last - 1, _FIRST - 1, -1) if number not in taken)
    return next(free, "<free-priority>")

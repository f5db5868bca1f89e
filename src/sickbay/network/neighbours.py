"""Whether the nodes of a cluster reach each other through the security groups of their subnets."""

from collections.abc import Iterator
from ipaddress import ip_network
from itertools import product
from typing import Final, NamedTuple

from sickbay.model.aks import AgentPool
from sickbay.model.azure import Subnet
from sickbay.model.ids import Ref, arm
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
_ASKED: Final = ("UDP", 53)
_WAYS: Final[tuple[Direction, ...]] = ("Inbound", "Outbound")
# Azure keeps the first four addresses of a subnet, and two nodes have two more.
_LEAST: Final = 6


class Parted(NamedTuple):
    """Two nodes that do not reach each other, what of, and the rule that decides.

    They are of one subnet, or of two of one cluster.
    """

    subnet: str
    prefix: str
    way: Direction
    traffic: str
    by: Decider
    other: str = ""
    other_prefix: str = ""

    @property
    def says(self) -> str:
        here = f"the nodes in subnet {self.subnet} ({self.prefix})"
        if not self.other:
            return f"{here} cannot reach each other ({self.traffic})"
        return f"the nodes in subnet {self.other} cannot reach {here} ({self.traffic})"


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


def parted_from_system(snapshot: Snapshot, subnet: Subnet) -> Parted | None:
    """The first subnet of a cluster whose questions to CoreDNS the group of another one denies.

    CoreDNS runs in the system pools, and the nodes of every pool ask it.
    """
    for asked, asking in _asked_by(snapshot, subnet):
        way: Direction = "Inbound" if asked.ref == subnet.ref else "Outbound"
        for here, there in product(asked.prefixes, asking.prefixes):
            if not (_is_roomy(here) and _is_roomy(there)):
                continue
            flow = Flow(_host(there), _host(here), *_ASKED)
            decision = decide(snapshot, Crossing(way, subnet.id), flow)
            if decision and decision.verdict is Verdict.BLOCKED:
                said = " ".join(map(str, _ASKED))
                return Parted(asked.name, here, way, said, decision.by[0], asking.name, there)
    return None


def _asked_by(snapshot: Snapshot, subnet: Subnet) -> Iterator[tuple[Subnet, Subnet]]:
    """The subnet of a system pool with each other one of its cluster, where one is this subnet."""
    for here, there in snapshot.once(_pairs).get(subnet.ref.key, ()):
        one, other = snapshot.find(here), snapshot.find(there)
        if isinstance(one, Subnet) and isinstance(other, Subnet):
            yield one, other


def _pairs(snapshot: Snapshot) -> dict[str, list[tuple[Ref, Ref]]]:
    """Where pools of a cluster have subnets of their own: by subnet, the pairs that it is in."""
    asked: dict[str, dict[str, Ref]] = {}
    asking: dict[str, dict[str, Ref]] = {}
    for pool in snapshot.some(AgentPool):
        if pool.vnet_subnet_id:
            ref = arm(pool.vnet_subnet_id)
            asking.setdefault(pool.parent_key, {})[ref.key] = ref
            if pool.mode == "System":
                asked.setdefault(pool.parent_key, {})[ref.key] = ref
    found: dict[str, list[tuple[Ref, Ref]]] = {}
    for cluster, systems in asked.items():
        for here, there in product(systems.values(), asking[cluster].values()):
            if here != there:
                found.setdefault(here.key, []).append((here, there))
                found.setdefault(there.key, []).append((here, there))
    return found


def _is_roomy(prefix: str) -> bool:
    return ip_network(prefix, strict=False).num_addresses >= _LEAST


def _host(prefix: str) -> str:
    return str(ip_network(prefix, strict=False)[4])


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

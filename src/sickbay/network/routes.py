"""Where a packet that leaves a subnet goes next, and which route decides it."""

from collections.abc import Callable
from typing import Final, NamedTuple

from sickbay.model.azure import VirtualNetworkPeering
from sickbay.model.evidence import Gap
from sickbay.model.ids import arm, kube
from sickbay.model.kubernetes import Node
from sickbay.model.security import ServiceTags
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_ranges import is_public
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.routes_effective import effective_table
from sickbay.network.routes_endpoints import tag_prefixes
from sickbay.network.routes_row import GATEWAY, SYSTEM, USER, HopKind, Row
from sickbay.network.routes_table import Table, made_table, peering_name
from sickbay.network.traffic import Decider, Decision, Verdict

__all__ = ["SOMEWHERE", "Asymmetry", "Hop", "HopKind", "asymmetry", "next_hop"]

PLATFORM: Final = frozenset({"168.63.129.16", "169.254.169.254"})
# The internet, where an address of it is needed to ask for a route.
SOMEWHERE: Final = "1.1.1.1"
# Azure prefers these to what a gateway announces, however narrow that is.
_PREFERRED: Final = frozenset(
    {HopKind.LOCAL, HopKind.PEERING, HopKind.SERVICE_ENDPOINT, HopKind.PRIVATE_ENDPOINT}
)


class Hop(NamedTuple):
    """The next hop of a packet.

    `address` is that of the appliance, `node` the node that it is when the route leads to its
    pods. `considered` is every route that holds the destination, the deciding one first.
    """

    kind: HopKind
    address: str
    by: Decider
    gaps: tuple[Gap, ...] = ()
    considered: tuple[Decider, ...] = ()
    node: str = ""

    @property
    def decision(self) -> Decision:
        """What the routes alone say.

        A packet for an appliance is let go to it: ask the appliance. A layer that nobody read
        lets it go too, and says so in its gaps.
        """
        verdict = _VERDICTS.get(self.kind, Verdict.ALLOWED)
        return Decision(verdict, (self.by,), self.considered, self.gaps)


_VERDICTS: Final = {HopKind.DROPPED: Verdict.BLOCKED, HopKind.UNKNOWN: Verdict.UNKNOWN}


class Asymmetry(NamedTuple):
    """A connection whose answer takes another way than it came, and what that means for it."""

    reply: Hop
    decision: Decision


def next_hop(snapshot: Snapshot, subnet: str, destination: str) -> Hop:
    """Where a packet from a subnet (its ARM id) to an address goes.

    What Azure itself says of an interface of the subnet (effective routes) is taken as it is;
    otherwise the routes are made from the documents of table, network and peerings. The kind is
    UNSEEN when the subnet was not read, and UNKNOWN when something that can decide was not.
    """
    target = parse(destination)
    if target is None or target.size != 1:
        gap = Gap("address", f"{destination or 'the destination'} is no address")
        return _blind(HopKind.UNKNOWN, destination or "the destination", gap)
    if destination in PLATFORM:
        says = "is answered by the platform on every machine, whatever the routes say"
        return Hop(HopKind.PLATFORM, destination, Decider("SystemRoute", destination, says))
    table = snapshot.once(_tables).of(subnet)
    if table.unseen:
        return _blind(HopKind.UNSEEN, arm(subnet).name or "the subnet", table.unseen)
    return _decided(snapshot, table, target)


def asymmetry(snapshot: Snapshot, subnet: str, client: str, through: str = "") -> Asymmetry | None:
    """Whether the answer to a client leaves by another way than its request came.

    The request came straight to the subnet (a load balancer does not change the sender), or
    `through` an appliance. An answer that reaches an appliance which saw no request is dropped
    there; one with another sender's address is dropped by the client. None means that there is no
    detour, or that nobody read the subnet; routes that are there and unread make it UNKNOWN.
    """
    reply = next_hop(snapshot, subnet, client)
    if reply.kind is HopKind.UNKNOWN:
        return Asymmetry(reply, reply.decision)
    if reply.kind is HopKind.UNSEEN or reply.node:
        return None
    is_detour = reply.kind in {HopKind.APPLIANCE, HopKind.GATEWAY, HopKind.DROPPED}
    if reply.address == through if through else not is_detour:
        return None
    came = f"through {through}" if through else "straight to the subnet"
    way = f"to {reply.address or reply.kind}" if is_detour else f"by way of {reply.kind}"
    says = f"sends the answers to {client} {way}, while its requests come {came}"
    by = reply.by._replace(says=says)
    return Asymmetry(reply, Decision(Verdict.BLOCKED, (by,), reply.considered, reply.gaps))


class _Tables:
    """The tables of the subnets that were asked for, each made once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._made: dict[str, Table] = {}

    def of(self, subnet: str) -> Table:
        key = arm(subnet).key
        if key not in self._made:
            made = made_table(self._snapshot, subnet)
            self._made[key] = effective_table(self._snapshot, subnet, made) or made
        return self._made[key]


def _tables(snapshot: Snapshot) -> _Tables:
    return _Tables(snapshot)


def _decided(snapshot: Snapshot, table: Table, target: Prefix) -> Hop:
    rows, loose = _matching(snapshot, table, target)
    nodes = snapshot.once(_nodes)
    considered = tuple(_decider(row, nodes) for row in rows)
    if not rows:
        says = "holds no route for this address, so the packet is dropped"
        return Hop(HopKind.DROPPED, "", Decider("SystemRoute", "none", says))
    best = rows[0]
    node = nodes.get(best.address, "") if best.kind is HopKind.APPLIANCE else ""
    hop = Hop(best.kind, best.address, considered[0], (), considered, node)
    gaps = _undecided(table, best, target) if not node else ()
    gaps += _tags_that_matter(loose, best)
    if gaps or best.kind is HopKind.UNKNOWN:
        return hop._replace(kind=HopKind.UNKNOWN, address="", gaps=gaps or (_odd(best),))
    severed = _severed(table, best, target)
    if severed:
        by = _severance(severed, best)
        return Hop(HopKind.DROPPED, "", by, (), (by, *considered))
    return hop._replace(gaps=_doubts(table, loose, best))


def _matching(snapshot: Snapshot, table: Table, target: Prefix) -> tuple[list[Row], list[Row]]:
    """The routes that hold an address, the deciding one first; and those of unknown ranges."""
    rows = [row for row in table.rows if row.prefix and row.prefix.contains(target)]
    loose = []
    for row in table.rows:
        if row.prefix or not is_public(target):
            continue
        known = tag_prefixes(snapshot, row.text)
        if known is None:
            loose.append(row)
        prefixes = [prefix for text in known or () if (prefix := parse(text))]
        rows += [row._replace(prefix=one) for one in prefixes if one.contains(target)]
    # An explicit prefix wins over the same one of a tag, and a narrower tag over a wider.
    rows.sort(key=lambda row: (*row.order[:2], _breadth(row), *row.order[2:]))
    return _without_announced(rows), loose


def _without_announced(rows: list[Row]) -> list[Row]:
    taken = {row.prefix for row in rows if row.rank == USER}
    is_own = any(
        row.kind in _PREFERRED and row.rank == SYSTEM and row.prefix not in taken for row in rows
    )
    return [row for row in rows if row.rank != GATEWAY] if is_own else rows


def _breadth(row: Row) -> int:
    """How a route is preferred among those of one prefix: none for an explicit one."""
    if parse(row.text):
        return 0
    is_cloud = row.text.casefold().startswith("azurecloud")
    return 1 + 2 * is_cloud + ("." not in row.text)


def _undecided(table: Table, best: Row, target: Prefix) -> tuple[Gap, ...]:
    """What was not read and could send the packet elsewhere."""
    if table.unread:
        return (table.unread,)
    is_own = best.rank == SYSTEM and best.kind in _PREFERRED
    is_exact = best.rank == USER and best.prefix == target
    return () if is_own or is_exact or is_public(target) else table.private


def _tags_that_matter(loose: list[Row], best: Row) -> tuple[Gap, ...]:
    if best.rank == USER and best.prefix and best.prefix.size == 1:
        return ()
    return tuple(
        Gap(
            ServiceTags.kind,
            f"the ranges of {row.text}, of the route {row.name}",
            to_open=ServiceTags.look,
        )
        for row in loose
        if row.rank == USER and (row.kind, row.address) != (best.kind, best.address)
    )


def _doubts(table: Table, loose: list[Row], best: Row) -> tuple[Gap, ...]:
    """What was not read, and would hardly change the answer."""
    doubts = table.private if best.rank != SYSTEM and not table.is_effective else ()
    if best.kind in {HopKind.APPLIANCE, HopKind.GATEWAY, HopKind.DROPPED}:
        doubts += tuple(
            Gap(
                ServiceTags.kind,
                f"the ranges of the endpoint {row.name}",
                to_open=ServiceTags.look,
            )
            for row in loose
            if row.kind is HopKind.SERVICE_ENDPOINT
        )
    return doubts


def _severed(table: Table, best: Row, target: Prefix) -> VirtualNetworkPeering | None:
    """A peering without which the packet, or the appliance that it is sent to, is out of reach."""
    wanted = parse(best.address) if best.kind is HopKind.APPLIANCE else target
    if wanted is None or (best.rank in {USER, GATEWAY} and best.kind is not HopKind.APPLIANCE):
        return None
    ways = [row.prefix for row in table.rows if row.rank == SYSTEM and row.prefix]
    if best.kind in _PREFERRED or any(way.contains(wanted) for way in ways):
        return None
    return next((one for prefix, one in table.severed if prefix.contains(wanted)), None)


def _severance(peering: VirtualNetworkPeering, best: Row) -> Decider:
    lost = f"the next hop {best.address} of {best.name}" if best.address else "its network"
    says = f"is {peering.peering_state}, so {lost} cannot be reached"
    return Decider("VirtualNetworkPeering", peering_name(peering), says, peering.ref)


def _odd(row: Row) -> Gap:
    return Gap(row.kin, f"the next hop of {row.name} is of a type that is not known")


def _blind(kind: HopKind, name: str, gap: Gap) -> Hop:
    return Hop(kind, "", Decider("Subnet", name, f"cannot be told: {gap.what}"), (gap,))


def _nodes(snapshot: Snapshot) -> dict[str, str]:
    """The name of the node that has an address."""
    return {
        address.address: node.name
        for node in sorted(snapshot.grouped(Node, "kind", Node.kind), key=lambda one: one.name)
        for address in node.status.addresses or ()
        if address.type == "InternalIP"
    }


def _decider(row: Row, nodes: dict[str, str]) -> Decider:
    node = nodes.get(row.address, "")
    ref = kube("Node", "", node) if node and row.ref is None else row.ref
    return Decider(row.kin, row.name, _SAYS[row.kind](row, node), ref)


def _to_appliance(row: Row, node: str) -> str:
    if node:
        return f"sends {row.text} to the node {node} at {row.address}"
    return f"sends {row.text} to the appliance {row.address or 'without an address'}"


_SAYS: Final[dict[HopKind, Callable[[Row, str], str]]] = {
    HopKind.LOCAL: lambda row, _: f"keeps {row.text} inside the virtual network",
    HopKind.PEERING: lambda row, _: f"leads {row.text} to the peered virtual network",
    HopKind.GATEWAY: lambda row, _: f"sends {row.text} to the virtual network gateway",
    HopKind.APPLIANCE: _to_appliance,
    HopKind.INTERNET: lambda row, _: f"sends {row.text} to the internet",
    HopKind.DROPPED: lambda row, _: f"drops {row.text}",
    HopKind.SERVICE_ENDPOINT: lambda row, _: f"leads {row.text} to the service's own endpoint",
    HopKind.PRIVATE_ENDPOINT: lambda row, _: f"leads {row.text} to a private endpoint",
    HopKind.UNKNOWN: lambda row, _: f"sends {row.text} to a hop of a type that is not known",
}

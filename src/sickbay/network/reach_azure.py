"""What Azure puts between two places: security groups, routes, firewalls and the way out."""

from collections.abc import Iterator, Sequence
from typing import Final

from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.evidence import Gap
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.network import firewall, nsg, nsg_places, outbound, routes
from sickbay.network.egress_way import names_around
from sickbay.network.flow import Flow
from sickbay.network.nsg_places import Whereabouts
from sickbay.network.nsg_ranges import is_public
from sickbay.network.policy_ends import end_of
from sickbay.network.prefixes import parse
from sickbay.network.reach_spots import Spot
from sickbay.network.routes import SOMEWHERE, Hop, HopKind
from sickbay.network.services_backends import Backend
from sickbay.network.traffic import Decision, Traffic, Verdict

Layer = tuple[str, Decision]

_NO_WAY: Final = frozenset({outbound.Way.NOTHING, outbound.Way.UNKNOWN})


def between(snapshot: Snapshot, source: Spot, target: Spot, traffic: Traffic) -> Iterator[Layer]:
    """The layers from one place to another; none when both are on one machine."""
    start, finish = whereabouts(snapshot, source), whereabouts(snapshot, target)
    if _are_together(snapshot, source, target):
        return
    if start is None and finish is None:
        yield "network", Decision(Verdict.ALLOWED, gaps=(_nothing_known(),))
        return
    flow = _flow(snapshot, source, target, traffic)
    hop: Hop | None = None
    if start is not None and start.subnet:
        yield from leaving(snapshot, start, flow)
        hop = routes.next_hop(snapshot, start.subnet, flow.destination or SOMEWHERE)
        yield from following(snapshot, source, hop, flow)
    if finish is not None and finish.subnet:
        yield from arriving(snapshot, finish, flow)
        yield from _back(snapshot, finish, flow, hop)


def into(
    snapshot: Snapshot,
    source: Spot,
    fronts: Sequence[str],
    backends: Sequence[Backend],
    traffic: Traffic,
) -> Iterator[Layer]:
    """The layers before the nodes behind a load balancer; the packets still bear its address."""
    ready = [backend for backend in backends if backend.ready]
    nodes = sorted({backend.node for backend in ready if backend.node})
    found = [snapshot.find(kube("Node", "", name)) for name in nodes]
    places = [nsg_places.of_node(snapshot, node) for node in found if isinstance(node, Node)]
    known = [place for place in places if place is not None and place.subnet]
    if not known:
        yield "network", Decision(Verdict.ALLOWED, gaps=(_nothing_known(),))
        return
    client = next(iter(source.place.addresses), "")
    flow = Flow(
        client,
        next(iter(fronts), ""),
        traffic.protocol,
        traffic.port,
        source_is_internet=source.place.is_internet,
    )
    for place in dict.fromkeys(known):
        yield from arriving(snapshot, place, flow)
        yield from _back(snapshot, place, flow, None)


def whereabouts(snapshot: Snapshot, spot: Spot) -> Whereabouts | None:
    """Where in Azure an end stands, as far as the evidence tells."""
    place = spot.place
    if place.pod is not None:
        return nsg_places.of_pod(snapshot, place.pod)
    if place.node is not None:
        return nsg_places.of_node(snapshot, place.node)
    for address in place.addresses:
        found = nsg_places.of_address(snapshot, address)
        if found is not None:
            return found
    return None


def leaving(snapshot: Snapshot, start: Whereabouts, flow: Flow) -> Iterator[Layer]:
    """The security groups at the interface and the subnet that a flow leaves."""
    crossing = nsg.Crossing("Outbound", start.subnet, start.nic)
    decision = nsg.decide(snapshot, crossing, flow)
    yield "security groups out", decision or _no_groups(start)


def arriving(snapshot: Snapshot, finish: Whereabouts, flow: Flow) -> Iterator[Layer]:
    """The security groups at the subnet and the interface that a flow comes to."""
    crossing = nsg.Crossing("Inbound", finish.subnet, finish.nic)
    decision = nsg.decide(snapshot, crossing, flow)
    yield "security groups in", decision or _no_groups(finish)


def following(snapshot: Snapshot, source: Spot, hop: Hop, flow: Flow) -> Iterator[Layer]:
    """The route of a flow, and what stands at its next hop."""
    yield "routes", hop.decision
    if hop.kind is HopKind.APPLIANCE and not hop.node:
        cluster = cluster_of(snapshot, source)
        names = names_around(snapshot, cluster) if cluster is not None else None
        yield "appliance", firewall.decide(snapshot, hop.address, flow, names)
    elif hop.kind in (HopKind.INTERNET, HopKind.UNSEEN) and _is_outside(flow):
        cluster = cluster_of(snapshot, source)
        if cluster is not None:
            yield "way out", _way_out(outbound.egress_of(snapshot, cluster))


def cluster_of(snapshot: Snapshot, spot: Spot) -> ManagedCluster | None:
    """The cluster that an end belongs to."""
    node = spot.place.node
    if node is None:
        end = end_of(snapshot, spot.place)
        found = snapshot.find(kube("Node", "", end.node_name)) if end.node_name else None
        node = found if isinstance(found, Node) else None
        if node is None and end.pod is None:
            return None
    if node is not None:
        return nsg_places.cluster_of(snapshot, node)
    clusters = snapshot.grouped(ManagedCluster, "kind", ManagedCluster.kind)
    return clusters[0] if len(clusters) == 1 else None


def _way_out(egress: outbound.Egress) -> Decision:
    verdicts = {outbound.Way.NOTHING: Verdict.BLOCKED, outbound.Way.UNKNOWN: Verdict.UNKNOWN}
    verdict = verdicts.get(egress.kind, Verdict.ALLOWED)
    # Which public addresses are used is of no account here.
    gaps = egress.gaps if egress.kind in _NO_WAY else ()
    return Decision(verdict, (egress.by,), egress.considered, gaps)


def _back(snapshot: Snapshot, finish: Whereabouts, flow: Flow, hop: Hop | None) -> Iterator[Layer]:
    """The way of the answers, where it is another than that of the requests."""
    client = flow.source or (SOMEWHERE if flow.source_is_internet else "")
    if not client:
        return
    through = hop.address if hop is not None and hop.kind is HopKind.APPLIANCE else ""
    if hop is not None and hop.node:
        return
    found = routes.asymmetry(snapshot, finish.subnet, client, through)
    if found is not None:
        yield "way back", found.decision


def _flow(snapshot: Snapshot, source: Spot, target: Spot, traffic: Traffic) -> Flow:
    destination = next(iter(target.place.addresses), "")
    if target.place.is_internet:
        destination = SOMEWHERE
    place = source.place
    seen = next(iter(place.addresses), "")
    if place.pod is not None:
        seen = nsg_places.source_seen(snapshot, place.pod, destination)
    return Flow(
        seen,
        destination,
        traffic.protocol,
        traffic.port,
        source_is_internet=place.is_internet,
        destination_fqdn=target.place.fqdn,
    )


def _are_together(snapshot: Snapshot, source: Spot, target: Spot) -> bool:
    one, other = end_of(snapshot, source.place), end_of(snapshot, target.place)
    return bool(one.node_name) and one.node_name == other.node_name


def _is_outside(flow: Flow) -> bool:
    prefix = parse(flow.destination) if flow.destination else None
    return is_public(prefix) if prefix else bool(flow.destination_fqdn)


def _no_groups(place: Whereabouts) -> Decision:
    what = f"the network security groups of {place.subnet or place.nic}"
    return Decision(Verdict.ALLOWED, gaps=(Gap(Subnet.kind, what, to_open=Subnet.look),))


def _nothing_known() -> Gap:
    what = "security groups, routes and firewalls: no subnet of either end is in evidence"
    return Gap("Microsoft.Network", what, to_open="az network vnet list -o json")

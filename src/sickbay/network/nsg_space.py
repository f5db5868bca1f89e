"""What the tag VirtualNetwork stands for at a subnet, as far as the evidence tells."""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeVar

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet, VirtualNetwork, VirtualNetworkPeering
from sickbay.model.entity import Entity
from sickbay.model.evidence import UnseenError
from sickbay.model.ids import Ref, arm
from sickbay.model.routing import Route, RouteTable
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_ranges import Match, Ranges, is_public, ranges_of
from sickbay.network.prefixes import Prefix
from sickbay.network.service_tags import HOST_ADDRESS

E = TypeVar("E", bound=Entity)

_EVERYWHERE: Final = frozenset({"0.0.0.0/0", "::/0"})
# A peering that Virtual WAN makes brings all that the hub has learned.
_HUB_PEERING: Final = "remotevnettohubpeering"
_EFFECTIVE: Final = "az network nic list-effective-nsg -g {node_resource_group} -n <nic> -o json"


class Doubt(NamedTuple):
    """Why it is not known whether the tag holds an address, and what would tell."""

    why: str
    to_open: str


class Space(NamedTuple):
    """The addresses behind VirtualNetwork.

    `pods` are addresses of pods that are no part of the virtual network: the platform routes them
    as its own, and documents no more than that the default rules let them pass.
    """

    known: Ranges
    pods: Ranges
    has_default_route: bool
    doubts: tuple[Doubt, ...]

    def holds(self, prefix: Prefix) -> Match:
        """Whether the tag stands for all of some addresses, pods aside."""
        held = self.known.holds(prefix)
        if held is not Match.NO:
            return held
        is_open = self.has_default_route if is_public(prefix) else bool(self.doubts)
        return Match.MAYBE if is_open else Match.NO


def space_of(snapshot: Snapshot, subnet: str) -> Space:
    """The space at a subnet, by its ARM id; made once for each."""
    spaces = snapshot.once(_none_yet)
    key = arm(subnet).key
    if key not in spaces:
        spaces[key] = _space(snapshot, arm(subnet))
    return spaces[key]


def routed_pods(snapshot: Snapshot, vnet: Ref) -> list[str]:
    """The pod ranges of the clusters in a network whose pods have no address of it."""
    return [
        prefix
        for cluster in evident(snapshot, ManagedCluster)
        if is_in_network(snapshot, cluster, vnet)
        for prefix in pod_ranges(cluster)
    ]


def pod_ranges(cluster: ManagedCluster) -> list[str]:
    """Where the pods of an overlay or kubenet cluster are; empty for other plugins."""
    network = cluster.network_profile
    if network is None or not network.pod_cidr:
        return []
    plugin = (network.network_plugin or "").casefold()
    is_overlay = (network.network_plugin_mode or "").casefold() == "overlay"
    return [network.pod_cidr] if plugin == "kubenet" or is_overlay else []


def is_in_network(snapshot: Snapshot, cluster: ManagedCluster, vnet: Ref) -> bool:
    """Whether a cluster's nodes stand in a network; one that AKS made is in the nodes' group."""
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    subnets = [arm(pool.vnet_subnet_id).key for pool in pools if pool.vnet_subnet_id]
    if subnets:
        return any(key.startswith(f"{vnet.key}/") for key in subnets)
    group = cluster.node_group_id.casefold()
    return bool(group) and vnet.key.startswith(f"{group}/")


def evident(snapshot: Snapshot, kind: type[E]) -> tuple[E, ...]:
    """What is in evidence of a kind, in the order of names; nothing is no complaint here."""
    try:
        return tuple(sorted(snapshot.some(kind), key=lambda entity: entity.ref))
    except UnseenError:
        return ()


def _none_yet(_: Snapshot) -> dict[str, Space]:
    return {}


def _space(snapshot: Snapshot, subnet: Ref) -> Space:
    vnet = arm(subnet.parent) if subnet.is_arm else subnet
    prefixes = [HOST_ADDRESS, *_own(snapshot, subnet, vnet)]
    routes, lost = _routes(snapshot, subnet)
    prefixes += [prefix for prefix in routes if prefix not in _EVERYWHERE]
    doubts = [*_network_doubts(snapshot, subnet, vnet), *lost]
    for peering in _peerings(snapshot, vnet):
        prefixes += peering.remote_prefixes or _prefixes(snapshot, peering.remote_id)
        doubts += _peering_doubts(snapshot, peering)
    return Space(
        ranges_of(prefixes),
        ranges_of(routed_pods(snapshot, vnet)),
        any(prefix in _EVERYWHERE for prefix in routes),
        tuple(doubts),
    )


def _own(snapshot: Snapshot, subnet: Ref, vnet: Ref) -> list[str]:
    own = snapshot.find(subnet)
    return _prefixes(snapshot, vnet.id) + (own.prefixes if isinstance(own, Subnet) else [])


def _prefixes(snapshot: Snapshot, vnet: str) -> list[str]:
    network = snapshot.find(arm(vnet)) if vnet else None
    return network.prefixes if isinstance(network, VirtualNetwork) else []


def _network_doubts(snapshot: Snapshot, subnet: Ref, vnet: Ref) -> Iterator[Doubt]:
    if not _prefixes(snapshot, vnet.id):
        name = vnet.name or "the network"
        to_open = f"az network vnet show --ids {vnet.id} -o json" if vnet.is_arm else ""
        yield Doubt(f"the address space of {name} was not read", to_open or VirtualNetwork.look)
    if subnet.is_arm and snapshot.find(arm(f"{vnet.id}/subnets/GatewaySubnet")):
        yield Doubt(f"what the gateway of {vnet.name} reaches was not read", _EFFECTIVE)


def _peerings(snapshot: Snapshot, vnet: Ref) -> list[VirtualNetworkPeering]:
    """The peerings through which traffic passes; one that bars access is left out of the tag."""
    return [
        peering
        for peering in sorted(
            snapshot.grouped(VirtualNetworkPeering, "parent_key", vnet.key),
            key=lambda peering: peering.ref,
        )
        if not peering.is_unwell and peering.allow_virtual_network_access is not False
    ]


def _peering_doubts(snapshot: Snapshot, peering: VirtualNetworkPeering) -> Iterator[Doubt]:
    brings_more = peering.use_remote_gateways or peering.name.casefold().startswith(_HUB_PEERING)
    if brings_more:
        yield Doubt(f"what peering {peering.name} brings from a gateway was not read", _EFFECTIVE)
    if not peering.remote_prefixes and not _prefixes(snapshot, peering.remote_id):
        look = VirtualNetworkPeering.look
        yield Doubt(f"the address space behind peering {peering.name} was not read", look)


def _routes(snapshot: Snapshot, subnet: Ref) -> tuple[list[str], list[Doubt]]:
    """The prefixes of a subnet's own routes, which the tag holds too."""
    own = snapshot.find(subnet)
    reference = own.route_table if isinstance(own, Subnet) else None
    if reference is None or not reference.id:
        return [], []
    table = arm(reference.id)
    routes = snapshot.grouped(Route, "parent_key", table.key)
    found = sorted({route.address_prefix for route in routes if route.address_prefix})
    if found or isinstance(snapshot.find(table), RouteTable):
        return found, []
    to_open = f"az network route-table show --ids {table.id} -o json"
    return [], [Doubt(f"route table {table.name} was not read", to_open)]

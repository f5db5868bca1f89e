"""The routes of one subnet: those of its table, and those that Azure makes by itself."""

from typing import Final, NamedTuple

from sickbay.model.azure import Subnet, VirtualNetwork, VirtualNetworkPeering
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref, arm
from sickbay.model.routing import Route, RouteTable, VirtualNetworkGateway
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.routes_endpoints import private_rows, service_rows
from sickbay.network.routes_row import FALLBACK, SYSTEM, USER, HopKind, Row, hop_kind

_DEFAULTS: Final = ("0.0.0.0/0", "::/0")
_RESERVED: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
# The network of a virtual hub; what it announces is known only to Azure.
_HUB: Final = "hv_"


class Table(NamedTuple):
    """All routes of a subnet, and what of them is not known."""

    rows: tuple[Row, ...] = ()
    # Peerings that do not carry traffic now: what they would have led to.
    severed: tuple[tuple[Prefix, VirtualNetworkPeering], ...] = ()
    # Not one route is known.
    unseen: Gap | None = None
    # The routes of the user are there and were not read.
    unread: Gap | None = None
    # Something that can lead to private addresses, and where is not known.
    private: tuple[Gap, ...] = ()
    # Read from Azure itself.
    is_effective: bool = False


def made_table(snapshot: Snapshot, subnet_id: str) -> Table:
    """Make the table of a subnet out of documents, as Azure makes it."""
    subnet = snapshot.find(arm(subnet_id))
    if not isinstance(subnet, Subnet):
        look = f"az network vnet subnet show --ids {subnet_id} -o json" if subnet_id else ""
        what = f"the subnet {subnet_id}" if subnet_id else "the subnet of the nodes"
        return Table(unseen=Gap(Subnet.kind, what, to_open=look or Subnet.look))
    table_id = (subnet.route_table and subnet.route_table.id) or ""
    users, unread = user_rows(snapshot, table_id)
    network = snapshot.find(arm(subnet.ref.parent))
    known = network if isinstance(network, VirtualNetwork) else None
    system, severed, private = _network_rows(snapshot, subnet, known)
    private += _gateway_gaps(snapshot, subnet, table_id)
    networks = [arm(subnet.ref.parent).key, *_neighbours(snapshot, arm(subnet.ref.parent))]
    rows = [*users, *system, *service_rows(subnet), *_fallback_rows([*users, *system])]
    rows += private_rows(snapshot, networks, users)
    return Table(tuple(sorted(rows, key=lambda row: row.order)), severed, None, unread, private)


def user_rows(snapshot: Snapshot, table_id: str) -> tuple[list[Row], Gap | None]:
    if not table_id:
        return [], None
    ref = arm(table_id)
    look = f"az network route-table show --ids {table_id} -o json"
    gap = Gap(RouteTable.kind, f"the routes of {table_id}", to_open=look)
    table = snapshot.find(ref)
    is_told = isinstance(table, RouteTable) and (
        table.routes is not None or table.disable_bgp_route_propagation is not None
    )
    is_known = is_told or snapshot.has_seen(Route.kind, table_id)
    routes = snapshot.grouped(Route, "parent_key", ref.key)
    rows = [_user_row(route, ref.name) for route in routes if route.address_prefix]
    return rows, None if is_known else gap


def _user_row(route: Route, table: str) -> Row:
    text = route.address_prefix or ""
    address = route.next_hop_ip_address or ""
    kind = hop_kind(route.next_hop_type)
    name = f"{table}/{route.name or route.ref.name}"
    return Row(text, parse(text), USER, kind, "RouteTable", name, address, route.ref)


def _network_rows(
    snapshot: Snapshot, subnet: Subnet, network: VirtualNetwork | None
) -> tuple[list[Row], tuple[tuple[Prefix, VirtualNetworkPeering], ...], tuple[Gap, ...]]:
    """What Azure makes of the network's own space and of its peerings."""
    if network is None or not network.prefixes:
        id = subnet.ref.parent
        look = f"az network vnet show --ids {id} -o json"
        gap = Gap(VirtualNetwork.kind, f"the address space of {id}", to_open=look)
        return _own_rows(subnet.prefixes, arm(id)), (), (gap,)
    rows = _own_rows(network.prefixes, network.ref)
    severed: list[tuple[Prefix, VirtualNetworkPeering]] = []
    gaps: list[Gap] = []
    for peering in _peerings(snapshot, network.ref):
        prefixes = peering.remote_prefixes or _prefixes_of(snapshot, peering.remote_id)
        if peering.is_unwell:
            severed += [(prefix, peering) for text in prefixes if (prefix := parse(text))]
            continue
        rows += [_peered_row(text, peering) for text in prefixes]
        if not prefixes:
            look = f"az network vnet peering show --ids {peering.id} -o json"
            what = f"the address space behind the peering {peering.name}"
            gaps.append(Gap(VirtualNetworkPeering.kind, what, to_open=look))
    return rows, tuple(severed), tuple(gaps)


def _own_rows(prefixes: list[str], network: Ref) -> list[Row]:
    rows = [
        Row(text, parse(text), SYSTEM, HopKind.LOCAL, "VirtualNetwork", network.name, ref=network)
        for text in prefixes
    ]
    return [row for row in rows if row.prefix]


def _peered_row(text: str, peering: VirtualNetworkPeering) -> Row:
    name = peering_name(peering)
    kin = "VirtualNetworkPeering"
    return Row(text, parse(text), SYSTEM, HopKind.PEERING, kin, name, ref=peering.ref)


def peering_name(peering: VirtualNetworkPeering) -> str:
    return f"{arm(peering.ref.parent).name}/{peering.name or peering.ref.name}"


def _peerings(snapshot: Snapshot, network: Ref) -> list[VirtualNetworkPeering]:
    found = snapshot.grouped(VirtualNetworkPeering, "parent_key", network.key)
    return sorted(found, key=lambda peering: peering.ref)


def _neighbours(snapshot: Snapshot, network: Ref) -> list[str]:
    peerings = _peerings(snapshot, network)
    return [arm(one.remote_id).key for one in peerings if one.remote_id and not one.is_unwell]


def _prefixes_of(snapshot: Snapshot, network_id: str) -> list[str]:
    network = snapshot.find(arm(network_id)) if network_id else None
    return network.prefixes if isinstance(network, VirtualNetwork) else []


def _fallback_rows(rows: list[Row]) -> list[Row]:
    """The routes of last resort.

    A default route of the user takes the reserved prefixes away, and so does an address space
    that holds them.
    """
    defaults = [
        Row(text, parse(text), FALLBACK, HopKind.INTERNET, "SystemRoute", text)
        for text in _DEFAULTS
    ]
    default = parse(_DEFAULTS[0])
    if any(row.rank == USER and row.prefix == default for row in rows):
        return defaults
    spaces = [row.prefix for row in rows if row.kind is HopKind.LOCAL and row.prefix]
    for text in _RESERVED:
        prefix = parse(text)
        if prefix and not any(space.contains(prefix) for space in spaces):
            defaults.append(Row(text, prefix, FALLBACK, HopKind.DROPPED, "SystemRoute", text))
    return defaults


def _gateway_gaps(snapshot: Snapshot, subnet: Subnet, table_id: str) -> tuple[Gap, ...]:
    """Gateways that announce routes to this subnet, which only Azure can tell."""
    table = snapshot.find(arm(table_id)) if table_id else None
    if isinstance(table, RouteTable) and table.disable_bgp_route_propagation:
        return ()
    network = arm(subnet.ref.parent)
    homes = {network.key}
    names = []
    for peering in _peerings(snapshot, network):
        remote = arm(peering.remote_id)
        if peering.use_remote_gateways and not peering.is_unwell:
            homes.add(remote.key)
            names.append(f"the gateway behind the peering {peering.name}")
        elif remote.name.casefold().startswith(_HUB):
            names.append(f"the virtual hub behind the peering {peering.name}")
    gateways = snapshot.once(_gateways)
    names += [f"the gateway {name}" for home in sorted(homes) for name in gateways.get(home, ())]
    look = "az network nic show-effective-route-table --ids <nic-id> -o json"
    return tuple(
        Gap(VirtualNetworkGateway.kind, f"the routes that {name} announces", to_open=look)
        for name in names
    )


def _gateways(snapshot: Snapshot) -> dict[str, list[str]]:
    """The names of the gateways of each network."""
    found: dict[str, list[str]] = {}
    for gateway in snapshot.grouped(VirtualNetworkGateway, "kind", VirtualNetworkGateway.kind):
        subnets = [one.subnet for one in gateway.ip_configurations or ()]
        homes = {arm(arm(one.id).parent).key for one in subnets if one and one.id}
        for home in homes:
            found.setdefault(home, []).append(gateway.name or gateway.ref.name)
    return {home: sorted(names) for home, names in found.items()}

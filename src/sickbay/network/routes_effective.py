"""The routes that Azure itself says it uses for a network interface."""

from collections.abc import Iterator

from sickbay.model.ids import Ref, arm
from sickbay.model.routing import EffectiveRoute, EffectiveRoutes
from sickbay.model.security import NetworkInterface
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
from sickbay.network.routes_row import FALLBACK, GATEWAY, SYSTEM, USER, HopKind, Row, hop_kind
from sickbay.network.routes_table import Table


def effective_table(snapshot: Snapshot, subnet: str, made: Table) -> Table | None:
    """The effective routes of an interface in this subnet, or None when nobody saved them.

    Whose subnet an interface is in is not in the rows. Where it is not told otherwise, rows that
    agree with the network's own space and with all routes of the user are those of this subnet.
    """
    for routes in sorted(
        snapshot.grouped(EffectiveRoutes, "kind", EffectiveRoutes.kind), key=lambda one: one.ref
    ):
        if not routes.routes or not _is_of(snapshot, routes, subnet, made):
            continue
        rows = [row for one in routes.routes for row in _rows(one, routes)]
        rows.sort(key=lambda row: row.order)
        return Table(tuple(rows), made.severed, is_effective=True)
    return None


def _is_of(snapshot: Snapshot, routes: EffectiveRoutes, subnet: str, made: Table) -> bool:
    homes = _homes(snapshot, routes)
    if homes:
        return arm(subnet) in homes
    if made.unseen or made.unread:
        return False
    told = {(row.rank, row.prefix) for one in routes.routes or () for row in _rows(one, routes)}
    own = {
        (row.rank, row.prefix)
        for row in made.rows
        if row.prefix and (row.rank == USER or (row.rank == SYSTEM and row.kind is HopKind.LOCAL))
    }
    return bool(own) and own <= told


def _homes(snapshot: Snapshot, routes: EffectiveRoutes) -> list[Ref]:
    if routes.subnet and routes.subnet.id:
        return [arm(routes.subnet.id)]
    interface = snapshot.find(arm(routes.ref.parent))
    ids = interface.subnet_ids if isinstance(interface, NetworkInterface) else []
    return [arm(id) for id in ids]


def _rows(route: EffectiveRoute, routes: EffectiveRoutes) -> Iterator[Row]:
    if (route.state or "Active").casefold() != "active":
        return
    kind = hop_kind(route.next_hop_type)
    for text in route.prefixes:
        prefix = parse(text)
        if prefix:
            name = f"{arm(routes.ref.parent).name}/{route.name or text}"
            yield Row(
                text,
                prefix,
                _rank(route, kind),
                kind,
                "EffectiveRoute",
                name,
                route.hop,
                routes.ref,
            )


def _rank(route: EffectiveRoute, kind: HopKind) -> int:
    source = (route.source or "").replace(" ", "").casefold()
    if source == "user":
        return USER
    if source == "virtualnetworkgateway" or kind is HopKind.GATEWAY:
        return GATEWAY
    return FALLBACK if kind in {HopKind.INTERNET, HopKind.DROPPED} else SYSTEM

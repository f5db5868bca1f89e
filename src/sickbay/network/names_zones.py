"""Private DNS zones: which one answers a virtual network for a name, and with what."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from sickbay.model.azure import PrivateDnsZone
from sickbay.model.entity import Entity
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref, arm
from sickbay.model.naming import (
    AddressRecords,
    AliasRecord,
    LongAddressRecords,
    RecordSet,
    ZoneLink,
)
from sickbay.model.snapshot import Snapshot
from sickbay.network.names_answers import plain
from sickbay.network.traffic import Decider

E = TypeVar("E", bound=Entity)

_APEX: Final = "@"
_MOST_NAMED: Final = 3
_RECORDS: Final[tuple[type[RecordSet], ...]] = (AddressRecords, LongAddressRecords, AliasRecord)
_PRIVATE_LINK: Final = "privatelink."


class Zone(NamedTuple):
    """A private DNS zone, with its links by network and its records by relative name."""

    ref: Ref
    links: dict[str, ZoneLink]
    records: dict[str, list[RecordSet]]
    has_all_links: bool
    has_all_records: bool

    @property
    def name(self) -> str:
        return plain(self.ref.name)

    def decider(self, says: str) -> Decider:
        return Decider("PrivateDnsZone", self.name, says, self.ref)


class Held(StrEnum):
    RECORD = "record"
    ALIAS = "alias"
    EMPTY = "empty"  # the zone knows the name, and no address of it
    MISSING = "missing"
    UNREAD = "unread"


class ZoneAnswer(NamedTuple):
    """What a linked zone says of a name."""

    zone: Zone
    link: ZoneLink
    held: Held
    addresses: tuple[str, ...] = ()
    alias: str = ""
    record: RecordSet | None = None


class Search(NamedTuple):
    """The zone that answers a network, if one does, and those of the same name that do not.

    `doubts` are zones whose links were not all read: one may be linked after all.
    """

    answer: ZoneAnswer | None
    passed: tuple[Decider, ...] = ()
    doubts: tuple[Gap, ...] = ()
    unlinked: tuple[Zone, ...] = ()


def search(snapshot: Snapshot, network: str, name: str) -> Search:
    """Find the zone with the longest matching name that is linked to a network (its key)."""
    zones = zones_of(snapshot)
    passed: list[Decider] = []
    doubts: list[Gap] = []
    unlinked: list[Zone] = []
    for suffix in suffixes(name):
        for zone in zones.get(suffix, ()):
            link = zone.links.get(network)
            if link is not None:
                answer = _ask(zone, link, name)
                return Search(answer, tuple(passed), tuple(doubts), tuple(unlinked))
            unlinked.append(zone)
            passed.append(zone.decider(_where_linked(zone, network)))
            if not zone.has_all_links:
                doubts.append(links_gap(zone))
    return Search(None, tuple(passed), tuple(doubts), tuple(unlinked))


def zones_of(snapshot: Snapshot) -> dict[str, tuple[Zone, ...]]:
    """Every private zone that evidence speaks of, by name; made once."""
    return snapshot.once(_index)


def suffixes(name: str) -> Iterator[str]:
    """A name and all that it lies below, the longest first."""
    while name:
        yield name
        name = name.partition(".")[2]


def links_gap(zone: Zone) -> Gap:
    look = f"az network private-dns link vnet list -g {zone.ref.group} -z {zone.ref.name} -o json"
    return Gap(ZoneLink.kind, f"the links of private DNS zone {zone.name}", to_open=look)


def records_gap(zone: Zone) -> Gap:
    look = f"az network private-dns record-set list -g {zone.ref.group} -z {zone.ref.name} -o json"
    return Gap(AddressRecords.kind, f"the records of private DNS zone {zone.name}", to_open=look)


def _index(snapshot: Snapshot) -> dict[str, tuple[Zone, ...]]:
    links: dict[Ref, list[ZoneLink]] = {}
    records: dict[Ref, list[RecordSet]] = {}
    found = {zone.ref: zone for zone in present(snapshot, PrivateDnsZone)}
    for link in present(snapshot, ZoneLink):
        links.setdefault(arm(link.ref.parent), []).append(link)
    for kind in _RECORDS:
        for record in present(snapshot, kind):
            records.setdefault(arm(record.ref.parent), []).append(record)
    by_name: dict[str, list[Zone]] = {}
    for ref in sorted({*found, *links, *records}):
        linked = {link.network_key: link for link in sorted(links.get(ref, []), key=_by_id)}
        promised = found[ref].number_of_virtual_network_links if ref in found else None
        if promised is None:
            # A list of the zone's records looks like an inventory of the zone, and holds no link.
            has_links = bool(linked) and snapshot.has_seen(ZoneLink.kind, ref.id)
        else:
            has_links = len(links.get(ref, [])) >= promised
        names: dict[str, list[RecordSet]] = {}
        for record in sorted(records.get(ref, []), key=_by_id):
            names.setdefault(plain(record.ref.name), []).append(record)
        zone = Zone(ref, linked, names, has_links, _has_all_records(snapshot, ref))
        by_name.setdefault(zone.name, []).append(zone)
    return {name: tuple(zones) for name, zones in by_name.items()}


def _has_all_records(snapshot: Snapshot, zone: Ref) -> bool:
    # What Azure itself writes into the zones of private links are address records only.
    is_private_link = plain(zone.name).partition(".privatelink.")[2] or plain(zone.name).startswith(
        _PRIVATE_LINK
    )
    kinds = (AddressRecords.kind,) if is_private_link else (AddressRecords.kind, AliasRecord.kind)
    return all(snapshot.has_seen(kind, zone.id) for kind in kinds)


def _by_id(entity: RecordSet | ZoneLink) -> tuple[str, str]:
    return (entity.ref.key, entity.id)


def present(snapshot: Snapshot, kind: type[E]) -> tuple[E, ...]:
    """The entities of a kind that are in evidence, be they none."""
    return snapshot.grouped(kind, "kind", kind.kind)


def _ask(zone: Zone, link: ZoneLink, name: str) -> ZoneAnswer:
    relative = name[: -len(zone.name)].rstrip(".") if name != zone.name else _APEX
    sets = zone.records.get(relative) or _wildcard(zone, relative)
    if not sets:
        held = Held.MISSING if zone.has_all_records else Held.UNREAD
        return ZoneAnswer(zone, link, held)
    addresses = tuple(address for one in sets for address in one.addresses)
    alias = next((one.alias for one in sets if one.alias), "")
    if alias and not addresses:
        return ZoneAnswer(zone, link, Held.ALIAS, (), plain(alias), sets[0])
    held = Held.RECORD if addresses else Held.EMPTY
    return ZoneAnswer(zone, link, held, addresses, "", sets[0])


def _wildcard(zone: Zone, relative: str) -> list[RecordSet]:
    """The records of `*` at the nearest name above that exists."""
    above = relative
    while above:
        above = above.partition(".")[2]
        star = f"*.{above}" if above else "*"
        if star in zone.records:
            return zone.records[star]
        if above in zone.records:
            return []
    return []


def _where_linked(zone: Zone, network: str) -> str:
    here = network.rpartition("/")[2] or "the network"
    others = sorted(key.rpartition("/")[2] for key in zone.links)[:_MOST_NAMED]
    if not zone.has_all_links:
        return f"may be linked to {here}: not all of its links were read"
    if not others:
        return f"is linked to no network, so not to {here}"
    return f"is not linked to {here}, only to {', '.join(others)}"

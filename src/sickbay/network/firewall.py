"""Whether an appliance on the way lets a flow pass: an Azure Firewall by its rules."""

from typing import NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.routing import AzureFirewall, LoadBalancer
from sickbay.model.snapshot import Snapshot
from sickbay.network.firewall_match import Matcher, TagNames
from sickbay.network.firewall_rules import Book, Ruled, book_of
from sickbay.network.flow import Flow
from sickbay.network.nsg_ranges import Match
from sickbay.network.traffic import Decider, Decision, Verdict

_AKS_TAG = "azurekubernetesservice"


class _Doubt(NamedTuple):
    """A rule that may match, and what would tell."""

    ruled: Ruled
    gaps: tuple[Gap, ...]


def decide(
    snapshot: Snapshot, appliance_address: str, flow: Flow, names_of: TagNames | None = None
) -> Decision:
    """What the appliance at an address says of a flow that is routed to it.

    NAT rules are asked first, then network rules, then application rules; within each the parent
    policy first, then by the priority of group and collection; what no rule matches is denied.
    `names_of` gives the names behind an FQDN tag; without it only the one of AKS is known. An
    appliance of another make, or one that was not read, is UNKNOWN.
    """
    firewalls = snapshot.once(_firewalls).get(appliance_address, ())
    if not firewalls:
        return _stranger(snapshot, appliance_address)
    decisions = [_asked(snapshot, one, flow, names_of) for one in firewalls]
    if len({decision.verdict for decision in decisions}) == 1:
        return decisions[0]
    names = " and ".join(one.name or one.ref.name for one in firewalls)
    gap = Gap(AzureFirewall.kind, f"which of {names} is meant by {appliance_address}")
    by = tuple(decider for decision in decisions for decider in decision.by)
    return Decision(Verdict.UNKNOWN, by, (), (gap,))


def is_firewall(snapshot: Snapshot, address: str) -> bool:
    return address in snapshot.once(_firewalls)


def firewalls_at(snapshot: Snapshot, address: str) -> tuple[AzureFirewall, ...]:
    """The Azure Firewalls in evidence that have a private address."""
    return snapshot.once(_firewalls).get(address, ())


def _firewalls(snapshot: Snapshot) -> dict[str, tuple[AzureFirewall, ...]]:
    found: dict[str, tuple[AzureFirewall, ...]] = {}
    every = snapshot.grouped(AzureFirewall, "kind", AzureFirewall.kind)
    for firewall in sorted(every, key=lambda one: one.ref):
        for address in dict.fromkeys(firewall.private_addresses):
            found[address] = (*found.get(address, ()), firewall)
    return found


class _Books:
    """The rules of each firewall, sorted once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._made: dict[str, Book] = {}

    def of(self, firewall: AzureFirewall) -> Book:
        key = firewall.ref.key
        if key not in self._made:
            self._made[key] = book_of(self._snapshot, firewall)
        return self._made[key]


def _books(snapshot: Snapshot) -> _Books:
    return _Books(snapshot)


def _asked(
    snapshot: Snapshot, firewall: AzureFirewall, flow: Flow, names_of: TagNames | None
) -> Decision:
    book = snapshot.once(_books).of(firewall)
    names = names_of or _names_for(firewall)
    matcher = Matcher(snapshot, flow, names, has_dns_proxy=book.has_dns_proxy)
    considered: list[Decider] = []
    doubts: list[_Doubt] = []
    allows, by = False, _by_default(firewall, book, flow)
    for ruled in book.rules:
        matched = matcher.match(ruled)
        considered.append(_decider(ruled, matched.match, flow))
        if matched.match is Match.YES:
            allows, by = ruled.allows, considered[-1]
            break
        if matched.match is Match.MAYBE:
            doubts.append(_Doubt(ruled, matched.gaps))
    else:
        considered.append(by)
    against = [doubt for doubt in doubts if doubt.ruled.allows != allows]
    if against or book.gaps:
        return _open(against, book, by, considered, flow)
    verdict = Verdict.ALLOWED if allows else Verdict.BLOCKED
    return Decision(verdict, (by,), tuple(considered))


def _open(
    against: list[_Doubt], book: Book, by: Decider, considered: list[Decider], flow: Flow
) -> Decision:
    gaps = (*book.gaps, *(gap for doubt in against for gap in doubt.gaps))
    deciders = tuple(_decider(doubt.ruled, Match.MAYBE, flow) for doubt in against)
    if not deciders:
        deciders = (by._replace(says=f"decides by rules that were not read: {gaps[0].what}"),)
    return Decision(Verdict.UNKNOWN, deciders, tuple(considered), tuple(dict.fromkeys(gaps)))


def _names_for(firewall: AzureFirewall) -> TagNames:
    def names(tag: str) -> frozenset[str] | None:
        if tag.casefold() != _AKS_TAG:
            return None
        from sickbay.network.egress import behind_tag  # noqa: PLC0415 - a large table, seldom asked

        return behind_tag(firewall.location or "")

    return names


def _by_default(firewall: AzureFirewall, book: Book, flow: Flow) -> Decider:
    name = firewall.name or firewall.ref.name
    says = f"denies {_traffic(flow)} by default: none of its {len(book.rules)} rules matches"
    return Decider("AzureFirewall", name, says, firewall.ref)


def _decider(ruled: Ruled, match: Match, flow: Flow) -> Decider:
    verb = "allows" if ruled.allows else "denies"
    says = {
        Match.YES: f"{verb} {_traffic(flow)} at {ruled.priorities}",
        Match.MAYBE: f"{verb} at {ruled.priorities} what may include {_traffic(flow)}",
        Match.NO: f"does not match {_traffic(flow)}",
    }[match]
    return Decider(ruled.kin, ruled.name, says, ruled.ref)


def _traffic(flow: Flow) -> str:
    port = "" if flow.port is None else f" {flow.port}"
    return f"{flow.protocol}{port} to {flow.destination_fqdn or flow.destination or 'anywhere'}"


def _stranger(snapshot: Snapshot, address: str) -> Decision:
    """An appliance whose rules are not in evidence, named as well as possible."""
    front = snapshot.once(_fronts).get(address, "")
    behind = f" behind the load balancer {front}" if front else ""
    is_other = snapshot.has_seen(AzureFirewall.kind)
    look = "" if is_other else AzureFirewall.look
    gap = Gap(AzureFirewall.kind, f"the rules of the appliance {address}{behind}", to_open=look)
    says = f"decides by rules that were not read{behind}"
    return Decision(Verdict.UNKNOWN, (Decider("VirtualAppliance", address, says),), (), (gap,))


def _fronts(snapshot: Snapshot) -> dict[str, str]:
    """The load balancer that has a private address."""
    return {
        front.private_ip_address: balancer.name or balancer.ref.name
        for balancer in sorted(
            snapshot.grouped(LoadBalancer, "kind", LoadBalancer.kind), key=lambda one: one.ref
        )
        for front in balancer.frontend_ip_configurations or ()
        if front.private_ip_address
    }

"""What Azure's own DNS answers a virtual network: zones, private links, forwarding rules."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from sickbay.model.azure import PrivateDnsZone
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref, arm
from sickbay.model.naming import ForwardingRule, ForwardingRulesetLink
from sickbay.model.snapshot import Snapshot
from sickbay.network.names_answers import Resolution, answered, plain
from sickbay.network.names_endpoints import (
    addresses_of,
    known_names,
    server_addresses,
    server_endpoint,
)
from sickbay.network.names_public import PUBLIC_DNS, ask_public
from sickbay.network.names_zones import (
    Held,
    Search,
    ZoneAnswer,
    present,
    records_gap,
    search,
    zones_of,
)
from sickbay.network.traffic import Decider, Verdict

_PRIVATE_LINK: Final = "privatelink"
# Where the zone of a private link is not named after the service.
_OTHER_ZONES: Final = {"vault.azure.net": "privatelink.vaultcore.azure.net"}


class Ways(NamedTuple):
    """How to go on with a name: ask the same network again, or certain servers."""

    again: Callable[[str], Resolution]
    servers: Callable[[list[str], str], Resolution]


def ask_azure(snapshot: Snapshot, network: str, name: str, ways: Ways) -> Resolution:
    """Answer as 168.63.129.16 does for a virtual network (its key).

    The longest zone that is linked answers, also that a name does not exist; then the forwarding
    rules that are linked; then public DNS, which leads names of private links back to zones.
    """
    found = search(snapshot, network, name)
    if found.answer is not None:
        resolution = _of_zone(snapshot, found.answer, name, ways)
    else:
        resolution = _elsewhere(snapshot, network, name, ways)
        is_guess = _is_public(resolution) and not found.unlinked
        if is_guess and not _has_all_zones(snapshot, network, name):
            resolution = resolution.doubted(_zones_gap(name))
    for doubt in found.doubts:
        resolution = resolution.doubted(doubt)
    return _blamed(found, resolution).after(found.passed)


def _has_all_zones(snapshot: Snapshot, network: str, name: str) -> bool:
    """Whether a zone for the name, if there were one, would be in evidence."""
    # A zone has two labels at least.
    if "." not in name:
        return True
    scopes = [f"/subscriptions/{arm(network).subscription}" if network else ""]
    cluster = known_names(snapshot).clusters.get(name)
    access = cluster.api_server_access_profile if cluster else None
    zone = (access and access.private_dns_zone) or ""
    if cluster:
        scopes.append(zone if arm(zone).is_arm else cluster.node_group_id or scopes[0])
    return any(snapshot.has_seen(PrivateDnsZone.kind, scope) for scope in scopes)


def _zones_gap(name: str) -> Gap:
    what = f"whether a private DNS zone for {name} is linked to the network"
    return Gap(PrivateDnsZone.kind, what, to_open=PrivateDnsZone.look)


def _blamed(found: Search, resolution: Resolution) -> Resolution:
    """A name that public DNS does not know is missing for want of a link, if there is a zone."""
    if found.answer or not found.unlinked or resolution.verdict is Verdict.ALLOWED:
        return resolution
    if not _is_public(resolution):
        return resolution
    return resolution._replace(answered_by=found.passed[0])


def _is_public(resolution: Resolution) -> bool:
    return resolution.answered_by is not None and resolution.answered_by.kind == PUBLIC_DNS


def _of_zone(snapshot: Snapshot, answer: ZoneAnswer, name: str, ways: Ways) -> Resolution:
    zone = answer.zone
    if not answer.link.is_complete:
        state = answer.link.virtual_network_link_state
        by = zone.decider(f"has link {answer.link.name} in state {state}, which may not answer yet")
        return answered(Verdict.UNKNOWN, by, answer.addresses)
    match answer.held:
        case Held.RECORD:
            return _of_record(snapshot, answer, name)
        case Held.ALIAS:
            by = zone.decider(f"holds {name} as another name of {answer.alias}")
            return ways.again(answer.alias).after((by,))
        case Held.EMPTY:
            return answered(Verdict.BLOCKED, zone.decider(f"holds {name} without an address"))
        case Held.UNREAD:
            by = zone.decider(f"answers for {name}, and its records were not read")
            return answered(Verdict.UNKNOWN, by, (), records_gap(zone))
        case Held.MISSING:
            return _of_missing(snapshot, answer, name)


def _of_missing(snapshot: Snapshot, answer: ZoneAnswer, name: str) -> Resolution:
    zone = answer.zone
    if answer.link.asks_the_internet:
        by = zone.decider(f"holds no {name}, and link {answer.link.name} asks public DNS instead")
        return ask_public(snapshot, name).after((by,))
    says = f"holds no {name}, and answers that it does not exist; public DNS is not asked"
    return answered(Verdict.BLOCKED, zone.decider(says))


def _of_record(snapshot: Snapshot, answer: ZoneAnswer, name: str) -> Resolution:
    held = ", ".join(answer.addresses)
    zone = answer.zone
    cluster = known_names(snapshot).clusters.get(name)
    real = server_addresses(snapshot, cluster) if cluster else ()
    if cluster and real and not set(real) & set(answer.addresses):
        endpoint = server_endpoint(snapshot, cluster)
        whose = f"private endpoint {endpoint.name}" if endpoint else "the API server"
        by = zone.decider(f"holds {held} for {name}, but {whose} has {', '.join(real)}")
        return answered(Verdict.BLOCKED, by, answer.addresses)
    return answered(Verdict.ALLOWED, zone.decider(f"holds {held} for {name}"), answer.addresses)


def _elsewhere(snapshot: Snapshot, network: str, name: str, ways: Ways) -> Resolution:
    rule = _forwarding(snapshot, network, name)
    if rule is not None:
        targets = [one.ip_address for one in rule.target_dns_servers or () if one.ip_address]
        says = f"forwards {plain(rule.domain_name or '') or '.'} to {', '.join(targets)}"
        by = Decider("DnsForwardingRule", _of_ruleset(rule), says, rule.ref)
        if not targets:
            return answered(Verdict.UNKNOWN, by)
        return ways.servers(targets, name).after((by,))
    linked = _through_link(snapshot, network, name, ways)
    return linked or ask_public(snapshot, name)


def _through_link(snapshot: Snapshot, network: str, name: str, ways: Ways) -> Resolution | None:
    """A name of a private link: public DNS answers with its other name, and a zone holds that."""
    endpoint = known_names(snapshot).endpoints.get(name)
    for alias in _aliases(snapshot, name):
        found = search(snapshot, network, alias)
        if found.answer is None:
            public = ask_public(snapshot, name)
            if endpoint:
                public = public.after((_unused(snapshot, network, name),))
            for doubt in found.doubts:
                public = public.doubted(doubt)
            return public.after(found.passed)
        is_there = found.answer.held in {Held.RECORD, Held.ALIAS}
        if is_there or endpoint or found.answer.held is Held.UNREAD:
            return _of_zone(snapshot, found.answer, alias, ways)
        by = found.answer.zone.decider(f"is linked and holds no {alias}")
        return ask_public(snapshot, name).after((by,))
    return None


def _unused(snapshot: Snapshot, network: str, name: str) -> Decider:
    endpoint = known_names(snapshot).endpoints[name]
    addresses = ", ".join(addresses_of(snapshot, endpoint)) or "a private address"
    here = network.rpartition("/")[2] or "the network"
    says = f"has {addresses} for {name}, which {here} does not get: no linked zone holds it"
    return Decider("PrivateEndpoint", endpoint.name, says, endpoint.ref)


def _aliases(snapshot: Snapshot, name: str) -> Iterator[str]:
    """The names in zones of private links, among those in evidence, that a name leads to."""
    zones = zones_of(snapshot)
    before, _, after = name.partition(".")
    while after:
        zone = _OTHER_ZONES.get(after, f"{_PRIVATE_LINK}.{after}")
        if zone in zones:
            yield f"{before}.{zone}"
        label, _, after = after.partition(".")
        before = f"{before}.{label}"


def _forwarding(snapshot: Snapshot, network: str, name: str) -> ForwardingRule | None:
    """The rule with the longest matching domain in the rulesets that are linked to a network."""
    fitting = [
        (len(domain), rule)
        for ruleset in snapshot.once(_rulesets).get(network, ())
        for domain, rule in snapshot.once(_rules).get(ruleset, ())
        if not domain or name == domain or name.endswith(f".{domain}")
    ]
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


def _rulesets(snapshot: Snapshot) -> dict[str, list[Ref]]:
    found: dict[str, list[Ref]] = {}
    for link in sorted(present(snapshot, ForwardingRulesetLink), key=lambda one: one.ref):
        found.setdefault(link.network_key, []).append(arm(link.ref.parent))
    return found


def _rules(snapshot: Snapshot) -> dict[Ref, list[tuple[str, ForwardingRule]]]:
    found: dict[Ref, list[tuple[str, ForwardingRule]]] = {}
    for rule in sorted(present(snapshot, ForwardingRule), key=lambda one: one.ref):
        if rule.is_on:
            domain = plain(rule.domain_name or "")
            found.setdefault(arm(rule.ref.parent), []).append((domain, rule))
    return found


def _of_ruleset(rule: ForwardingRule) -> str:
    return f"{arm(rule.ref.parent).name}/{rule.name or rule.ref.name}"

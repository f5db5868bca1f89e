"""Whether a security rule applies to a flow: yes, no, or not to be told from the evidence."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sickbay.model.ids import Ref, arm
from sickbay.model.security import NetworkInterface, ScaleSetInterface, ServiceTags
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_ranges import Match, Ranges, is_public, ranges
from sickbay.network.nsg_space import Doubt, Space, evident
from sickbay.network.nsg_terms import Party, Ports, Span, Terms
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.service_tags import TagBook, of_address, of_name

_HAS_PORTS: Final = frozenset({"tcp", "udp", "sctp"})
# Clients and translators take their own ports from here.
_CLIENT_PORTS: Final[Span] = (1024, 65535)
_ASK_AGAIN: Final = "ask again with the address of the one client"
_INTERNET: Final = ranges([parse("0.0.0.0/0"), parse("::/0")])


class Answer(NamedTuple):
    """Whether something applies; for a maybe, why it is one and what would tell."""

    match: Match
    why: str = ""
    to_open: str = ""


YES: Final = Answer(Match.YES)
NO: Final = Answer(Match.NO)


class End(NamedTuple):
    """One end of a flow.

    Its address, or that it is any public one. `own_tag` is the service tag that the name of the
    destination falls under, `is_named` that its public name is all that is known.
    """

    prefix: Prefix | None = None
    is_internet: bool = False
    is_named: bool = False
    own_tag: str = ""

    @property
    def is_public(self) -> bool:
        return self.is_internet or self.is_named or bool(self.prefix and is_public(self.prefix))


class Question(NamedTuple):
    """A flow as the rules are asked about it."""

    source: End
    destination: End
    protocol: str
    port: int | None


class Lore(NamedTuple):
    """What one has to know beside the rules: what tags and groups stand for here."""

    tags: TagBook
    space: Space
    groups: dict[Prefix, frozenset[Ref]]


def applies(rule: Terms, question: Question, lore: Lore) -> Answer:
    """Whether a rule of the right direction applies to a flow."""
    least = YES
    for answer in _conditions(rule, question, lore):
        if answer.match is Match.NO:
            return answer
        if answer.match < least.match:
            least = answer
    return least


def memberships(snapshot: Snapshot) -> dict[Prefix, frozenset[Ref]]:
    """The application security groups of every address that an interface in evidence has."""
    found: dict[Prefix, frozenset[Ref]] = {}
    for nic in interfaces(snapshot):
        for part in nic.ip_configurations or ():
            address = parse(part.private_ip_address or "")
            if address:
                groups = part.application_security_groups or ()
                refs = frozenset(arm(group.id) for group in groups if group.id)
                found[address] = found.get(address, frozenset()) | refs
    return found


def interfaces(snapshot: Snapshot) -> tuple[NetworkInterface, ...]:
    """Every network interface in evidence, of machines and of scale sets."""
    return snapshot.once(_interfaces)


def _interfaces(snapshot: Snapshot) -> tuple[NetworkInterface, ...]:
    alone = [nic for nic in evident(snapshot, NetworkInterface) if type(nic) is NetworkInterface]
    return (*alone, *evident(snapshot, ScaleSetInterface))


def _conditions(rule: Terms, question: Question, lore: Lore) -> Iterator[Answer]:
    yield _protocol(rule.protocol, question.protocol)
    yield _port(rule.destination_ports, question)
    yield _party(rule.source, question.source, rule, lore)
    yield _party(rule.destination, question.destination, rule, lore)
    yield _source_port(rule.source_ports, question.protocol)


def _protocol(asked: str, protocol: str) -> Answer:
    if not asked:
        return Answer(Match.MAYBE, "its protocol is not told")
    return YES if asked in ("*", protocol) else NO


def _port(ports: Ports, question: Question) -> Answer:
    if ports.is_any:
        return YES
    if question.protocol not in _HAS_PORTS:
        return Answer(Match.MAYBE, f"it names ports, which {question.protocol.upper()} has not")
    if question.port is None:
        return Answer(Match.MAYBE, "it names ports, and the port is not told", "ask for one port")
    if ports.hold(question.port):
        return YES
    return NO if ports.is_read else Answer(Match.MAYBE, "its ports could not be read")


def _source_port(ports: Ports, protocol: str) -> Answer:
    if not ports.said or protocol not in _HAS_PORTS:
        return YES
    low, high = _CLIENT_PORTS
    if any(first <= low and high <= last for first, last in ports.spans):
        return YES
    return Answer(Match.MAYBE, f"it asks for source port {', '.join(ports.said[:3])}")


def _party(party: Party, end: End, rule: Terms, lore: Lore) -> Answer:
    if party.is_any:
        return YES
    best = NO if party.is_read else Answer(Match.MAYBE, "its addresses could not be read")
    for answer in _readings(party, end, rule, lore):
        if answer.match is Match.YES:
            return answer
        if answer.match > best.match:
            best = answer
    return best


def _readings(party: Party, end: End, rule: Terms, lore: Lore) -> Iterator[Answer]:
    if party.held:
        yield _held(party.held, end)
    for tag in party.tags:
        yield _tagged(tag, end, rule, lore)
    for group in party.groups:
        yield _grouped(group, end, lore)


def _held(held: Ranges, end: End) -> Answer:
    if end.prefix:
        match = held.holds(end.prefix)
        some = f"it holds for a part of {_text(end.prefix)} only"
        return Answer(match, some if match is Match.MAYBE else "")
    if not end.is_public:
        return Answer(Match.MAYBE, "the address is not known")
    if _is_whole(held):
        return YES
    if not _has_public(held):
        return NO
    why = "it holds for some public addresses only"
    return Answer(Match.MAYBE, why, _ASK_AGAIN if end.is_internet else "")


def _is_whole(held: Ranges) -> bool:
    """Whether a set holds all of the internet, of one version of it at least."""
    return any(
        start in held.starts and held.ends[held.starts.index(start)] == last
        for start, last in zip(_INTERNET.starts, _INTERNET.ends, strict=True)
    )


def _has_public(held: Ranges) -> bool:
    spans = zip(held.starts, held.ends, strict=True)
    return any(is_public(Prefix(version, first, last)) for (version, first), last in spans)


def _tagged(tag: str, end: End, rule: Terms, lore: Lore) -> Answer:
    name = tag.casefold()
    if name in ("virtualnetwork", "virtual_network"):
        return _in_network(end, lore.space, is_default=rule.is_default)
    if name == "internet":
        return _in_internet(end, lore.space)
    if end.prefix:
        match = of_address(lore.tags, tag, end.prefix)
        if match is Match.MAYBE and end.own_tag:
            match = of_name(tag, end.own_tag)
    elif end.own_tag:
        match = of_name(tag, end.own_tag)
    else:
        match = _somewhere(name, end)
    return Answer(match, f"the ranges of {tag} were not read", ServiceTags.look)


def _somewhere(tag: str, end: End) -> Match:
    """Of an end without an address: the platform's own answer is none of the internet."""
    is_platform = tag == "azureloadbalancer" or tag.startswith("azureplatform")
    return Match.NO if end.is_public and is_platform else Match.MAYBE


def _in_network(end: End, space: Space, *, is_default: bool) -> Answer:
    if end.prefix is None and not end.is_public:
        return Answer(Match.MAYBE, "the address is not known")
    match = space.holds(end.prefix) if end.prefix else Match.NO
    if match is Match.YES:
        return YES
    if end.prefix and space.pods.holds(end.prefix) is Match.YES:
        # Documented: pods pass as long as no rule of the user's denies it.
        why = "whether VirtualNetwork holds the pod range is not documented"
        return YES if is_default else Answer(Match.MAYBE, why, "name the pod range in the rule")
    if end.is_public:
        return _by_default_route(space)
    doubt = (
        space.doubts[0] if space.doubts else Doubt("it holds for some of the addresses only", "")
    )
    return NO if match is Match.NO else Answer(match, doubt.why, doubt.to_open)


def _by_default_route(space: Space) -> Answer:
    """With a default route of the user's the tag can hold every address."""
    if not space.has_default_route:
        return NO
    why = "VirtualNetwork may hold every address, for the subnet has a default route"
    look = "az network nic list-effective-nsg -g {node_resource_group} -n <nic> -o json"
    return Answer(Match.MAYBE, why, look)


def _in_internet(end: End, space: Space) -> Answer:
    if end.prefix is None:
        return YES if end.is_public else Answer(Match.MAYBE, "the address is not known")
    if not is_public(end.prefix):
        return NO
    return NO if space.known.holds(end.prefix) is Match.YES else YES


def _grouped(group: Ref, end: End, lore: Lore) -> Answer:
    if end.prefix is None:
        return NO if end.is_public else Answer(Match.MAYBE, "the address is not known")
    if is_public(end.prefix):
        return NO
    known = lore.groups.get(end.prefix)
    if known is None:
        why = f"whether {_text(end.prefix)} is in {group.name} was not read"
        return Answer(Match.MAYBE, why, NetworkInterface.look)
    return YES if group in known else NO


def _text(prefix: Prefix) -> str:
    from ipaddress import ip_address  # noqa: PLC0415 - asked for a doubt or a group only

    # By its version: a small IPv6 number would read as an IPv4 address.
    packed = prefix.first.to_bytes(4 if prefix.version == 4 else 16, "big")  # noqa: PLR2004
    address = str(ip_address(packed))
    return address if prefix.size == 1 else f"{address}/{prefix.length}"

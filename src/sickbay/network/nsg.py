"""Network security groups: would a flow pass, and which rule decides."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.ids import arm
from sickbay.model.security import NetworkSecurityGroup, ServiceTags
from sickbay.model.snapshot import Snapshot
from sickbay.network.flow import Flow
from sickbay.network.nsg_groups import Group, Layer, at_interface, at_subnet, is_ungoverned
from sickbay.network.nsg_match import Answer, End, Lore, Question, applies, memberships
from sickbay.network.nsg_ranges import Match
from sickbay.network.nsg_space import space_of
from sickbay.network.nsg_terms import Terms
from sickbay.network.nsg_words import judged, says
from sickbay.network.prefixes import parse
from sickbay.network.service_tags import (
    HOST_ADDRESS,
    METADATA_ADDRESS,
    is_public_name,
    tag_book,
    tags_of_name,
)
from sickbay.network.traffic import Decider, Decision, Verdict, all_of

Direction = Literal["Inbound", "Outbound"]

_KIND: Final = "NetworkSecurityGroup"
_HIGHEST_PORT: Final = 65535
# The only tags by which a rule reaches what the platform itself answers.
_PLATFORM: Final = {HOST_ADDRESS: "azureplatformdns", METADATA_ADDRESS: "azureplatformimds"}


class Crossing(NamedTuple):
    """Where a flow enters or leaves a machine: the ARM ids of its subnet and its interface."""

    direction: Direction
    subnet: str
    nic: str = ""


class _Asked(NamedTuple):
    rule: Terms
    answer: Answer


def decide(snapshot: Snapshot, crossing: Crossing, flow: Flow) -> Decision | None:
    """Whether a flow that somebody opens passes the groups at a crossing; replies always do.

    None when nobody saved what stands there. A part that nobody saved is a gap of the decision and
    does not make it unknown. Traffic inside one machine never meets a group: do not ask. What comes
    through a load balancer of AKS still bears the address of the frontend and the service's port.
    """
    layers = _layers(snapshot, crossing)
    if all(layer.gap for layer in layers):
        return None
    if crossing.direction == "Inbound" and is_ungoverned(snapshot, crossing.subnet, flow):
        return Decision(Verdict.ALLOWED, considered=(_ungoverned(crossing.subnet),))
    asked = [
        _decide_layers(layers, crossing, question, _lore(snapshot, crossing))
        for question in _questions(flow)
    ]
    return asked[0] if len(asked) == 1 else _agreed(asked, flow)


def _ungoverned(subnet: str) -> Decider:
    text = "applies no network security group to its private endpoints"
    return Decider("Subnet", arm(subnet).name, text, arm(subnet))


def ports_that_matter(snapshot: Snapshot, crossing: Crossing, protocol: str) -> tuple[int, ...]:
    """One port of every stretch of ports that the rules of a crossing treat alike."""
    wanted = protocol.casefold()
    starts = {1}
    for layer in _layers(snapshot, crossing):
        for rule in _facing(layer.group, crossing) if layer.group else ():
            if rule.protocol in ("*", "", wanted):
                for first, last in rule.destination_ports.spans:
                    starts |= {max(first, 1), last + 1}
    return tuple(sorted(port for port in starts if port <= _HIGHEST_PORT))


def _layers(snapshot: Snapshot, crossing: Crossing) -> list[Layer]:
    """What is asked, in order: outbound the interface comes first, inbound the subnet."""
    subnet = at_subnet(snapshot, crossing.subnet)
    interface = at_interface(snapshot, crossing.nic)
    order = (interface, subnet) if crossing.direction == "Outbound" else (subnet, interface)
    return [layer for layer in order if layer]


def _lore(snapshot: Snapshot, crossing: Crossing) -> Lore:
    return Lore(tag_book(snapshot), space_of(snapshot, crossing.subnet), snapshot.once(memberships))


def _questions(flow: Flow) -> list[Question]:
    """The flow, once for each part of the service behind the name of its destination."""
    source = End(parse(flow.source), flow.source_is_internet and not flow.source)
    address = parse(flow.destination)
    is_named = address is None and is_public_name(flow.destination_fqdn)
    tags = tags_of_name(flow.destination_fqdn) if address or is_named else ()
    return [
        Question(
            source,
            End(address, is_named=is_named, own_tag=tag),
            flow.protocol.strip().casefold(),
            flow.port,
        )
        for tag in tags or ("",)
    ]


def _decide_layers(
    layers: list[Layer], crossing: Crossing, question: Question, lore: Lore
) -> Decision:
    decided: list[Decision] = []
    for layer in layers:
        decided.append(_decide_layer(layer, crossing, question, lore))
        if decided[-1].verdict is Verdict.BLOCKED:
            break
    return all_of(decided)


def _decide_layer(layer: Layer, crossing: Crossing, question: Question, lore: Lore) -> Decision:
    if layer.gap:
        return Decision(Verdict.ALLOWED, gaps=(layer.gap,))
    group = layer.group
    if group is None:
        says_none = Decider(layer.kind, layer.ref.name, "has no network security group", layer.ref)
        return Decision(Verdict.ALLOWED, considered=(says_none,))
    if group.gap:
        unread = Decider(_KIND, group.name, f"was not read ({group.place})", group.ref)
        return Decision(Verdict.UNKNOWN, (unread,), (unread,), (group.gap,))
    return _decide_group(group, crossing, question, lore)


def _decide_group(group: Group, crossing: Crossing, question: Question, lore: Lore) -> Decision:
    asked = list(_asked(group, crossing, question, lore))
    considered = tuple(_considered(group, one) for one in asked)
    last = asked[-1] if asked and asked[-1].answer.match is Match.YES else None
    if last is None:
        return _unanswered(group, crossing, question, considered)
    # A rule that may apply changes nothing where it says the same as the one that does.
    other = [one for one in asked[:-1] if _may_differ(one, last.rule)]
    if not other and last.rule.access in ("allow", "deny"):
        verdict = Verdict.ALLOWED if last.rule.allows else Verdict.BLOCKED
        return Decision(verdict, (_decider(group, last.rule),), considered)
    by = tuple(_decider(group, one.rule) for one in [*other, last])
    gaps = tuple(dict.fromkeys(_gap(group, one) for one in other or [last]))
    return Decision(Verdict.UNKNOWN, by, considered, gaps)


def _asked(group: Group, crossing: Crossing, question: Question, lore: Lore) -> Iterator[_Asked]:
    """Ask the rules by priority, up to the first that surely applies."""
    tag = _platform_tag(crossing, question)
    for rule in _facing(group, crossing):
        if tag and tag not in (word.casefold() for word in rule.destination.tags):
            continue
        answer = applies(rule, question, lore)
        yield _Asked(rule, answer)
        if answer.match is Match.YES:
            return


def _facing(group: Group, crossing: Crossing) -> Iterable[Terms]:
    wanted = crossing.direction.casefold()
    return (rule for rule in group.rules if rule.direction == wanted)


def _platform_tag(crossing: Crossing, question: Question) -> str:
    """The tag that alone governs what machines ask of the platform; empty for other flows."""
    if crossing.direction != "Outbound" or question.destination.prefix is None:
        return ""
    for address, tag in _PLATFORM.items():
        if question.destination.prefix == parse(address):
            return tag
    return ""


def _may_differ(one: _Asked, last: Terms) -> bool:
    return one.answer.match is Match.MAYBE and one.rule.access != last.access


def _unanswered(
    group: Group, crossing: Crossing, question: Question, considered: tuple[Decider, ...]
) -> Decision:
    """No rule applies: the platform's own addresses pass; else not all rules were listed."""
    if _platform_tag(crossing, question):
        free = Decider(_KIND, group.name, f"does not govern the platform's address ({group.place})")
        return Decision(Verdict.ALLOWED, (free,), (*considered, free))
    what = f"the default rules of network security group {group.name}"
    look = f"az network nsg show --ids {group.ref.id} -o json"
    gap = Gap(NetworkSecurityGroup.kind, what, to_open=look)
    return Decision(Verdict.UNKNOWN, (), considered, (gap,))


def _decider(group: Group, rule: Terms) -> Decider:
    return Decider(_KIND, f"{group.name}/{rule.name}", says(rule, group.place), rule.ref)


def _considered(group: Group, asked: _Asked) -> Decider:
    text = judged(asked.rule, group.place, asked.answer)
    return _decider(group, asked.rule)._replace(says=text)


def _gap(group: Group, asked: _Asked) -> Gap:
    why = asked.answer.why or "what it does is not told"
    what = f"whether {group.name}/{asked.rule.name} applies: {why}"
    return Gap(NetworkSecurityGroup.kind, what, to_open=asked.answer.to_open)


def _agreed(decisions: list[Decision], flow: Flow) -> Decision:
    """What all parts of a service have in common; parts that fare differently leave it open."""
    verdicts = {decision.verdict for decision in decisions}
    if len(verdicts) == 1:
        return decisions[0]
    tags = ", ".join(tags_of_name(flow.destination_fqdn))
    what = f"under which of {tags} {flow.destination_fqdn} is served: they fare differently"
    open_question = Gap(ServiceTags.kind, what, to_open=ServiceTags.look)
    gaps = [gap for decision in decisions for gap in decision.gaps]
    return Decision(
        Verdict.UNKNOWN,
        tuple(dict.fromkeys(by for decision in decisions for by in decision.by)),
        tuple(dict.fromkeys(one for decision in decisions for one in decision.considered)),
        tuple(dict.fromkeys([open_question, *gaps])),
    )

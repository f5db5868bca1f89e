"""Puts a ruling about one other end into words: who decides, what was asked, what is not known."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.network.policy_gaps import (
    foreign_gap,
    gaps_of_step,
    named,
    node_gap,
    protocol_gap,
    tie_gap,
)
from sickbay.network.policy_ports import PROTOCOLS
from sickbay.network.policy_rules import UNRANKED, Action, Direction, Policy, Tier
from sickbay.network.policy_tiers import Ruling, Side, Step
from sickbay.network.traffic import Decider, Decision, Verdict

_VERBS: Final = {Action.ALLOW: "allows", Action.DENY: "denies", Action.PASS: "passes on"}
_TIERS: Final = (Tier.ADMIN, Tier.NAMESPACE, Tier.BASELINE)
_WORDS: Final = {Direction.INGRESS: "from", Direction.EGRESS: "to"}


class _Walk(NamedTuple):
    """The steps that were reached, and whether isolation was what ended the walk."""

    steps: tuple[Step, ...]
    is_isolated: bool


def decision_of(ruling: Ruling, side: Side) -> Decision:
    """The decision on the only one in the crowd."""
    can_allow, can_deny = ruling.allow & 1, ruling.deny & 1
    walk = _walked(ruling, side)
    considered = tuple(_considered(walk, side))
    if can_allow and can_deny:
        return Decision(
            Verdict.UNKNOWN,
            tuple(_undecided(walk, ruling, side)),
            considered,
            tuple(dict.fromkeys(_gaps(walk, ruling, side))),
        )
    if can_deny:
        return Decision(Verdict.BLOCKED, tuple(_deniers(walk, side)), considered)
    return Decision(Verdict.ALLOWED, tuple(_allowers(walk, side))[:1], considered)


def isolation(policy: Policy, side: Side) -> Decider:
    """How a policy that selects an end and does not let this traffic in stops it."""
    count = len(policy.rules[side.direction])
    start = f"isolates {side.end.label} for {side.direction}"
    if count == 0:
        return _decider(policy, f"{start} and allows nothing")
    which = "its only rule does not allow" if count == 1 else f"none of its {count} rules allows"
    return _decider(policy, f"{start}; {which} {_what(side)}")


def _walked(ruling: Ruling, side: Side) -> _Walk:
    reached: list[Step] = []
    for tier in _TIERS:
        ending = None
        for step in ruling.steps:
            if step.policy.tier is not tier:
                continue
            reached.append(step)
            if step.hit.yes & 1:
                ending = step
                break
        if ending is not None and ending.action is not Action.PASS:
            return _Walk(tuple(reached), is_isolated=False)
        if tier is Tier.NAMESPACE and _isolating(side) and ending is None:
            return _Walk(tuple(reached), is_isolated=True)
    return _Walk(tuple(reached), is_isolated=False)


def _isolating(side: Side) -> list[Policy]:
    return [policy for policy, _ in side.in_play.namespaced if not policy.problem]


def _considered(walk: _Walk, side: Side) -> Iterator[Decider]:
    for step in walk.steps:
        yield _spoken(step, side)
    if walk.is_isolated:
        if (side.exempt.yes | side.exempt.maybe) & 1:
            yield _own_node(side)
        for policy in _isolating(side) if not side.exempt.yes & 1 else ():
            yield isolation(policy, side)


def _deniers(walk: _Walk, side: Side) -> Iterator[Decider]:
    for step in walk.steps:
        if step.action is Action.DENY and _touched(step):
            yield _spoken(step, side)
    if walk.is_isolated:
        for policy in _isolating(side):
            yield isolation(policy, side)


def _allowers(walk: _Walk, side: Side) -> Iterator[Decider]:
    certain = [step for step in walk.steps if step.action is Action.ALLOW and step.hit.yes & 1]
    for step in certain or walk.steps:
        if step.action is Action.ALLOW and _touched(step):
            yield _spoken(step, side)


def _undecided(walk: _Walk, ruling: Ruling, side: Side) -> Iterator[Decider]:
    """The objects that leave it open."""
    yield from _rivals(ruling, side)
    for step in walk.steps:
        if step.hit.maybe & 1:
            yield _spoken(step, side)
    for foreign in side.in_play.foreign:
        verb = "selects" if foreign.is_certain else "may select"
        says = f"{verb} {side.end.label} for {side.direction}, and its rules are not evaluated"
        yield Decider(foreign.kind, foreign.name, f"{says}; {foreign.hint}", foreign.ref)
    if walk.is_isolated and (side.exempt.maybe & 1 or side.traffic.protocol not in PROTOCOLS):
        for policy in _isolating(side):
            yield isolation(policy, side)


def _rivals(ruling: Ruling, side: Side) -> Iterator[Decider]:
    for tie in ruling.ties:
        for policy in tie.policies if tie.who & 1 else ():
            others = named([p.name for p in tie.policies if p is not policy])
            says = f"disagrees with {others} at the same priority {policy.priority}"
            yield _decider(policy, f"{says} on {_what(side)}")


def _gaps(walk: _Walk, ruling: Ruling, side: Side) -> Iterator[Gap]:
    for tie in ruling.ties:
        if tie.who & 1:
            yield tie_gap(tie)
    for step in walk.steps:
        if step.hit.maybe & 1:
            yield from gaps_of_step(step, side)
    for foreign in side.in_play.foreign:
        yield foreign_gap(foreign, side)
    if walk.is_isolated and side.exempt.maybe & 1:
        yield node_gap(side)
    if walk.is_isolated and side.traffic.protocol not in PROTOCOLS:
        yield protocol_gap(side)


def _spoken(step: Step, side: Side) -> Decider:
    policy, rule = step.policy, step.rule
    if rule is None:
        return _decider(policy, f"cannot be what the API server took: {policy.problem}")
    has_priority = policy.tier is not Tier.NAMESPACE and policy.priority != UNRANKED
    ordered = f" at priority {policy.priority}" if has_priority else ""
    if step.hit.yes & 1:
        return _decider(policy, f"{rule.place} {_VERBS[step.action]} {_what(side)}{ordered}")
    if step.hit.maybe & 1:
        verb = _VERBS[step.action]
        return _decider(policy, f"{rule.place}, which {verb}, may be about {_what(side)}{ordered}")
    return _decider(policy, f"{rule.place} is not about {_what(side)}{ordered}")


def _own_node(side: Side) -> Decider:
    name = side.end.node_name or side.crowd.ends[0].node_name
    verb = "is" if side.exempt.yes & 1 else "may be"
    says = f"{verb} the node of {side.end.label}, and no NetworkPolicy stops a pod's own node"
    return Decider("Node", name, says)


def _what(side: Side) -> str:
    return f"{side.traffic} {_WORDS[side.direction]} {side.crowd.ends[0].label}"


def _touched(step: Step) -> bool:
    return (step.hit.yes | step.hit.maybe) & 1 != 0


def _decider(policy: Policy, says: str) -> Decider:
    return Decider(policy.kind, policy.name, says, policy.ref)

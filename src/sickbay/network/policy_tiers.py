"""What the policies of one end say of all others at once.

The tiers are asked in order: those of the administrator, those of the namespace, the baseline; what
none decides is allowed. Where something cannot be known, both outcomes are followed, so that an
unknown rule counts only where it makes a difference: an end that can be both allowed and denied is
unknown.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from sickbay.model.snapshot import Snapshot
from sickbay.network.policy_crowd import NONE, Crowd, Mask
from sickbay.network.policy_ends import End
from sickbay.network.policy_foreign import Foreign, foreign_at
from sickbay.network.policy_ports import PROTOCOLS
from sickbay.network.policy_rules import Action, Direction, Policies, Policy, Rule, policies_of
from sickbay.network.selectors import Fit
from sickbay.network.traffic import Traffic


class InPlay(NamedTuple):
    """The policies that select an end in one direction, or may."""

    admin: tuple[tuple[Policy, Fit], ...] = ()
    namespaced: tuple[tuple[Policy, Fit], ...] = ()
    baseline: tuple[tuple[Policy, Fit], ...] = ()
    foreign: tuple[Foreign, ...] = ()

    @property
    def policies(self) -> tuple[tuple[Policy, Fit], ...]:
        """The ones that are evaluated, in the order that they are asked."""
        return self.admin + self.namespaced + self.baseline


class Side(NamedTuple):
    """One end and its direction, against a crowd at the other end.

    `exempt` are those of the crowd that are the node of this end, which its policies never stop.
    """

    end: End
    direction: Direction
    crowd: Crowd
    traffic: Traffic
    in_play: InPlay
    exempt: Mask = NONE


class Step(NamedTuple):
    """A rule that was asked, and for whom it holds; without a rule, the policy as a whole."""

    policy: Policy
    rule: Rule | None
    action: Action
    hit: Mask


class Tie(NamedTuple):
    """Policies of equal priority that say different things of these ends."""

    policies: tuple[Policy, ...]
    who: int


class Ruling(NamedTuple):
    """Who can be allowed and who can be denied; who is in both is not known.

    `explicit` are those that a rule allows; `isolated` those that a namespaced policy cuts off.
    """

    allow: int
    deny: int
    explicit: int = 0
    isolated: int = 0
    steps: tuple[Step, ...] = ()
    ties: tuple[Tie, ...] = ()


class _Tier(NamedTuple):
    """Who can be allowed, denied, passed on, or left undecided by one tier."""

    allow: int = 0
    deny: int = 0
    passed: int = 0
    undecided: int = 0
    steps: tuple[Step, ...] = ()
    ties: tuple[Tie, ...] = ()


def in_play(snapshot: Snapshot, end: End, direction: Direction) -> InPlay:
    """The policies that select an end, or may; nothing selects what is no pod."""
    foreign = foreign_at(snapshot, end, direction)
    if end.pod is None:
        return InPlay(foreign=foreign)
    policies: Policies = policies_of(snapshot)
    return InPlay(
        _selecting(policies.admin, end, direction),
        _selecting(policies.by_namespace.get(end.namespace, ()), end, direction),
        _selecting(policies.baseline, end, direction),
        foreign,
    )


def rule_on(side: Side) -> Ruling:
    """What all policies of one end say."""
    admin = _ordered(side, side.in_play.admin)
    onward = admin.passed | admin.undecided
    middle = _namespaced(side)
    last = _ordered(side, side.in_play.baseline)
    later = onward & middle.undecided
    explicit = admin.allow | (onward & middle.allow) | (later & last.allow)
    ruling = Ruling(
        explicit | (later & (last.passed | last.undecided)),
        admin.deny | (onward & middle.deny) | (later & last.deny),
        explicit,
        onward & middle.deny,
        admin.steps + _reaching(middle.steps, onward) + _reaching(last.steps, later),
        admin.ties + _tied(last.ties, later),
    )
    return _with_foreign(ruling, side)


def _selecting(
    policies: Iterable[Policy], end: End, direction: Direction
) -> tuple[tuple[Policy, Fit], ...]:
    found = []
    for policy in policies:
        if direction not in policy.directions:
            continue
        fit = policy.subject.fit(end, 0)
        if fit is not Fit.NO:
            found.append((policy, fit))
    return tuple(found)


def _hit(side: Side, rule: Rule) -> Mask:
    """For whom a rule holds: by the other end, and by the port at the destination."""
    who = side.crowd.who_of(rule.peers)
    if rule.ports is None or who == NONE:
        return who
    ports = NONE
    for port in rule.ports:
        if side.direction is Direction.EGRESS:
            ports = ports.either(side.crowd.who_has(port, side.traffic))
        else:
            ports = ports.either(side.crowd.everybody(port.fit(side.traffic, side.end)))
    return who.both(ports)


def _ordered(side: Side, policies: tuple[tuple[Policy, Fit], ...]) -> _Tier:
    """A tier in which the first rule that holds decides, by priority."""
    left = side.crowd.all
    allow = deny = passed = 0
    steps: list[Step] = []
    ties: list[Tie] = []
    for _, group in groupby(policies, key=lambda item: item[0].priority):
        level = _level([_first(side, policy, fit) for policy, fit in group])
        allow |= left & level.allow
        deny |= left & level.deny
        passed |= left & level.passed
        steps += _reaching(level.steps, left)
        ties += _tied(level.ties, left)
        left &= level.undecided
    return _Tier(allow, deny, passed, left, tuple(steps), tuple(ties))


def _first(side: Side, policy: Policy, fit: Fit) -> _Tier:
    """What one policy says by its first rule that holds."""
    everybody = side.crowd.all
    if policy.problem:
        step = Step(policy, None, Action.DENY, Mask(0, everybody))
        return _Tier(everybody, everybody, everybody, everybody, (step,))
    left = everybody
    found = dict.fromkeys(Action, 0)
    steps = []
    for rule in policy.rules[side.direction]:
        hit = _hit(side, rule)
        if fit is Fit.MAYBE:
            hit = Mask(0, hit.yes | hit.maybe)
        found[rule.action] |= left & (hit.yes | hit.maybe)
        steps.append(Step(policy, rule, rule.action, Mask(hit.yes & left, hit.maybe & left)))
        left &= ~hit.yes
    return _Tier(found[Action.ALLOW], found[Action.DENY], found[Action.PASS], left, tuple(steps))


def _level(tiers: list[_Tier]) -> _Tier:
    """Policies of one priority: any of those that hold may be the one that counts."""
    if len(tiers) == 1:
        return tiers[0]
    allow = deny = passed = 0
    undecided = -1
    for tier in tiers:
        allow |= tier.allow
        deny |= tier.deny
        passed |= tier.passed
        undecided &= tier.undecided
    steps = tuple(step for tier in tiers for step in tier.steps)
    total = _Tier(allow, deny, passed, undecided, steps)
    several = (allow & deny) | (allow & passed) | (deny & passed)
    if not several:
        return total
    policies = dict.fromkeys(step.policy.name for step in total.steps if _touches(step, several))
    by_name = {step.policy.name: step.policy for step in total.steps}
    return total._replace(ties=(Tie(tuple(by_name[name] for name in policies), several),))


def _reaching(steps: tuple[Step, ...], who: int) -> tuple[Step, ...]:
    """The steps, as far as those who are still undecided come to them."""
    return tuple(
        step._replace(hit=Mask(step.hit.yes & who, step.hit.maybe & who))
        if (step.hit.yes | step.hit.maybe) & ~who
        else step
        for step in steps
    )


def _tied(ties: tuple[Tie, ...], who: int) -> tuple[Tie, ...]:
    return tuple(tie._replace(who=tie.who & who) for tie in ties if tie.who & who)


def _touches(step: Step, who: int) -> bool:
    return (step.hit.yes | step.hit.maybe) & who != 0


def _namespaced(side: Side) -> _Tier:
    """The tier in which being selected cuts an end off, and any rule lets traffic in again."""
    everybody = side.crowd.all
    policies = side.in_play.namespaced
    if not policies:
        return _Tier(undecided=everybody)
    hit = side.exempt
    steps: list[Step] = []
    is_isolated = False
    for policy, _ in policies:
        if policy.problem:
            hit = hit.either(Mask(0, everybody))
            steps.append(Step(policy, None, Action.ALLOW, Mask(0, everybody)))
            continue
        is_isolated = True
        for rule in policy.rules[side.direction]:
            found = _hit(side, rule)
            steps.append(Step(policy, rule, Action.ALLOW, found))
            hit = hit.either(found)
    if side.traffic.protocol not in PROTOCOLS:
        # The API leaves open what isolation means for other protocols.
        hit = hit.either(Mask(0, everybody))
    denied = everybody & ~hit.yes
    return _Tier(
        hit.yes | hit.maybe, denied, 0, 0 if is_isolated else everybody & ~hit.yes, tuple(steps)
    )


def _with_foreign(ruling: Ruling, side: Side) -> Ruling:
    """Add the outcomes that policies of Cilium and Calico make possible.

    What they say is not evaluated, only whether they could turn what the others say. Both add up
    what may pass, so that one of them can let in what a NetworkPolicy keeps out; what a
    NetworkPolicy lets in stays in unless they can deny it before.
    """
    allow, deny = ruling.allow, ruling.deny
    for policy in side.in_play.foreign:
        if policy.can_allow:
            allow |= ruling.deny
        if policy.can_deny:
            deny |= ruling.allow
        elif policy.can_isolate:
            deny |= ruling.allow & ~ruling.explicit
    return ruling._replace(allow=allow, deny=deny)

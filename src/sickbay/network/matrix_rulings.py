"""What the policies of each group say of all others, asked once for equal sets of policies."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sickbay.network.policy_crowd import NONE, Crowd, Mask
from sickbay.network.policy_ends import End
from sickbay.network.policy_foreign import Foreign
from sickbay.network.policy_rules import Action, Direction, Policy, Tier
from sickbay.network.policy_tiers import InPlay, Ruling, Side, rule_on
from sickbay.network.traffic import Traffic, Verdict

Names = tuple[str, ...]


class Answer(NamedTuple):
    """A verdict, how bad it is, and the names of those who decide."""

    rank: int
    verdict: Verdict
    by: Names = ()


_OPEN: Final = Answer(0, Verdict.ALLOWED)
View = list[Answer]


class Asker(NamedTuple):
    """An end with its policies; ends of one number are ruled by the same policies alike."""

    number: int
    end: End
    found: InPlay


class Askers:
    """Gives ends with the same policies, and the same names for ports, the same number."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}

    def asker(self, end: End, found: InPlay) -> Asker:
        key = (
            tuple((id(policy), fit) for policy, fit in found.policies),
            tuple((policy.ref, policy.is_certain) for policy in found.foreign),
            frozenset(end.named_ports.items()),
        )
        return Asker(self._numbers.setdefault(key, len(self._numbers)), end, found)


class Rulings:
    """Rulings of one address family over the same crowd."""

    def __init__(self, ends: list[End], family: int, *, own_node: bool) -> None:
        self._crowd = Crowd(ends, family)
        hosts = sum(1 << at for at, end in enumerate(ends) if end.is_host)
        self._exempt = Mask(hosts, 0) if own_node else NONE
        self._kept: dict[tuple[int, Direction, Traffic], View] = {}

    def view(self, asker: Asker, direction: Direction, traffic: Traffic) -> View:
        """What the policies of an end say of everybody, in the order of the crowd."""
        key = (asker.number, direction, traffic)
        view = self._kept.get(key)
        if view is None:
            side = Side(asker.end, direction, self._crowd, traffic, asker.found, self._exempt)
            view = self._kept[key] = _view(rule_on(side), side)
        return view


def _view(ruling: Ruling, side: Side) -> View:
    view = [_OPEN] * len(side.crowd.ends)
    allowed = ruling.allow & ~ruling.deny
    for who, names in _allowers(ruling):
        _put(view, who & allowed, Answer(0, Verdict.ALLOWED, names))
    isolating = tuple(_name(p) for p, _ in side.in_play.namespaced if not p.problem)
    blocked = ruling.deny & ~ruling.allow
    _put(view, blocked & ruling.isolated, Answer(2, Verdict.BLOCKED, isolating))
    denying = _deniers(ruling)
    for at in _bits(blocked & ~ruling.isolated):
        view[at] = Answer(2, Verdict.BLOCKED, _all(denying, 1 << at))
    doubtful = [
        *((tie.who, tuple(map(_name, tie.policies))) for tie in ruling.ties),
        *((step.hit.maybe, (_name(step.policy),)) for step in ruling.steps if step.hit.maybe),
        *((-1, (_name(policy),)) for policy in side.in_play.foreign),
    ]
    for at in _bits(ruling.allow & ruling.deny):
        view[at] = Answer(1, Verdict.UNKNOWN, _all(doubtful, 1 << at) or isolating)
    return view


def _put(view: View, who: int, answer: Answer) -> None:
    for at in _bits(who):
        view[at] = answer


def _bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set."""
    digits = format(mask, "b")[::-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


def _allowers(ruling: Ruling) -> tuple[tuple[int, Names], ...]:
    """Who is allowed first by which policy, tier by tier."""
    found: list[tuple[int, Names]] = []
    claimed = 0
    for tier in Tier:
        closed = 0
        for step in ruling.steps:
            if step.policy.tier is not tier or not step.hit.yes:
                continue
            fresh = step.hit.yes & ~closed & ~claimed
            if step.action is Action.ALLOW and fresh:
                found.append((fresh, (_name(step.policy),)))
                claimed |= fresh
            if tier is not Tier.NAMESPACE:
                closed |= step.hit.yes
    return tuple(found)


def _deniers(ruling: Ruling) -> list[tuple[int, Names]]:
    """Who is denied by which policy; behind a sure denial no later one has a say."""
    found: list[tuple[int, Names]] = []
    denied = 0
    for step in ruling.steps:
        if step.action is Action.DENY:
            found.append(((step.hit.yes | step.hit.maybe) & ~denied, (_name(step.policy),)))
            denied |= step.hit.yes
    return found


def _all(claims: Sequence[tuple[int, Names]], bit: int) -> Names:
    return tuple(dict.fromkeys(name for who, names in claims if who & bit for name in names))


def _name(policy: Policy | Foreign) -> str:
    return f"{policy.kind} {policy.name}"

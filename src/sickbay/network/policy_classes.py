"""Ports that policies cannot tell apart: one of each class stands for the others."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from sickbay.network.policy_ends import End
from sickbay.network.policy_rules import Direction
from sickbay.network.policy_tests import LAST_PORT, PortTest
from sickbay.network.policy_tiers import InPlay

_USUAL_PORT: Final = 80
EVERY_PORT: Final = "every port"
_Span = tuple[int, int]


class Stretch(NamedTuple):
    """Ports that are treated alike: one of them, and all of them in words."""

    port: int
    text: str


def port_tests(found: InPlay, direction: Direction) -> Iterator[PortTest]:
    """The ports that the rules in play name."""
    for policy, _ in found.policies:
        for rule in policy.rules.get(direction, ()):
            yield from rule.ports or ()


def representatives(tests: Iterable[PortTest], target: End, protocol: str) -> tuple[int, ...]:
    """Every port at which a rule begins or ends, and one of which none speaks, if there is one."""
    spans = _spans_of(tests, target, protocol)
    edges = {port for first, last in spans for port in (first, last)}
    firsts = {stretch.port for stretch in _stretches(spans)}
    return tuple(sorted(edges | firsts))


def stretches(tests: Iterable[PortTest], target: End, protocol: str) -> tuple[Stretch, ...]:
    """The classes of ports that some rules tell apart; all that none names are one class."""
    return tuple(_stretches(_spans_of(tests, target, protocol)))


def _stretches(spans: list[_Span]) -> Iterator[Stretch]:
    joined = _joined(spans)
    cuts = sorted({cut for first, last in spans for cut in (first, last + 1)})
    ends = {last + 1 for _, last in joined}
    for first, after in pairwise(cuts):
        if first not in ends:
            yield Stretch(first, str(first) if after == first + 1 else f"{first}-{after - 1}")
    unnamed = _unnamed(joined)
    if unnamed is not None:
        yield Stretch(unnamed, "every other port" if spans else EVERY_PORT)


def _spans_of(tests: Iterable[PortTest], target: End, protocol: str) -> list[_Span]:
    return sorted({span for test in set(tests) for span in _spans(test, target, protocol)})


def _spans(test: PortTest, target: End, protocol: str) -> list[_Span]:
    if test.protocol not in {"", protocol}:
        return []
    if test.name:
        numbers = target.named_ports.get((test.name, protocol), frozenset())
        return [(number, number) for number in numbers]
    return [(max(test.first, 1), test.last)]


def _joined(spans: list[_Span]) -> list[_Span]:
    """The spans, in order, with those that meet made one."""
    found: list[_Span] = []
    for first, last in spans:
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def _unnamed(joined: list[_Span]) -> int | None:
    """A port that no span holds, the usual one if it is free."""
    if not any(first <= _USUAL_PORT <= last for first, last in joined):
        return _USUAL_PORT
    first, last = joined[0]
    free = 1 if first > 1 else last + 1
    return free if free <= LAST_PORT else None

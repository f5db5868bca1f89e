"""Many ends asked at once: a set of ends is a number with one bit for each of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sickbay.network.policy_ends import End
from sickbay.network.policy_tests import PodTest, PortTest, Test
from sickbay.network.selectors import Fit
from sickbay.network.traffic import Traffic


class Mask(NamedTuple):
    """Who matches for certain, and who may."""

    yes: int
    maybe: int

    def both(self, other: "Mask") -> "Mask":
        yes = self.yes & other.yes
        return Mask(yes, (self.yes | self.maybe) & (other.yes | other.maybe) & ~yes)

    def either(self, other: "Mask") -> "Mask":
        yes = self.yes | other.yes
        return Mask(yes, (self.maybe | other.maybe) & ~yes)


NONE = Mask(0, 0)


class Crowd:
    """Ends of one address family, each at its own bit; every question is answered once."""

    def __init__(self, ends: Sequence[End], family: int) -> None:
        self.ends = ends
        self.family = family
        self.all = (1 << len(ends)) - 1
        self._answers: dict[tuple[type, object], Mask] = {}
        self._by_namespace: dict[str, list[int]] = {}
        for index, end in enumerate(ends):
            self._by_namespace.setdefault(end.namespace, []).append(index)

    def who(self, test: Test) -> Mask:
        """Who passes a test."""
        key = (type(test), test)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._ask(test)
        return answer

    def who_of(self, tests: Sequence[Test] | None) -> Mask:
        """Who passes any of some tests; no tests let everybody pass."""
        if tests is None:
            return Mask(self.all, 0)
        answer = NONE
        for test in tests:
            answer = answer.either(self.who(test))
        return answer

    def who_has(self, port: PortTest, traffic: Traffic) -> Mask:
        """For whom, as the destination, a port of a rule is the one of the traffic."""
        if not port.name:
            return self.everybody(port.fit(traffic, _NOBODY))
        key = (PortTest, (port, traffic))
        answer = self._answers.get(key)
        if answer is None:
            fits = [port.fit(traffic, end) for end in self.ends]
            answer = self._answers[key] = _mask(enumerate(fits))
        return answer

    def everybody(self, fit: Fit) -> Mask:
        """The same answer for all."""
        return Mask(
            self.all if fit is Fit.YES else 0,
            self.all if fit is Fit.MAYBE else 0,
        )

    def _ask(self, test: Test) -> Mask:
        if isinstance(test, PodTest):
            return _mask((at, test.fit(self.ends[at], 0)) for at in self._candidates(test))
        return _mask((at, test.fit(end, self.family)) for at, end in enumerate(self.ends))

    def _candidates(self, test: PodTest) -> list[int]:
        """Those in namespaces that fit: the others need not be asked one by one."""
        if test.namespace is not None:
            return self._by_namespace.get(test.namespace, [])
        return [
            at
            for members in self._by_namespace.values()
            if test.namespaces.fit(self.ends[members[0]].namespace_labels) is not Fit.NO
            for at in members
        ]


_NOBODY = End("")


def _mask(fits: Iterable[tuple[int, Fit]]) -> Mask:
    yes = maybe = 0
    for at, fit in fits:
        if fit is Fit.YES:
            yes |= 1 << at
        elif fit is Fit.MAYBE:
            maybe |= 1 << at
    return Mask(yes, maybe)

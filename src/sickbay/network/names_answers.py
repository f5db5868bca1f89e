"""The answer to a name: what it resolves to, who says so, and who was asked on the way."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.network.traffic import Decider, Decision, Verdict

LONGEST_NAME: Final = 253


class Resolution(NamedTuple):
    """What becomes of a name.

    ALLOWED means that it resolves: to `addresses`, or to public ones that no evidence tells.
    BLOCKED means that it does not, or to an address that is no longer right.
    """

    verdict: Verdict
    addresses: tuple[str, ...] = ()
    answered_by: Decider | None = None
    considered: tuple[Decider, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def decision(self) -> Decision:
        by = (self.answered_by,) if self.answered_by else ()
        return Decision(self.verdict, by, self.considered, self.gaps)

    def after(self, considered: Iterable[Decider], gaps: Iterable[Gap] = ()) -> "Resolution":
        """The same answer, with who was asked before."""
        return self._replace(
            considered=tuple(dict.fromkeys((*considered, *self.considered))),
            gaps=tuple(dict.fromkeys((*gaps, *self.gaps))),
        )

    def doubted(self, gap: Gap) -> "Resolution":
        """The same answer when something that may decide was not read: a refusal is not sure."""
        verdict = Verdict.UNKNOWN if self.verdict is Verdict.BLOCKED else self.verdict
        return self._replace(verdict=verdict, gaps=tuple(dict.fromkeys((*self.gaps, gap))))


def answered(
    verdict: Verdict, by: Decider, addresses: Iterable[str] = (), gap: Gap | None = None
) -> Resolution:
    return Resolution(verdict, tuple(addresses), by, (by,), (gap,) if gap else ())


def agreed(resolutions: list[Resolution]) -> Resolution:
    """What several servers say, any of which may be asked: known when all say the same."""
    first = resolutions[0]
    considered = [decider for one in resolutions for decider in one.considered]
    gaps = [gap for one in resolutions for gap in one.gaps]
    if any(one.verdict is not first.verdict for one in resolutions):
        first = next((one for one in resolutions if one.verdict is Verdict.UNKNOWN), first)
        first = first._replace(verdict=Verdict.UNKNOWN, addresses=())
    return first._replace(considered=(), gaps=()).after(considered, gaps)


def plain(name: str) -> str:
    """A name as DNS compares it."""
    return name.strip().casefold().rstrip(".")

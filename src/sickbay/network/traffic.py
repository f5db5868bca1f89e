"""The vocabulary of the evaluators: one kind of traffic between two places, and who decides it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref
from sickbay.model.kubernetes import Node, Pod


class Verdict(StrEnum):
    ALLOWED = "allowed"
    BLOCKED = "blocked"
    # Something that decides is known to be there, and was not read or cannot be evaluated.
    UNKNOWN = "unknown"


class Traffic(NamedTuple):
    """What is sent: `TCP`, `UDP`, `SCTP` or `ICMP`, to a port where the protocol has ports."""

    protocol: str = "TCP"
    port: int | None = None

    def __str__(self) -> str:
        return self.protocol if self.port is None else f"{self.protocol} {self.port}"


class Place(NamedTuple):
    """One end of the traffic: what stands there, and the addresses that others know it by.

    No addresses means that they are not known. The internet is a place without addresses of its
    own that stands for every public one.
    """

    label: str
    addresses: tuple[str, ...] = ()
    pod: Pod | None = None
    node: Node | None = None
    fqdn: str = ""
    is_internet: bool = False


class Decider(NamedTuple):
    """The object that decides or was considered, as `KIND NAME`, and what it says of this."""

    kind: str
    name: str
    says: str
    ref: Ref | None = None


class Decision(NamedTuple):
    """What one layer says of some traffic.

    `by` are the objects that decide; `considered` is every rule that was looked at, in order, for
    a reader who wants to follow; `gaps` is what would have to be read to know (or to be sure).
    """

    verdict: Verdict
    by: tuple[Decider, ...] = ()
    considered: tuple[Decider, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def passes(self) -> bool:
        return self.verdict is Verdict.ALLOWED


ALLOWED = Decision(Verdict.ALLOWED)


def all_of(decisions: Iterable[Decision]) -> Decision:
    """Traffic that must pass several layers: one that blocks is enough, else one unknown."""
    given = list(decisions)
    for verdict in (Verdict.BLOCKED, Verdict.UNKNOWN):
        deciding = [decision for decision in given if decision.verdict is verdict]
        if deciding:
            break
    else:
        verdict, deciding = Verdict.ALLOWED, given
    return Decision(
        verdict,
        tuple(decider for decision in deciding for decider in decision.by),
        tuple(decider for decision in given for decider in decision.considered),
        tuple(dict.fromkeys(gap for decision in given for gap in decision.gaps)),
    )

"""Detection by structure: a function of one entity and the snapshot around it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from sickbay.model.finding import Clear, Match, Weight

if TYPE_CHECKING:
    from sickbay.model.entity import Entity
    from sickbay.model.snapshot import Snapshot

    E = TypeVar("E", bound=Entity)
    Answer = Match | Clear | None
    Test = Callable[[E, Snapshot], Answer]
else:
    # What stands in quotes would be compiled, which costs a millisecond when nothing else was.
    E = TypeVar("E")


class Check(Generic[E]):
    """Asks one question of every entity of a kind.

    A `Match`, a `Clear` that says why not, or None for a plain no.
    """

    __slots__ = ("kind", "name", "test", "weight")

    def __init__(self, kind: type[E], test: "Test[E]", weight: Weight) -> None:
        self.kind = kind
        self.test = test
        self.weight = weight
        self.name = test.__name__


def each(kind: type[E], weight: Weight = Weight.DECISIVE) -> "Callable[[Test[E]], Check[E]]":
    """Ask the decorated question of every entity of a kind."""
    return lambda test: Check(kind, test, weight)

"""Events of a run. Every face observes the same stream; nothing here prints."""

from collections.abc import Callable

from sickbay.record import NamedTuple


class FileRead(NamedTuple):
    """One file of the evidence was read to its end (or as far as it could be)."""

    source: str
    size: int


class Stage(NamedTuple):
    """A stage of the work begins; one without words tells that the last is over."""

    says: str


Event = FileRead | Stage
Observer = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """Observe nothing."""

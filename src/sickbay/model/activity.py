"""What was done to resources: events of the activity log, and the operations that they tell of."""

from enum import StrEnum
from typing import Any, Final

from sickbay.record import NamedTuple


class Outcome(StrEnum):
    """How an operation ended, as far as the log tells."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"
    RUNNING = "running"  # begun or accepted; its end is not in the log, or not yet
    REPORTED = "reported"  # no operation: an alert, or the state of a platform
    UNKNOWN = "unknown"


_ENDS: Final = {
    "succeeded": Outcome.SUCCEEDED,
    "success": Outcome.SUCCEEDED,
    "failed": Outcome.FAILED,
    "failure": Outcome.FAILED,
    "canceled": Outcome.CANCELED,
    "cancelled": Outcome.CANCELED,
}
_OTHERS: Final = {
    "started": Outcome.RUNNING,
    "start": Outcome.RUNNING,
    "accepted": Outcome.RUNNING,
    "inprogress": Outcome.RUNNING,
    "active": Outcome.REPORTED,
    "resolved": Outcome.REPORTED,
    "updated": Outcome.REPORTED,
}
_STEPS: Final = ("started", "start", "accepted", "inprogress")


def squeezed(word: str) -> str:
    """A word of Azure for comparison: `In Progress` and `InProgress` are one."""
    return word.replace(" ", "").replace("_", "").casefold()


def outcome_of(status: str) -> Outcome:
    word = squeezed(status)
    return _ENDS.get(word) or _OTHERS.get(word, Outcome.UNKNOWN)


class Event(NamedTuple):
    """One event. `raw` is all of it, without who exactly called and from where."""

    id: str = ""
    at: str = ""
    submitted: str = ""
    name: str = ""
    status: str = ""
    sub_status: str = ""
    level: str = ""
    category: str = ""
    caller: str = ""
    resource: str = ""
    group: str = ""
    correlation: str = ""
    operation: str = ""
    said: str = ""
    raw: dict[str, Any] = {}

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.status)

    @property
    def is_end(self) -> bool:
        return squeezed(self.status) in _ENDS

    @property
    def order(self) -> tuple[str | int, ...]:
        """By time, and of one time by what comes first in an operation; the rest decides ties."""
        word = squeezed(self.status)
        step = _STEPS.index(word) if word in _STEPS else len(_STEPS)
        rest = (self.correlation, self.operation, self.name, self.resource, self.status)
        return (self.at, step, self.id, *rest)


class Operation(NamedTuple):
    """What was done, from its beginning to its end, and what was done on its behalf."""

    events: tuple[Event, ...]
    children: tuple["Operation", ...] = ()

    @property
    def last(self) -> Event:
        """What tells how it stands: its end, else the last that is known."""
        ends = [event for event in self.events if event.is_end]
        return (ends or list(self.events))[-1]

    @property
    def begun(self) -> str:
        return self.events[0].at

    @property
    def ended(self) -> str:
        return self.last.at if self.last.is_end else ""

    @property
    def outcome(self) -> Outcome:
        return self.last.outcome

    @property
    def said(self) -> str:
        """What went wrong, in the words of the last event that has any."""
        return next((event.said for event in reversed(self.events) if event.said), "")

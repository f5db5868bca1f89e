"""What was read, and what could not be."""

from enum import StrEnum

from sickbay.model.ids import Ref
from sickbay.record import NamedTuple


class Reason(StrEnum):
    """Why something could not be read."""

    FORBIDDEN = "forbidden"
    UNREACHABLE = "unreachable"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    NOT_UNDERSTOOD = "not-understood"
    NOT_COLLECTED = "not-collected"
    REFUSED = "refused"  # we would not open it: an archive bomb, a link out of the folder
    CONTRADICTED = "contradicted"


class Origin(NamedTuple):
    """Where a piece of evidence stands: a file and a place in it."""

    source: str
    locator: str = ""


class Text(NamedTuple):
    """One message or log record, and the thing it is about when that is known.

    `channel` says what kind of text it is ("event", "condition", "activity-log", "log/kubelet",
    "pasted"); `at` is an RFC 3339 time in UTC, or empty. `times` is how often the writer says it
    happened, and `since` when first, where that is not `at`.
    """

    text: str
    origin: Origin
    about: Ref | None = None
    channel: str = ""
    at: str = ""
    times: int = 1
    since: str = ""


class Gap(NamedTuple):
    """Something we have no knowledge of, why, and what would open it."""

    source: str
    what: str
    reason: Reason = Reason.NOT_COLLECTED
    to_open: str = ""
    # Something was handed in and not looked at: then "nothing found" is not "healthy".
    asked_for: bool = False


class UnseenError(Exception):
    """A rule asked for evidence that nobody read. Raised by the snapshot, caught by the engine."""

    def __init__(self, gap: Gap) -> None:
        super().__init__(f"{gap.what}: {gap.reason}")
        self.gap = gap

"""What an API server answers: a body, or why there is none, in the words of kubectl."""

from typing import Final

import msgspec

from sickbay.model.evidence import Reason
from sickbay.record import NamedTuple

UNAUTHORISED: Final = 401
FORBIDDEN: Final = 403
ABSENT: Final = 404
GONE: Final = 410
BUSY: Final = 429
BROKEN: Final = 500
# What passes by itself: a watch cache that starts or is behind, a server that drains.
PASSING: Final = frozenset({BUSY, 502, 503, 504})
# The report of a server on its own health is as long as this.
_MOST_TEXT: Final = 6_000


class Answer(NamedTuple):
    """A body."""

    path: str
    body: bytes


class Failure(NamedTuple):
    """Why there is no body."""

    path: str
    reason: Reason
    says: str
    status: int = 0
    # Where a list whose pages grew too old may go on.
    go_on: str = ""
    wait: float = 0.0
    # The server is there, and did not answer this in time.
    is_slow: bool = False


class _Metadata(msgspec.Struct, frozen=True, rename="camel"):
    continue_: str = msgspec.field(default="", name="continue")


class _Details(msgspec.Struct, frozen=True, rename="camel"):
    retry_after_seconds: int | None = None


class _Status(msgspec.Struct, frozen=True, rename="camel"):
    """The body of an error."""

    message: str = ""
    reason: str = ""
    metadata: _Metadata = _Metadata()
    details: _Details | None = None


_STATUS: Final = msgspec.json.Decoder(_Status)


def failed(path: str, status: int, retry_after: str, body: bytes) -> Failure:
    """What an answer that is no success means."""
    try:
        told = _STATUS.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        plain = " ".join(body[:_MOST_TEXT].decode("utf-8", "replace").split())
        told = _Status(message=plain)
    says = told.message or told.reason or f"HTTP {status}"
    if status == UNAUTHORISED:
        says = "error: You must be logged in to the server (Unauthorized)"
    elif status == FORBIDDEN:
        says = f"Error from server (Forbidden): {says}"
    told_wait = told.details.retry_after_seconds if told.details else None
    wait = float(retry_after) if retry_after.isdecimal() else float(told_wait or 0)
    why = _reason(status)
    return Failure(path, why, says[:_MOST_TEXT], status, told.metadata.continue_, wait)


def _reason(status: int) -> Reason:
    if status in (UNAUTHORISED, FORBIDDEN):
        return Reason.FORBIDDEN
    if status == BUSY or status >= BROKEN:
        return Reason.UNREACHABLE
    return Reason.NOT_COLLECTED if status in (ABSENT, GONE) else Reason.REFUSED

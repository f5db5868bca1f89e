"""Follows a long operation by the URL that Azure gave for it, until its end or a deadline."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

from sickbay.bundle.messages import as_text
from sickbay.bundle.times import normal
from sickbay.collect.answers import Answer, Asked, Failure
from sickbay.collect.clouds import CLOUDS, Cloud, origin_of
from sickbay.collect.transport import Transport
from sickbay.errors import SickbayError
from sickbay.model.activity import Outcome, outcome_of
from sickbay.model.evidence import Gap, Reason
from sickbay.progress import Observer, Stage, ignore
from sickbay.record import NamedTuple

PACE: Final = 5.0
_SLOWEST: Final = 30.0
_ACCEPTED: Final = 202
_MARK: Final = "/operation"
_ENDS: Final = (Outcome.SUCCEEDED, Outcome.FAILED, Outcome.CANCELED)


class Followed(NamedTuple):
    """What is known of an operation; `error` counts only at its end, before that it may pass."""

    url: str
    name: str = ""
    resource: str = ""
    status: str = ""
    outcome: Outcome = Outcome.UNKNOWN
    begun: str = ""
    ended: str = ""
    percent: float | None = None
    error: str = ""
    history: tuple[tuple[str, str], ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.outcome in _ENDS


class Timing(NamedTuple):
    """The clock and the patience of whoever follows; tests bring their own."""

    now: Callable[[], str]
    pace: float = PACE
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


def checked(url: str, cloud: Cloud) -> tuple[str, Cloud]:
    """The URL and the cloud that it is in; SickbayError if a token must not go there."""
    text = url.strip().strip("'\"")
    if text.startswith("/"):
        text = cloud.endpoint + text
    origin = origin_of(text)
    if _MARK not in urlsplit(text).path.casefold():
        raise SickbayError(
            f"{Asked('GET', text).place} is no URL of an operation",
            "copy Azure-AsyncOperation or Location out of what az --debug prints",
        )
    for known in (cloud, *CLOUDS.values()):
        if origin_of(known.endpoint) == origin:
            return text, known
    raise SickbayError(
        f"{origin[1]} is not {origin_of(cloud.endpoint)[1]}, and your token is not sent there",
        "use the URL of Azure-AsyncOperation, or --endpoint for another Azure",
    )


async def follow(
    transport: Transport, url: str, timing: Timing, observer: Observer = ignore
) -> Followed:
    """Ask until the operation is over, or the time is."""
    found = Followed(Asked("GET", url).path)
    pace = timing.pace
    while True:
        answer = await transport.get(url)
        if isinstance(answer, Failure):
            return found._replace(gaps=(_gap(answer),))
        found = _read(answer, found, timing.now())
        if found.is_over:
            observer(Stage(""))
            return found
        observer(Stage(f"{found.status}, asking again"))
        if transport.left <= pace:
            observer(Stage(""))
            return found._replace(gaps=(_unfinished(found),))
        await timing.sleep(pace)
        pace = min(pace * 1.5, _SLOWEST)


def _read(answer: Answer, before: Followed, now: str) -> Followed:
    body = answer.value if isinstance(answer.value, dict) else {}
    status = _text(body.get("status")) or _result(answer, body)
    outcome = outcome_of(status)
    history = before.history
    if not history or history[-1][1] != status:
        history = (*history, (now, status))
    error = body.get("error")
    return before._replace(
        name=_text(body.get("name")) or before.name,
        resource=_text(body.get("resourceId")) or before.resource,
        status=status,
        # Azure puts prose there while it works; every other word than an end is no end.
        outcome=outcome if outcome in _ENDS else Outcome.RUNNING,
        begun=normal(_text(body.get("startTime"))) or before.begun,
        ended=normal(_text(body.get("endTime"))) or before.ended,
        percent=_number(body.get("percentComplete"), before.percent),
        error=as_text({"error": error}) if error else "",
        history=history,
    )


def _result(answer: Answer, body: dict[str, Any]) -> str:
    """A URL of Location answers with the resource itself, once the operation is over."""
    if answer.status == _ACCEPTED:
        return "Accepted"
    properties = body.get("properties")
    state = properties.get("provisioningState") if isinstance(properties, dict) else ""
    return _text(state) or "Succeeded"


def _number(value: Any, otherwise: float | None) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else otherwise


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _gap(failure: Failure) -> Gap:
    gap = failure.gap()
    if not failure.is_absent:
        return gap
    what = f"{failure.says} (Azure forgets operations after a while)"
    return gap._replace(what=what, to_open="sickbay activity --since 1d --correlation-id ID")


def _unfinished(found: Followed) -> Gap:
    what = f"still {found.status} when the time was over"
    to_open = "run it again with a longer --timeout SECONDS"
    return Gap(found.url, what, Reason.NOT_COLLECTED, to_open, asked_for=True)

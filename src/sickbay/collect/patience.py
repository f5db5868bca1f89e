"""When Azure is asked again, and how many questions it gets at once."""

import asyncio
import time
from types import TracebackType
from typing import Final

from sickbay.collect.answers import Failure
from sickbay.model.evidence import Reason

TRIES: Final = 5
# Azure counts questions for each subscription; so do we.
AT_ONCE: Final = 8
_BUSY: Final = 429
_TRANSIENT: Final = frozenset({0, 408, 429, 500, 502, 503, 504})
_LONGEST: Final = 30.0
_ENOUGH_LEFT: Final = 20
_REST: Final = 1.0
# A dependency that is being changed, and Entra, take longer than a bucket takes to fill.
_SLOW_CODES: Final = frozenset(
    {"retryableerror", "referencedresourcenotprovisioned", "failedidentityoperation"}
)
_TRIES_FOR_BROKEN: Final = 2


def pause(failure: Failure, tries: int) -> float | None:
    """How long to wait before asking again after so many tries; None: it is of no use."""
    if failure.reason is Reason.MALFORMED:
        # An answer that broke off on its way comes whole the next time, or never.
        return 0.2 if tries < _TRIES_FOR_BROKEN else None
    if failure.reason is not Reason.UNREACHABLE or failure.status not in _TRANSIENT:
        return None
    if tries >= TRIES:
        return None
    if failure.wait is not None:
        return min(failure.wait, _LONGEST)
    first = 2.0 if failure.code.casefold() in _SLOW_CODES else 0.25
    return min(first * 2.0 ** (tries - 1), _LONGEST)


def counted_for(address: str) -> str:
    """The subscription that a question at a URL or a path is counted for, or an empty string."""
    path = "/" + address.partition("://")[2].partition("/")[2] if "://" in address else address
    _, word, subscription, *_ = (*path.partition("?")[0].casefold().split("/", 3), "", "")
    return subscription if word == "subscriptions" else ""


class Gate:
    """Lets so many questions of one subscription through at once."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._closed_until = 0.0

    async def __aenter__(self) -> None:
        await self._places.acquire()
        try:
            # Whoever else is refused meanwhile closes it for longer.
            while (rest := self._closed_until - time.monotonic()) > 0:  # noqa: ASYNC110
                await asyncio.sleep(rest)
        except BaseException:
            self._places.release()
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._places.release()

    def heed(self, failure: Failure, seconds: float) -> None:
        """Close for everybody while a subscription is throttled."""
        if failure.status == _BUSY and failure.code.casefold() not in _SLOW_CODES:
            self._close(seconds)

    def spare(self, remaining: int | None) -> None:
        """Slow down before Azure refuses: others use the same allowance."""
        if remaining is not None and remaining < _ENOUGH_LEFT:
            self._close(_REST)

    def _close(self, seconds: float) -> None:
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)

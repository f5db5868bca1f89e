"""A few threads for calls that block; nobody waits for them, not even the end of a run."""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
_Job = tuple[Callable[[], Any], "asyncio.Future[Any]", asyncio.AbstractEventLoop]


class Threads:
    """Runs calls side by side, at most so many at once, in the order in which they were asked for.

    The executor of the language joins its threads when the program ends: one that waits for a
    server would hold up whoever pressed Ctrl-C.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._started = 0

    async def run(self, call: Callable[[], T]) -> T:
        """Await what a call returns or raises."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((call, future, loop))
        if self._started < self._count:
            self._started += 1
            threading.Thread(target=self._serve, daemon=True).start()
        return await future

    def close(self) -> None:
        """Let the threads go when they are done."""
        for _ in range(self._started):
            self._jobs.put(None)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            call, future, loop = job
            if future.cancelled():
                continue
            try:
                result, error = call(), None
            except BaseException as raised:  # noqa: BLE001 - handed on to whoever awaits it
                result, error = None, raised
            # Nobody may be left to hear it.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_tell, future, result, error)


def _tell(future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)

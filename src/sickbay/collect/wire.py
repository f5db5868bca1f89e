"""One end of a connection: what came in, and whoever waits for more of it.

Who waits is woken once, when there is as much as he asked for. The streams of the language wake him
for every piece that comes in, and a long answer comes in many. And one clock runs for a connection,
not one for each of its questions.
"""

import asyncio
from math import inf
from typing import Final, cast

_LONGEST_LINE: Final = 1 << 20
# More than this comes only from a host that speaks unasked.
_MOST_HELD: Final = 1 << 23


class Wire(asyncio.Protocol):
    """A connection that is read piece by piece; EOFError where it ends, OSError where it breaks."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._held = bytearray()
        self._wanted = 0
        self._waiter: asyncio.Future[None] | None = None
        self._is_over = False
        self._error: Exception | None = None
        self._until = 0.0
        self._is_late = False
        self._clock: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Whether it can carry a question: what came in unasked would be taken for its answer."""
        return not self._is_over and self.is_silent and not self.transport.is_closing()

    @property
    def is_silent(self) -> bool:
        """Whether nothing is left of what came in."""
        return not self._held

    def expect(self, until: float) -> None:
        """Whoever still waits at this time of the loop gets TimeoutError."""
        self._until, self._is_late = until, False
        if until == inf or (self._clock is not None and self._clock.when() <= until):
            return
        if self._clock is not None:
            self._clock.cancel()
        self._clock = asyncio.get_running_loop().call_at(until, self._ring)

    async def until(self, mark: bytes) -> bytes:
        """All that comes before a mark, and the mark."""
        seen = 0
        while (at := self._held.find(mark, seen)) < 0:
            seen = max(0, len(self._held) - len(mark) + 1)
            if seen > _LONGEST_LINE:
                raise ValueError("the answer has no end of its head")
            await self._until_held(len(self._held) + 1)
        return self._taken(at + len(mark))

    async def exactly(self, size: int) -> bytes:
        """So many bytes."""
        await self._until_held(size)
        return self._taken(size)

    async def some(self) -> bytes:
        """Whatever came in; nothing at the end."""
        if not self._held and not self._is_over:
            await self._until_held(1, or_end=True)
        return self._taken(len(self._held))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._held += data
        if len(self._held) >= self._wanted:
            self._wake()
        if len(self._held) > _MOST_HELD:
            self.transport.abort()

    def eof_received(self) -> None:
        self._is_over = True
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        self._is_over, self._error = True, error
        if self._clock is not None:
            self._clock.cancel()
        self._wake()

    def _ring(self) -> None:
        """The time is over, unless there is another question by now."""
        self._clock = None
        if asyncio.get_running_loop().time() < self._until:
            self.expect(self._until)
        else:
            self._is_late = True
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _until_held(self, size: int, *, or_end: bool = False) -> None:
        while len(self._held) < size:
            if self._is_late:
                raise TimeoutError
            if self._error is not None:
                raise self._error
            if self._is_over:
                if or_end:
                    return
                raise EOFError
            self._wanted = size
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    def _taken(self, size: int) -> bytes:
        with memoryview(self._held) as held:
            taken = bytes(held[:size])
        del self._held[:size]
        return taken

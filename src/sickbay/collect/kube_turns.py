"""How an API server is asked that says it is busy: one thing at a time, and after a rest.

A server that shares out its time (priority and fairness) refuses whoever asks for more than his
share, and tells him to wait longer each time. Whoever was refused once asks modestly from then on.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Lets so many ask at once; once the server was busy, one after the other."""

    def __init__(self, at_once: int) -> None:
        self.places = asyncio.Semaphore(at_once)
        self.is_busy = False
        # Somebody used up all his tries: others try once, until one is answered.
        self.is_hopeless = False
        self._turn = asyncio.Lock()
        self._rest_until = 0.0

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Wait until nobody else asks, and the server has had its rest."""
        async with self._turn:
            await asyncio.sleep(max(0.0, self._rest_until - time.monotonic()))
            yield

    def refused(self, seconds: float) -> None:
        """The server was busy, and wants to be left alone for so long."""
        self.is_busy = True
        self._rest_until = 0.0 if self.is_hopeless else time.monotonic() + seconds

    def answered(self) -> None:
        """The server has time again, for one at least."""
        self.is_hopeless = False

    def gave_up(self) -> None:
        """It was busy for as long as anybody would wait."""
        self._rest_until, self.is_hopeless = 0.0, True

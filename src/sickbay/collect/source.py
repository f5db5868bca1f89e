"""What every part of the world that we read has in common."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from sickbay.bundle.sink import Sink
from sickbay.progress import Observer
from sickbay.record import NamedTuple


class Look(NamedTuple):
    """One thing that would be read, from where, and what may be needed to read it."""

    source: str
    what: str
    where: str
    needs: str = ""


class Source(Protocol):
    """Reads one part of the world into a sink; what it cannot read, it notes there as a gap.

    Only what the user must mend (no credential, no such target) is raised, as SickbayError.
    """

    @property
    def name(self) -> str:
        """A word for it: azure, kubernetes, appliance, host."""

    def plan(self) -> Sequence[Look]:
        """What it would read, told without reading it."""

    async def read(self, sink: Sink, observer: Observer) -> None:
        """Read everything, side by side with other sources; it may be cancelled at any point."""


def read_all(sources: Sequence[Source], sink: Sink, observer: Observer) -> None:
    """Read all sources side by side."""
    asyncio.run(_together(sources, sink, observer))


async def _together(sources: Sequence[Source], sink: Sink, observer: Observer) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            for source in sources:
                group.create_task(source.read(sink, observer))
    except ExceptionGroup as errors:
        # The first is what the user must mend; the others were cancelled because of it.
        raise errors.exceptions[0] from None

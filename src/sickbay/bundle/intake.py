"""What every way of opening evidence shares: the evidence, the limits, the notes of what broke."""

from collections.abc import Callable
from typing import BinaryIO

from sickbay.model.evidence import Gap, Reason
from sickbay.record import NamedTuple

Opener = Callable[[], BinaryIO]


class Evidence(NamedTuple):
    """One readable thing that was handed in.

    `source` is its path below what was handed in, `/` between the parts and `!/` where an archive
    begins. `size` is a hint, None when only reading tells. `open` gives a fresh binary reader; one
    that meets damage ends early, and the walk says so in a Gap.
    """

    source: str
    size: int | None
    open: Opener


class Limits(NamedTuple):
    """How far we follow what we are given before we call it hostile."""

    total: int = 64 << 30
    ratio: int = 1000
    ratio_from: int = 256 << 20
    members: int = 200_000
    nesting: int = 3
    name: int = 4096
    # A nested zip must be seekable: kept in memory up to here, then on disk, then refused.
    spool_memory: int = 32 << 20
    spool_total: int = 4 << 30


class UnreadableError(OSError):
    """Evidence broke while being read after the walk that could have said so was over."""

    def __init__(self, gap: Gap) -> None:
        super().__init__(f"{gap.source}: {gap.what}")
        self.gap = gap


class Notes:
    """Faults met while reading, each once; the walk hands them out behind their evidence."""

    def __init__(self) -> None:
        self._seen: set[Gap] = set()
        self._sources: set[str] = set()
        self._pending: list[Gap] = []
        self._closed = False

    def add(self, gap: Gap) -> None:
        """Keep a fault for the walk; raise it when no walk is left to tell it."""
        if gap in self._seen:
            return
        self._seen.add(gap)
        self._sources.add(gap.source)
        if self._closed:
            raise UnreadableError(gap)
        self._pending.append(gap)

    def knows(self, source: str) -> bool:
        """Whether a fault of this very stream was noted."""
        return source in self._sources

    def drain(self) -> list[Gap]:
        pending, self._pending = self._pending, []
        return pending

    def close(self) -> None:
        self._closed = True


class Total:
    """Decompressed bytes of one thing that was handed in, over all its layers."""

    def __init__(self) -> None:
        self.spent = 0


class Place(NamedTuple):
    """Where a stream stands: its name, how deep in archives, and whom to tell when it breaks."""

    source: str
    depth: int
    limits: Limits
    notes: Notes
    total: Total

    def inner(self, name: str) -> "Place":
        return self._replace(source=f"{self.source}!/{name}")

    def deeper(self) -> "Place":
        return self._replace(depth=self.depth + 1)

    def gap(self, reason: Reason, what: str, to_open: str = "") -> Gap:
        """A Gap about content that was handed in and will not be seen whole."""
        return Gap(self.source, what, reason, to_open, asked_for=True)

    def note(self, reason: Reason, what: str, to_open: str = "") -> None:
        self.notes.add(self.gap(reason, what, to_open))


def shown(name: str) -> str:
    """A file name that is safe to print: what a terminal or encoder chokes on is escaped."""
    if name.isprintable():
        return name
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in name
    )

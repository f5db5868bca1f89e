"""One file of what a user saved, as the readers see it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol

from sickbay.bundle.encoding import decode, text_blocks
from sickbay.model.evidence import Gap, Reason
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink

HEAD: Final = 64 * 1024
MOST_TEXT: Final = 64 * 1024 * 1024


def _nowhere(_gap: Gap) -> None:
    """A part of a text that was read whole can break no bound."""


class Piece(NamedTuple):
    """A file: its name, its first part as text, and ways to read the whole of it."""

    source: str
    head: str
    open: Callable[[], BinaryIO]
    size: int | None = None
    # Whom to tell what was not read.
    note: Callable[[Gap], None] = _nowhere

    def text(self) -> str:
        """The whole file as text, up to a bound that hardly a file of this kind reaches."""
        with self.open() as reader:
            data = reader.read(MOST_TEXT)
            if reader.read(1):
                self.note(self._cut())
        return decode(data).replace("\r\n", "\n")

    def _cut(self) -> Gap:
        what = f"longer than {MOST_TEXT >> 20} MiB: only its beginning was read"
        to_open = "save it in smaller files"
        return Gap(self.source, what, Reason.TRUNCATED, to_open, asked_for=True)

    def blocks(self) -> Iterator[bytes]:
        """The whole file as UTF-8, in blocks, however large it is."""
        with self.open() as reader:
            yield from text_blocks(reader)


class Reader(Protocol):
    """A kind of file: told by its content, then read."""

    def matches(self, piece: Piece) -> bool: ...
    def read(self, piece: Piece, sink: "Sink") -> None: ...

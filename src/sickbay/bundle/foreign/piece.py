"""One file of what a user saved, as the readers see it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol

from sickbay.bundle.encoding import decode, text_blocks
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink

HEAD: Final = 64 * 1024
MOST_TEXT: Final = 64 * 1024 * 1024


class Piece(NamedTuple):
    """A file: its name, its first part as text, and ways to read the whole of it."""

    source: str
    head: str
    open: Callable[[], BinaryIO]
    size: int | None = None

    def text(self) -> str:
        """The whole file as text, up to a bound that no file of this kind reaches."""
        with self.open() as reader:
            return decode(reader.read(MOST_TEXT)).replace("\r\n", "\n")

    def blocks(self) -> Iterator[bytes]:
        """The whole file as UTF-8, in blocks, however large it is."""
        with self.open() as reader:
            yield from text_blocks(reader)


class Reader(Protocol):
    """A kind of file: told by its content, then read."""

    def matches(self, piece: Piece) -> bool: ...
    def read(self, piece: Piece, sink: "Sink") -> None: ...

"""Tables that `az … -o table` prints, told by a line of dashes under columns that are known."""

from typing import Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink

_LARGEST: Final = 16 * 1024 * 1024


class AzTables:
    def matches(self, piece: Piece) -> bool:
        """Whether a text has a table whose rows are known; others are prose like any."""
        is_small = piece.size is not None and piece.size <= _LARGEST
        if "\n--" not in piece.head or not is_small:
            return False
        from sickbay.bundle.foreign.az_rows import tables  # noqa: PLC0415 - few texts need it

        return any(table.is_known for table in tables(piece.head, piece.source))

    def read(self, piece: Piece, sink: Sink) -> None:
        from sickbay.bundle.foreign.az_rows import read_tables  # noqa: PLC0415

        read_tables(piece, sink)


READER = AzTables()

"""What a reader of parts leaves of a text, for the other readers."""

import io

from sickbay.bundle.foreign.piece import HEAD, Piece
from sickbay.bundle.sink import Sink


def read_rest(lines: list[str], piece: Piece, sink: Sink) -> None:
    """Let the other readers have what is left of a text; if nothing was taken of it, prose."""
    from sickbay.bundle.foreign import read_piece  # noqa: PLC0415 - it imports this module
    from sickbay.bundle.foreign.prose import READER as PROSE  # noqa: PLC0415

    rest = "\n".join(lines)
    if not rest.strip():
        return
    data = rest.encode("utf-8", "replace")
    left = Piece(piece.source, rest[:HEAD], lambda: io.BytesIO(data), len(data))
    if rest == piece.text():
        PROSE.read(left, sink)
    else:
        read_piece(left, sink)

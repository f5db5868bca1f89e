"""A text that stands as a quotation in a mail or a post: without the marks before its lines.

A message that goes over several lines has a mark in the midst of its words; no pattern finds it so.
"""

import io
import re
from typing import TYPE_CHECKING, Final

from sickbay.bundle.foreign.piece import HEAD, Piece

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink

# Two lines or more; one alone is a prompt, and curl marks what it sends in the same way.
_QUOTATION: Final = r"(?m)^(?:[ \t]*>(?: [^\n]*)?(?:\n|\Z)){2,}"
_SENT: Final = r"[ \t]*> [A-Z]{3,8} \S{1,2000} HTTP/"
_MARK: Final = r"(?m)^[ \t]*> ?"


class Quoted:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > HEAD:
            return False
        return unquoted(piece.head) != piece.head

    def read(self, piece: Piece, sink: "Sink") -> None:
        from sickbay.bundle.foreign import read_piece  # noqa: PLC0415 - it imports this module

        text = unquoted(piece.text())
        data = text.encode("utf-8", "replace")
        read_piece(Piece(piece.source, text[:HEAD], lambda: io.BytesIO(data), len(data)), sink)


READER = Quoted()


def unquoted(text: str) -> str:
    """The text without the marks of its quotations; every line keeps its number."""
    return re.sub(_QUOTATION, _bare, text)


def _bare(quotation: re.Match[str]) -> str:
    if re.search(rf"(?m)^{_SENT}", quotation[0]):
        return quotation[0]
    return re.sub(_MARK, "", quotation[0])

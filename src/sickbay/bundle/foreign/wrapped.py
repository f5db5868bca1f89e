"""A text that a console broke at its last column, in the middle of words: made whole again.

What is pasted from a Windows console has a line end where the window ended. No pattern finds a word
that is cut in two, and no JSON may have a line end inside a string.
"""

import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from sickbay.bundle.foreign.piece import HEAD, Piece

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink

_NARROWEST: Final = 60
_WIDEST: Final = 300
# Lines of one length are often chance; these are the widths of consoles.
_USUAL: Final = frozenset({79, 80, 99, 100, 119, 120, 131, 132, 139, 140, 159, 160, 179, 180})
# What breaks lines between words leaves most of them a little shorter than the longest.
_NEARLY: Final = 0.8
_DRAWN: Final = r"[^A-Za-z0-9]+$"
_COLUMNS: Final = r"\S.*?\S {2,}\S.*? {2,}\S"
# Records of one kind begin alike.
_ALIKE: Final = 4
# What begins a record, a field or a paragraph continues no word.
_BEGINS: Final = (
    r"  |[ \t]*$|[ \t]*[-*+>|] |\d{4}-\d\d-\d\d[T ]|[IWEF]\d{4}[ -]\d\d|"
    r"[{\[]| *\x22\w+\x22:|[ \t]*[}\]]|"
    r"(?:Normal|Warning|Error|ERROR|WARNING|INFO|At line|PS) ?[ :]|\$ |\([A-Z]\w{4,80}\) \S"
)
# What a person goes on with on a new line; one line of a usual width may be chance.
_SPOKEN: Final = (
    r"(?:[A-Z][a-z']*|(?i:we|when|then|but|please|how|what|why|while|after|before|because|this|"
    r"there|my|our)) "
)
_NAMES_A_FIELD: Final = r"[A-Za-z][\w .-]{0,40}: "


class Wrapped:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > HEAD:
            return False
        return bool(_seams(piece.head.splitlines()))

    def read(self, piece: Piece, sink: "Sink") -> None:
        from sickbay.bundle.foreign import read_piece  # noqa: PLC0415 - it imports this module

        text = whole(piece.text())
        data = text.encode("utf-8", "replace")
        read_piece(Piece(piece.source, text[:HEAD], lambda: io.BytesIO(data), len(data)), sink)


READER = Wrapped()


def whole(text: str) -> str:
    """The text without the line ends of a console; what follows a mended line keeps its number."""
    lines = text.splitlines()
    seams = _seams(lines)
    mended: list[str] = []
    joined = 0
    for at, line in enumerate(lines):
        if at - 1 in seams:
            mended[-1] += line
            joined += 1
            continue
        mended += [""] * joined + [line]
        joined = 0
    return "\n".join([*mended, ""])


def _seams(lines: list[str]) -> frozenset[int]:
    """The lines that go on in the next one: all are as long as the window is wide."""
    widths: dict[int, list[int]] = {}
    for at, (line, following) in enumerate(pairwise(lines)):
        if _NARROWEST * _NEARLY <= len(line) <= _WIDEST and _goes_on(line, following):
            widths.setdefault(len(line), []).append(at)
    widest = max(map(len, lines), default=0)
    found = [
        frozenset(seams)
        for width, seams in sorted(widths.items())
        if len(seams) > 1 or (width == widest and width in _USUAL and not _is_said(lines, seams[0]))
        if width >= _NARROWEST and len(seams) > _nearly_as_wide(width, widths)
    ]
    return max(found, key=len, default=frozenset())


def _is_said(lines: list[str], at: int) -> bool:
    """Whether a line ends with a whole word, and a person goes on below it."""
    return lines[at][-1:].islower() and re.match(_SPOKEN, lines[at + 1]) is not None


def _nearly_as_wide(width: int, widths: dict[int, list[int]]) -> int:
    return sum(len(widths[other]) for other in widths if _NEARLY * width <= other < width - 1)


def _goes_on(line: str, following: str) -> bool:
    is_sentence = line[-1:] in ".!?" and following[:1].isupper()
    if is_sentence or line[:_ALIKE] == following[:_ALIKE]:
        return False
    # The plainest first: of most texts the others need not be compiled.
    return not (
        re.match(_NAMES_A_FIELD, following)
        or re.match(_BEGINS, following)
        or re.match(_DRAWN, line)
        or re.match(_DRAWN, following)
        or re.match(_COLUMNS, following)
    )

"""Reads a text that a console broke at its width, in the middle of words.

A line that is as wide as the screen goes on in the next one. What is heard only in lines put
together so is typical of a cause and never proof of one.
"""

from typing import Final

from sickbay.engine.catalog import Catalog
from sickbay.model.finding import Weight
from sickbay.rulekit.signature import Signature

# What is longer is a log, whose lines no console has broken.
_LONGEST: Final = 16_000
_NARROWEST: Final = 60
_WIDEST: Final = 250
# A single full line may be a sentence of that length; consoles are of round widths, or one less.
_ROUND: Final = (0, 9)


def unfolded(data: bytes) -> bytes:
    """The text with its broken lines put together, or nothing where none is broken."""
    lines = data.decode("utf-8", "replace").splitlines()
    width = max(map(len, lines), default=0)
    breaks = [n for n, line in enumerate(lines[:-1]) if _goes_on(line, lines[n + 1], width)]
    is_sure = len(breaks) > 1 or width % 10 in _ROUND
    if len(data) > _LONGEST or not _NARROWEST <= width <= _WIDEST or not breaks or not is_sure:
        return b""
    ends = ("" if n in set(breaks) else "\n" for n in range(len(lines)))
    return "".join(line + end for line, end in zip(lines, ends, strict=True)).encode()


def _goes_on(line: str, following: str, width: int) -> bool:
    is_item = following.startswith((" -", " *", " +", "\t"))
    return len(line) == width and bool(following[:2].strip()) and not is_item


class FoldedCatalog(Catalog):
    """A catalogue in which nothing proves."""

    def __init__(self, strict: Catalog) -> None:
        super().__init__(strict.index)

    def signature(self, number: int) -> tuple[str, Signature]:
        rule, strict = super().signature(number)
        weight = Weight.TYPICAL if strict.weight is Weight.DECISIVE else strict.weight
        return rule, strict._replace(weight=weight)

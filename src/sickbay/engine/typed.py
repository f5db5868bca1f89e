"""Reads what somebody typed off a screen: all in lower case, or without its quotes.

Only a text in which a program's own spelling is nowhere left is read so. What is heard in it is
typical of a cause and never proof of one.
"""

from collections.abc import Iterator
from typing import Final

from sickbay.engine.catalog import Catalog
from sickbay.engine.needs import is_met
from sickbay.model.finding import Weight
from sickbay.rulekit.signature import Signature

# Nobody types more than this.
_MOST_TYPED: Final = 4_000
_QUOTES: Final = "\"'"
_REPEATED: Final = "?*+{"


def is_typed(data: bytes) -> bool:
    """Whether a text has lost its capitals or its quotes."""
    if len(data) > _MOST_TYPED or b"{" in data:
        return False
    return data == data.lower() or not has_quotes(data)


def has_quotes(data: bytes) -> bool:
    """Whether a text has kept quotes, so that what stands between them has an end."""
    return any(quote.encode() in data for quote in _QUOTES)


def lenient(pattern: str, *, is_quoted: bool = False) -> str:
    """The pattern without regard to case, and with its quotes left to the writer."""
    return "(?i)" + "".join(_parts(pattern, is_quoted=is_quoted))


class TypedCatalog(Catalog):
    """A catalogue whose signatures are lenient."""

    def __init__(self, strict: Catalog, *, is_quoted: bool) -> None:
        super().__init__(strict.index)
        self._is_quoted = is_quoted
        self._lenient: dict[int, tuple[str, Signature]] = {}

    def signature(self, number: int) -> tuple[str, Signature]:
        if number not in self._lenient:
            rule, strict = super().signature(number)
            weight = Weight.TYPICAL if strict.weight is Weight.DECISIVE else strict.weight
            unless = self._read(strict.unless) if strict.unless else ""
            self._lenient[number] = (
                rule,
                strict._replace(pattern=self._read(strict.pattern), unless=unless, weight=weight),
            )
        return self._lenient[number]

    def _read(self, pattern: str) -> str:
        return lenient(pattern, is_quoted=self._is_quoted)


class WordMatcher:
    """Finds where the words of a signature stand, spelt in any way."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._signatures = catalog.index.signatures

    def scan(self, buffer: bytes) -> list[tuple[int, int]]:
        buffer = buffer.lower()
        return [(n, at) for n in self._signatures for at in self._places(n, buffer)]

    def _places(self, number: int, buffer: bytes) -> Iterator[int]:
        for way in self._catalog.words(number):
            if way and is_met(way, buffer):
                first = way[0]
                for word in (first,) if isinstance(first, bytes) else first:
                    at = buffer.find(word)
                    while at >= 0:
                        yield at + len(word)
                        at = buffer.find(word, at + 1)


def _parts(pattern: str, *, is_quoted: bool) -> Iterator[str]:
    at = 0
    while at < len(pattern):
        end = _end(pattern, at)
        part = pattern[at:end]
        is_quote = part.strip("[]\\") and not part.strip("[]\\" + _QUOTES)
        is_repeated = pattern[end : end + 1] and pattern[end] in _REPEATED
        if is_quote and not is_repeated:
            yield f"{part}?"
        elif not is_quoted and _is_quoted_text(part):
            # Without its quotes nothing but a blank ends a name: it must not run on to other words.
            yield f"{part[:-1]}\\s]"
        else:
            yield part
        at = end


def _is_quoted_text(part: str) -> bool:
    """Whether a part stands for anything up to the next quote."""
    return part.startswith("[^") and len(part) > len("[^]") and not part[2:-1].strip("\\" + _QUOTES)


def _end(pattern: str, at: int) -> int:
    """Where a sign, an escaped sign or a class of signs ends."""
    if pattern[at] == "\\":
        return at + 2
    if pattern[at] != "[":
        return at + 1
    end = at + 2
    while end < len(pattern) and pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    return end + 1

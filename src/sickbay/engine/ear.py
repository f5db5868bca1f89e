"""The filter over raw text, and the closer looks at what it finds."""

from typing import Final, Protocol

from sickbay.engine.confirm import Captures, Confirmed
from sickbay.engine.judge import Shape, shape_of
from sickbay.engine.ledger import Ledger
from sickbay.engine.veils import VEIL

# How much before a find tells in which field it stands.
_CONTEXT: Final = 48
_MOST_IN_VAIN: Final = 20_000


class Matcher(Protocol):
    def scan(self, buffer: bytes) -> list[tuple[int, int]]: ...


class Ear:
    """The filter, and the closer looks at what it found."""

    def __init__(self, matcher: Matcher, ledger: Ledger) -> None:
        self.scan = matcher.scan
        self.ledger = ledger
        self._vain: set[tuple[int, Shape, Shape]] = set()

    def glance(self, number: int, line: bytes) -> Captures | None:
        """Look at a line as it is, but for the commonest escapes."""
        pattern = self.ledger.patterns[number]
        if not pattern.may_be_in(line):
            return None
        return pattern.captures(plain(line) if b"\\" in line else line)

    def look(self, number: int, record: bytes, at: int) -> Captures | None:
        """Look at a record: as a whole in its normal form, then at its layers."""
        pattern = self.ledger.patterns[number]
        if not pattern.may_be_in(record):
            return None
        found = pattern.in_whole(record.decode("utf-8", "replace"))
        if found is None and pattern.may_be_below(record):
            found = self._below(number, record, record[max(0, at - _CONTEXT) : at + 1])
        return None if found is None else tuple(value.encode() for _, value in found.facts)

    def _below(self, number: int, record: bytes, context: bytes) -> Confirmed | None:
        """Look at the layers of a record, unless one of its kind was looked at in vain.

        Of one kind are records of the same shape, also in what stands before the find.
        """
        kind = (number, shape_of(context), shape_of(record))
        if kind in self._vain:
            return None
        text = record.decode("utf-8", "replace")
        found = self.ledger.patterns[number].in_layers(self.ledger.unwrapped(text))
        if found is None and len(self._vain) < _MOST_IN_VAIN:
            self._vain.add(kind)
        return found

    def unmask(self, record: bytes) -> dict[int, Captures]:
        """Everything that the layers of a disguised record say."""
        layers = self.ledger.unwrapped(record.decode("utf-8", "replace"))
        texts = "\n".join(layer.text for layer in layers).encode("utf-8", "replace")
        said: dict[int, Captures] = {}
        for number in sorted({number for number, _ in self.scan(texts) if number < VEIL}):
            found = self.ledger.patterns[number].in_layers(layers)
            if found is not None:
                said[number] = tuple(value.encode() for _, value in found.facts)
        return said


def plain(line: bytes) -> bytes:
    """A line with its quotes as they were before they were put into strings, once or twice."""
    return line.replace(b'\\\\\\"', b'"').replace(b'\\"', b'"')

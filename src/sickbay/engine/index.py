"""The catalogue in the form that a run loads: a small table, and cards that are read on demand.

Start-up must not grow with the catalogue, so the table holds ids, causal edges and who owns which
signature; everything else is one card for each rule, found by its offset. It is written with
`marshal`, which is there anyway: only the Python that wrote an index reads it.
"""

import marshal
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from zlib import crc32

from sickbay.engine.cards import PLAIN, Card, decode, encode
from sickbay.engine.confirm import Words
from sickbay.record import NamedTuple

FORMAT: Final = 5


class Place(NamedTuple):
    """Where a rule's module can be imported from: a dotted name, or a file outside any package."""

    module: str
    path: str = ""


# Where a card begins and ends among the others, and its checksum.
Span = tuple[int, int, int]


class Table(NamedTuple):
    """What every run reads."""

    format: int
    ids: tuple[str, ...]
    spans: tuple[Span, ...]
    places: tuple[tuple[str, str], ...]
    leads_to: tuple[tuple[int, ...], ...]
    signatures: tuple[tuple[int, int], ...]
    kinds: Mapping[str, tuple[int, ...]]


class Written(NamedTuple):
    """An index as it is kept: its table, and the cards of all rules one behind the other."""

    table: bytes
    cards: bytes

    def opened(self) -> "Index":
        return Index(self.table, lambda span: self.cards[span[0] : span[1]])


def build(cards: Iterable[tuple[Card, Place]]) -> Written:
    """Write the index of a catalogue; equal rules give equal bytes."""
    rows = sorted(cards, key=lambda row: row[0].id)
    number = {card.id: index for index, (card, _) in enumerate(rows)}
    written = [encode(card) for card, _ in rows]
    kinds: dict[str, tuple[int, ...]] = {}
    for index, (card, _) in enumerate(rows):
        for kind in sorted({check.kind for check in card.checks}):
            kinds[kind] = (*kinds.get(kind, ()), index)
    table: tuple[Any, ...] = Table(
        FORMAT,
        tuple(number),
        tuple(_spans(written)),
        tuple((place.module, place.path) for _, place in rows),
        tuple(tuple(number[e] for e in card.leads_to if e in number) for card, _ in rows),
        tuple((i, k) for i, (card, _) in enumerate(rows) for k in range(len(card.signatures))),
        kinds,
    )
    return Written(marshal.dumps(tuple(table), PLAIN), b"".join(written))


def _spans(written: list[bytes]) -> list[Span]:
    spans, at = [], 0
    for card in written:
        spans.append((at, at + len(card), crc32(card)))
        at += len(card)
    return spans


class Index:
    """An index in memory; cards are decoded on demand."""

    def __init__(self, table: bytes, card: Callable[[Span], bytes]) -> None:
        raw = marshal.loads(table)  # noqa: S302 - our own file, and its checksum fits
        if not isinstance(raw, tuple) or raw[:1] != (FORMAT,):
            raise ValueError("index of another format")
        self.table = Table(*raw)
        self._card = card
        self._cards: dict[int, tuple[Card, tuple[Words, ...]]] = {}

    def card(self, number: int) -> Card:
        return self._read(number)[0]

    def words(self, number: int) -> tuple[Words, ...]:
        """The words that the patterns of a rule need, in the order of its signatures."""
        return self._read(number)[1]

    def _read(self, number: int) -> tuple[Card, tuple[Words, ...]]:
        if number not in self._cards:
            self._cards[number] = decode(self._card(self.table.spans[number]))
        return self._cards[number]

    def place(self, number: int) -> Place:
        return Place(*self.table.places[number])

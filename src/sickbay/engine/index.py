"""The catalogue in the form that a run loads: a small table, and cards that are read on demand.

Start-up must not grow with the catalogue, so the table holds ids, causal edges and who owns which
signature; everything else is one card for each rule, found by its offset. It is written with
`marshal`, which is there anyway: only the Python that wrote an index reads it.
"""

import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final
from zlib import crc32

from sickbay.engine.cards import PLAIN, Card, decode, encode
from sickbay.engine.needs import Words
from sickbay.record import NamedTuple

FORMAT: Final = 10
_NUMBER: Final = "I"


class Place(NamedTuple):
    """Where a rule's module can be imported from: a dotted name, or a file outside any package."""

    module: str
    path: str = ""


# Where a card begins and ends among the others, and its checksum.
Span = tuple[int, int, int]


class Table(NamedTuple):
    """What every run reads; rows of numbers stay bytes until one of them is asked for."""

    format: int
    # Line by line.
    ids: str
    spans: bytes
    # Where the effects of each rule end among those of all, and those of all.
    ends: bytes
    effects: bytes
    # The rule of each signature, and which of its signatures it is.
    owners: bytes
    parts: bytes
    hands_on: bytes
    # Where each rule is, and which rules ask about which kind: a text wants neither.
    rest: bytes


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
    effects = [[number[e] for e in card.leads_to if e in number] for card, _ in rows]
    owned = [(i, k) for i, (card, _) in enumerate(rows) for k in range(len(card.signatures))]
    places = tuple((place.module, place.path) for _, place in rows)
    table: tuple[Any, ...] = Table(
        FORMAT,
        "\n".join(number),
        _row(part for span in _spans(written) for part in span),
        _row(sum(map(len, effects[: end + 1])) for end in range(len(effects))),
        _row(effect for some in effects for effect in some),
        _row(rule for rule, _ in owned),
        _row(part for _, part in owned),
        bytes(card.hands_on for card, _ in rows),
        marshal.dumps((places, _kinds([card for card, _ in rows])), PLAIN),
    )
    return Written(marshal.dumps(tuple(table), PLAIN), b"".join(written))


def _row(numbers: Iterable[int]) -> bytes:
    from struct import pack  # noqa: PLC0415 - only a new catalogue is written

    row = tuple(numbers)
    return pack(f"{len(row)}{_NUMBER}", *row)


def _kinds(cards: Sequence[Card]) -> dict[str, tuple[int, ...]]:
    kinds: dict[str, tuple[int, ...]] = {}
    for index, card in enumerate(cards):
        for kind in sorted({check.kind for check in card.checks}):
            kinds[kind] = (*kinds.get(kind, ()), index)
    return kinds


def _spans(written: list[bytes]) -> list[Span]:
    spans, at = [], 0
    for card in written:
        spans.append((at, at + len(card), crc32(card)))
        at += len(card)
    return spans


class Index:
    """An index in memory; rules are known by number, and cards are decoded on demand."""

    def __init__(self, table: bytes, card: Callable[[Span], bytes]) -> None:
        raw = marshal.loads(table)  # noqa: S302 - our own file, and its checksum fits
        if not isinstance(raw, tuple) or raw[:1] != (FORMAT,):
            raise ValueError("index of another format")
        known = Table(*raw)
        self.ids: tuple[str, ...] = tuple(known.ids.split("\n")) if known.ids else ()
        self._spans, self._ends, self._effects, self._owners, self._parts = (
            memoryview(row).cast(_NUMBER)
            for row in (known.spans, known.ends, known.effects, known.owners, known.parts)
        )
        self._hands_on = known.hands_on
        self._rest = known.rest
        self._card = card
        self._cards: dict[int, tuple[Card, tuple[Words, ...]]] = {}

    def card(self, number: int) -> Card:
        return self._read(number)[0]

    def words(self, number: int) -> tuple[Words, ...]:
        """The words that the patterns of a rule need, in the order of its signatures."""
        return self._read(number)[1]

    def effects(self, number: int) -> list[int]:
        """The rules that a rule leads to."""
        begin = self._ends[number - 1] if number else 0
        return self._effects[begin : self._ends[number]].tolist()

    def hands_on(self, number: int) -> bool:
        """What a card says of this; a rule is asked for it whenever another may lead to it."""
        return bool(self._hands_on[number])

    @property
    def signatures(self) -> range:
        """The numbers of all signatures, in the order of their rules."""
        return range(len(self._owners))

    def owner(self, signature: int) -> tuple[int, int]:
        """The rule of a signature, and which of its signatures it is."""
        return self._owners[signature], self._parts[signature]

    def place(self, number: int) -> Place:
        return Place(*self._wanted[0][number])

    @property
    def kinds(self) -> Mapping[str, tuple[int, ...]]:
        """The rules that ask about each kind."""
        return self._wanted[1]

    @cached_property
    def _wanted(self) -> tuple[tuple[tuple[str, str], ...], Mapping[str, tuple[int, ...]]]:
        found: tuple[tuple[tuple[str, str], ...], Mapping[str, tuple[int, ...]]]
        found = marshal.loads(self._rest)  # noqa: S302 - as above
        return found

    def _read(self, number: int) -> tuple[Card, tuple[Words, ...]]:
        if number not in self._cards:
            start, end, crc = self._spans[3 * number : 3 * number + 3]
            self._cards[number] = decode(self._card((start, end, crc)))
        return self._cards[number]

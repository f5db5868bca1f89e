"""The catalogue in the form that a run loads: a small table, and cards that are read on demand.

Start-up must not grow with the catalogue, so the table holds ids, causal edges and who owns which
signature; everything else is one line for each rule, found by its offset.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sickbay.engine.cards import Card, decode, encode

FORMAT = 2


class Place(NamedTuple):
    """Where a rule's module can be imported from: a dotted name, or a file outside any package."""

    module: str
    path: str = ""


class Table(NamedTuple):
    """What every run reads."""

    ids: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    places: tuple[Place, ...]
    leads_to: tuple[tuple[int, ...], ...]
    signatures: tuple[tuple[int, int], ...]
    kinds: Mapping[str, tuple[int, ...]]


def build(cards: Iterable[tuple[Card, Place]]) -> bytes:
    """Write the index of a catalogue; equal rules give equal bytes."""
    rows = sorted(cards, key=lambda row: row[0].id)
    number = {card.id: index for index, (card, _) in enumerate(rows)}
    lines = [encode(card) for card, _ in rows]
    kinds: dict[str, list[int]] = {}
    for index, (card, _) in enumerate(rows):
        for kind in sorted({check.kind for check in card.checks}):
            kinds.setdefault(kind, []).append(index)
    table = {
        "format": FORMAT,
        "ids": list(number),
        "spans": _spans(lines),
        "places": [list(place) for _, place in rows],
        "leads_to": [[number[e] for e in card.leads_to if e in number] for card, _ in rows],
        "signatures": [
            (i, k) for i, (card, _) in enumerate(rows) for k in range(len(card.signatures))
        ],
        "kinds": kinds,
    }
    head = json.dumps(table, separators=(",", ":")).encode()
    return b"\n".join([head, *lines])


def _spans(lines: list[bytes]) -> list[tuple[int, int]]:
    spans, at = [], 0
    for line in lines:
        spans.append((at, len(line)))
        at += len(line) + 1
    return spans


class Index:
    """An index in memory; cards are decoded on demand."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._lines = data.index(b"\n") + 1
        raw = json.loads(data[: self._lines])
        if raw.get("format") != FORMAT:
            raise ValueError("index of another format")
        self.table = Table(
            tuple(raw["ids"]),
            tuple((start, length) for start, length in raw["spans"]),
            tuple(Place(*place) for place in raw["places"]),
            tuple(tuple(effects) for effects in raw["leads_to"]),
            tuple((rule, part) for rule, part in raw["signatures"]),
            {kind: tuple(rules) for kind, rules in raw["kinds"].items()},
        )
        self._cards: dict[int, Card] = {}

    def card(self, number: int) -> Card:
        if number not in self._cards:
            start, length = self.table.spans[number]
            start += self._lines
            self._cards[number] = decode(self._data[start : start + length])
        return self._cards[number]

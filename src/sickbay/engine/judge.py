"""Reads the captures of many records of one signature without unwrapping each of them.

Unwrapping costs more than everything else together. Where it told nothing more of a record, it is
not done for the next one that has the same shape: the same signs, and other words between them.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from sickbay.bundle.unwrap import Layer
from sickbay.engine.confirm import Confirmed, Pattern

_WORDS: Final = bytes(sign for sign in range(128) if chr(sign).isalnum()) + b" ._-/%+"
# Words behind which unwrapping looks for an error in prose.
_MARKS: Final = tuple(b"code message desc reason cause detail error response status".split())
_MOST_SHAPES: Final = 5_000


Shape = tuple[bytes | int, ...]


class Judge:
    """Confirms the records of one signature; `flat` holds the shapes in which nothing is nested."""

    def __init__(
        self, pattern: Pattern, unwrapped: Callable[[str], tuple[Layer, ...]], flat: set[Shape]
    ) -> None:
        self._pattern = pattern
        self._unwrapped = unwrapped
        self._flat = flat
        self._depths: dict[Shape, int] = {}

    def confirm(self, text: str) -> Confirmed | None:
        """The innermost layer of a record that says what the signature means."""
        whole = self._pattern.in_whole(text)
        if whole is None:
            return self._pattern.in_layers(self._unwrapped(text))
        shape = shape_of(text.encode("utf-8", "replace"))
        if shape in self._flat:
            return whole
        depth = self._depths.get(shape)
        return self._learn(text, shape, whole) if depth is None else whole._replace(depth=depth)

    def _learn(self, text: str, shape: Shape, whole: Confirmed) -> Confirmed:
        layers = self._unwrapped(text)
        if len(layers) == 1 and len(self._flat) < _MOST_SHAPES:
            self._flat.add(shape)
        found = self._pattern.in_layers(layers) or whole
        # The code of a carrier differs from record to record, so it cannot be learnt.
        is_same = found.facts == whole.facts and not found.carriers
        if is_same and len(self._depths) < _MOST_SHAPES:
            self._depths[shape] = found.depth
        return found


@lru_cache(maxsize=4)
def shape_of(record: bytes) -> Shape:
    """The signs of a record, and how often it holds the words that unwrapping looks for."""
    lowered = record.lower()
    return record.translate(None, _WORDS), *(lowered.count(mark) for mark in _MARKS)

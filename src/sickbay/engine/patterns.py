"""From an author's pattern to the expression that raw evidence is filtered with.

A pattern speaks of the normal form of a text. Its candidate is a superset filter on raw bytes:
whatever text matches the pattern once it is in normal form, its raw form matches the candidate. It
is short, too: only the most telling stretch of the pattern is looked for, and what stands around a
find is then confirmed with the pattern itself.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from sickbay.engine.pattern_error import PatternError
from sickbay.engine.pieces import alternatives
from sickbay.engine.stretches import SHORTEST_LITERAL, Stretch, strength, telling

_SHARED: Final = 1.5
# Of stretches that are rare enough the shorter one does: every start loads the set of them all.
_RARE: Final = 8.0
_PER_SIGN: Final = 0.05

__all__ = ["PatternError", "candidate", "candidates"]


def candidates(patterns: Iterable[str]) -> list[str]:
    """The superset filters of a whole catalogue.

    Where many patterns share their most telling part, as one for each exit code would, that part
    tells little: every one of them would be looked at wherever it stands.
    """
    read = [_telling(pattern) for pattern in patterns]
    shared = Counter(expression for ways in read for expression in _expressions(ways))
    return [
        "|".join(
            dict.fromkeys(max(way, key=lambda one: _value(one, shared)).expression for way in ways)
        )
        for ways in read
    ]


def candidate(pattern: str) -> str:
    """The superset filter of one pattern."""
    return candidates([pattern])[0]


def _telling(pattern: str) -> list[list[Stretch]]:
    spelled = list(alternatives(pattern))
    ways = [telling(parts) for parts in spelled]
    if not all(ways) or any(strength(parts) < SHORTEST_LITERAL for parts in spelled):
        raise PatternError(
            pattern,
            f"each way to match it needs a word of {SHORTEST_LITERAL} or more fixed characters, "
            "or it would be looked for in every line",
        )
    return ways


def _value(one: Stretch, shared: Mapping[str, int]) -> tuple[bool, float]:
    """How well it tells; where that is well enough, less what it costs to look for it."""
    rarity = one.worth - _worthless(shared[one.expression])
    is_rare = rarity >= _RARE
    return is_rare, rarity - _PER_SIGN * len(one.expression) if is_rare else rarity


def _worthless(sharers: int) -> float:
    """What a stretch loses by being that of several patterns."""
    return _SHARED * math.log2(sharers)


def _expressions(ways: list[list[Stretch]]) -> set[str]:
    return {stretch.expression for way in ways for stretch in way}

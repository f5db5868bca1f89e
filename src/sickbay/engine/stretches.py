"""The pieces of a candidate expression, and which stretch of them is worth looking for.

Two things were measured. A find that is not confirmed costs as much as scanning thousands of bytes,
so a stretch must be rare. And every literal of a database is looked up wherever it stands, so a
stretch should begin with a rare word and hold no other literal.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sickbay.engine.commonwords import is_common
from sickbay.engine.rawform import SPACE

SHORTEST_LITERAL: Final = 4
# An acronym is no rare word, but rarer than a common one.
_SHORT: Final = 3
_PLAIN_SPACE: Final = r"\x20"
_PUNCTUATION: Final = " :,;.()[]=#-"
_UNUSUAL: Final = re.compile(r"[a-z][A-Z]|[A-Z]{3}|[\d_.-]")
_UNUSUAL_WORTH: Final = 3.0
_COMMON_WORTH: Final = 2.0
# Anything that many patterns look for is better than a word of every line.
_COMMON_ALONE: Final = -20.0
_LONGEST_WORTH: Final = 10
# More than this makes a match no rarer.
_ENOUGH: Final = 13.0
_RARE_PHRASE: Final = 16.0
# A longer expression costs time and space; only one that is not shared by others is worth it.
_TOO_LONG: Final = 0.2
# Each further word makes a phrase rarer than its words are.
_PHRASE_WORTH: Final = 1.5
# What a stretch is worth less that begins with no rare word.
WEAK_START: Final = 4.0
# Measured: a database with shorter beginnings is half as fast.
_STRONG: Final = 6
# Behind a rare word so many characters tell nearly as much as all of them, in half the database.
_BEHIND: Final = 4


class Part(NamedTuple):
    """A piece of an expression.

    `firm` is the character that it always is, but for its case; `strength` the number of literal
    bytes that it always holds; `worth` how rare alternatives are at least; `is_word` whether it
    surely ends in a letter, a digit or an underscore; `may_be_colon` whether it can end in a colon.
    """

    expression: str
    firm: str = ""
    strength: int = 0
    worth: float = 0.0
    is_word: bool = False
    may_be_colon: bool = False
    # The same, written so that the engine takes no part of it for a literal.
    muted: str = ""


# Anything may stand here, also a line end, an escape, or another field of the same record.
CUT: Final = Part("", "", -1)
BOUNDARY: Final = Part(r"\b")


class Stretch(NamedTuple):
    """A possible candidate expression, and what it is worth as a filter."""

    expression: str
    worth: float


class _Run(NamedTuple):
    """Parts that belong together: the characters of a literal, or a single other part."""

    parts: tuple[Part, ...]
    literal: str
    strength: int
    worth: float
    is_strong: bool


def telling(parts: list[Part]) -> list[Stretch]:
    """The stretches between cuts that hold a literal worth looking for."""
    found: list[Stretch] = []
    for stretch in _between_cuts(parts):
        runs = list(_runs(stretch))
        first = next((at for at, run in enumerate(runs) if run.strength), len(runs))
        for start in range(first, len(runs)):
            if start == first or runs[start].is_strong:
                found += _from(runs[start:])
    return found


def strength(parts: Iterable[Part]) -> int:
    """The length of the longest literal that every match of some parts holds."""
    return max((run.strength for run in _runs(parts)), default=0)


def worth(parts: Iterable[Part]) -> float:
    """How rare a match of some parts is, at least."""
    return _rarity(list(_runs(parts)))


def written(parts: Iterable[Part]) -> str:
    return "".join(part.expression for part in parts)


def muted(parts: Iterable[Part]) -> str:
    """The same as `written`, without a literal in it."""
    return "".join(part.muted or part.expression for part in parts)


def _between_cuts(parts: list[Part]) -> Iterator[list[Part]]:
    stretch: list[Part] = []
    for part in parts:
        if part == CUT:
            yield stretch
            stretch = []
        else:
            stretch.append(part)
    yield stretch


def _runs(stretch: Iterable[Part]) -> Iterator[_Run]:
    firm: list[Part] = []
    for part in stretch:
        if part.firm:
            firm.append(part)
            continue
        if firm:
            yield _literal(firm)
            firm = []
        is_strong = part.worth >= _STRONG and SPACE not in part.expression
        yield _Run((part,), "", max(part.strength, 0), part.worth, is_strong)
    if firm:
        yield _literal(firm)


def _literal(parts: list[Part]) -> _Run:
    literal = "".join(part.firm for part in parts)
    length = len(literal)
    word = literal.strip(_PUNCTUATION)
    if not word:
        return _Run(tuple(parts), literal, length, 0.0, is_strong=False)
    if is_common(word):
        return _Run(tuple(parts), literal, length, _COMMON_WORTH, is_strong=False)
    if length <= _SHORT:
        value = 3.0 if length == _SHORT and word == literal else length / 2
        return _Run(tuple(parts), literal, length, value, is_strong=False)
    value = min(length, _LONGEST_WORTH) + (_UNUSUAL_WORTH if _UNUSUAL.search(word) else 0.0)
    return _Run(tuple(parts), literal, length, value, is_strong=length >= _STRONG)


def _from(runs: list[_Run]) -> Iterator[Stretch]:
    """The stretch from the first of some runs on: whole, and only as far as it takes to be rare."""
    ends = [at + 1 for at, run in enumerate(runs) if run.strength]
    enough = next((end for end in ends if _rarity(runs[:end]) >= _ENOUGH), ends[-1])
    for end in {enough, ends[-1]}:
        kept = runs[:end]
        if max(run.strength for run in kept) >= _SHORT:
            behind = runs[end : end + 1]
            bound = behind if behind and behind[0].parts == (BOUNDARY,) else []
            surplus = _TOO_LONG if end > enough else 0.0
            yield Stretch(_spelled([*kept, *bound]), _worth(kept) - surplus)


def _rarity(runs: list[_Run]) -> float:
    words = sum(run.worth > 0 for run in runs)
    return sum(run.worth for run in runs) + _PHRASE_WORTH * max(0, words - 1)


def _worth(runs: list[_Run]) -> float:
    first = runs[0]
    if _rarity(runs) <= _COMMON_WORTH:
        return _COMMON_ALONE
    if not first.is_strong:
        return min(_rarity(runs), _RARE_PHRASE) - WEAK_START
    # Of equally rare ones the one with the rarer beginning, then the shorter.
    return min(_rarity(runs), _ENOUGH) + first.worth / 2 - len(runs) / 100


def _spelled(runs: list[_Run]) -> str:
    """The expression of some runs: a rare word and no literal behind it, else a plain phrase.

    A phrase of common words is rare only as a whole, and a literal only with plain spaces.
    """
    first, *others = runs
    if first.is_strong:
        return written(first.parts) + muted(_beginning(others))
    return "".join(written(run.parts) for run in runs).replace(SPACE, _PLAIN_SPACE)


def _beginning(runs: Iterable[_Run]) -> Iterator[Part]:
    """The parts of some runs up to the first few characters that they surely hold."""
    held = 0
    for part in (part for run in runs for part in run.parts):
        if held >= _BEHIND:
            return
        yield part
        held += 1 if part.firm else max(part.strength, 0)

"""Decides whether a record says what a signature means, and what its pattern captures.

RE2 does it, in time linear in the record: patterns may be a user's, and evidence is hostile.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

# The binding itself: what `re2` puts around it costs three times the search, once for each find.
from re2 import Options, _re2

from sickbay.bundle.unwrap import Layer, normal
from sickbay.engine.needs import Needs, Words
from sickbay.engine.pattern_error import PatternError
from sickbay.record import NamedTuple

Captures = tuple[bytes, ...]
Facts = tuple[tuple[str, str], ...]

_LONGEST_LAYER: Final = 2_000
_ANYWHERE: Final = _re2.RE2.Anchor.UNANCHORED
_NOWHERE: Final = -1
# A set answers faster, but must be compiled.
_WORTH_A_SET: Final = 64
_BEYOND_ASCII: Final = ("\\x", "\\p", "\\P")
# So many records are looked at before what a pattern wants is read out of it, to look at fewer.
_WORTH_WORDS: Final = 16


@lru_cache(maxsize=2)
def _whole(text: str) -> tuple[str, bytes]:
    """The normal form of a record; one long line may be heard by hundreds of signatures."""
    whole = normal(text)
    return whole, whole.encode("utf-8", "replace")


def words_of(pattern: str) -> Words:
    """For each way to match a pattern the words that it needs, in lower case, longest first."""
    from sickbay.engine.pieces import words  # noqa: PLC0415 - it reads the whole pattern

    try:
        ways = words(pattern)
    except (PatternError, re.error):
        # Whether it can be used at all is for others to say; here it needs nothing.
        return ((),)
    return tuple(
        (
            *_sorted(need for need in way if isinstance(need, str)),
            *sorted(_sorted(need) for need in way if isinstance(need, frozenset)),
        )
        for way in ways
    )


def _sorted(words: Iterable[str]) -> tuple[bytes, ...]:
    lower = {word.lower().encode() for word in words}
    return tuple(sorted(lower, key=lambda word: (-len(word), word)))


def _options(pattern: str) -> Any:
    """Byte by byte, unless the pattern speaks of other characters than those of ASCII.

    What counts characters is then half as large, and is made in half the time.
    """
    options = Options()
    options.log_errors = False
    if pattern.isascii() and not any(escape in pattern for escape in _BEYOND_ASCII):
        options.encoding = Options.Encoding.LATIN1
    return options


class Confirmed(NamedTuple):
    """Where in a record a pattern matched: the normal form, how deep, and the codes around it."""

    facts: Facts
    layer: str
    depth: int
    carriers: tuple[str, ...]


class Pattern:
    """A signature's pattern, compiled when the first record holds the words that it needs."""

    __slots__ = (
        "_asked",
        "_compiled",
        "_groups",
        "_looks",
        "_names",
        "_needs",
        "_pattern",
        "_set",
        "_spans",
    )

    def __init__(self, pattern: str, words: Words = ()) -> None:
        self._pattern = pattern
        self._needs = Needs(words) if words else None
        self._compiled: Any = None
        self._names: tuple[str, ...] = ()
        self._groups: tuple[int, ...] = ()
        self._set: Any = None
        self._asked = 0
        self._looks = 0
        self._spans: bool | None = None

    def compile(self) -> Any:
        """The compiled form; PatternError if there is none."""
        compiled = _re2.RE2(self._pattern.encode(), _options(self._pattern))
        if not compiled.ok():
            problem = compiled.error().decode()
            raise PatternError(self._pattern, f"RE2 cannot compile it: {problem}")
        named = sorted((name.decode(), group) for name, group in compiled.NamedCapturingGroups())
        self._names = tuple(name for name, _ in named)
        self._groups = tuple(group for _, group in named)
        self._compiled = compiled
        return compiled

    def is_in(self, text: bytes) -> bool:
        """Whether there is a match, for less than half of what its captures cost."""
        if self._set is None:
            self._asked += 1
            if self._asked < _WORTH_A_SET:
                return self.captures(text) is not None
            self._set = _re2.Set(_ANYWHERE, _options(self._pattern))
            self._set.Add(self._pattern.encode())
            self._set.Compile()
        return bool(self._set.Match(text))

    def begin(self, text: bytes) -> int:
        """Where the first match begins; negative if there is none."""
        compiled = self._compiled or self.compile()
        return int(compiled.Match(_ANYWHERE, text, 0, len(text))[0][0])

    def captures(self, text: bytes) -> Captures | None:
        """What the named groups hold, in the order of their names; None if there is no match."""
        compiled = self._compiled or self.compile()
        spans = compiled.Match(_ANYWHERE, text, 0, len(text))
        if spans[0][0] == _NOWHERE:
            return None
        found = []
        for group in self._groups:
            start, end = spans[group]
            found.append(text[start:end] if start >= 0 else b"")
        return tuple(found)

    def may_be_in(self, record: bytes) -> bool:
        """Whether a record holds the words that every match in it would hold, escaped or not."""
        self._looks += 1
        if self._needs is None:
            if self._looks < _WORTH_WORDS:
                return True
            self._needs = Needs(words_of(self._pattern))
        return self._needs.are_met(record.lower())

    def may_be_below(self, record: bytes) -> bool:
        """Whether a layer of a record can match when its whole does not."""
        if self._looks < _WORTH_WORDS:
            return True
        if self._spans is None:
            from sickbay.engine.pieces import may_span_fields  # noqa: PLC0415 - as above

            self._spans = may_span_fields(self._pattern)
        return self._spans or b'""' in record

    def in_whole(self, text: str) -> Confirmed | None:
        """Look at a record as a whole."""
        whole, encoded = _whole(text)
        captured = self.captures(encoded)
        return None if captured is None else self._confirmed(captured, whole)

    def in_layers(self, layers: tuple[Layer, ...]) -> Confirmed | None:
        """Look at every layer of a record: the innermost that matches speaks."""
        order = sorted(range(len(layers)), key=lambda at: -layers[at].depth)
        for at in order:
            layer = layers[at]
            captured = self.captures(layer.text.encode("utf-8", "replace"))
            if captured is not None:
                around = (above for above in layers[:at] if above.depth < layer.depth)
                carriers = tuple(above.code for above in around if above.code)
                found = self._confirmed(captured, layer.text)
                return found._replace(depth=layer.depth, carriers=carriers)
        return None

    def _confirmed(self, captured: Captures, layer: str) -> Confirmed:
        # A repeat that counts bytes may end within a character.
        values = (value.decode("utf-8", "ignore") for value in captured)
        facts = tuple(fact for fact in zip(self._names, values, strict=True) if fact[1])
        return Confirmed(facts, layer[:_LONGEST_LAYER], 0, ())

"""The door to RE2 as a filter, where hyperscan has no wheel: the same interface, equal results."""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import re2

from sickbay.engine.pattern_error import PatternError
from sickbay.engine.veils import DISGUISE, DISGUISES, VEIL, VEILS

Find = tuple[int, int]

_WINDOW: Final = 16_384
# An expression may reach over the border of a window; white space longer than this is none.
_OVERLAP: Final = 2_048
_MEMORY: Final = 256 << 20
_CHECKSUM: Final = 4


def identity() -> str:
    """Who can load a serialised set: anyone, since it is but the expressions."""
    return "re2 2"


def compile(expressions: Sequence[str]) -> bytes:
    """Serialise expressions, numbered as they come, together with the veils and disguises."""
    for expression in expressions:
        _compiled(expression)
    numbered = [*enumerate(expressions)]
    numbered += [(VEIL, veil) for veil in VEILS] + [(DISGUISE, mask) for mask in DISGUISES]
    serialised = json.dumps(numbered).encode()
    return zlib.crc32(serialised).to_bytes(_CHECKSUM) + serialised


def _compiled(expression: str) -> Any:
    try:
        return re2.compile(expression.encode("ascii"), _options())
    except re2.error as refusal:
        raise PatternError(expression, f"RE2 cannot compile it: {refusal}") from None


def _options() -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = _MEMORY
    return options


class Matcher:
    """A loaded set; for one thread. ValueError if the bytes are none."""

    def __init__(self, serialised: bytes) -> None:
        if zlib.crc32(serialised[_CHECKSUM:]).to_bytes(_CHECKSUM) != serialised[:_CHECKSUM]:
            raise ValueError("a damaged set of expressions")
        rows = json.loads(serialised[_CHECKSUM:])
        self._numbers = [int(number) for number, _ in rows]
        self._expressions = [str(expression) for _, expression in rows]
        self._alone: dict[int, Any] = {}
        self._set = re2.Set.SearchSet(_options())
        for expression in self._expressions:
            self._set.Add(expression.encode("ascii"))
        # It matches always: a set that says nothing at all has run out of memory.
        self._always = self._set.Add(b"(?s:.)")
        self._set.Compile()

    def scan(self, buffer: bytes) -> list[Find]:
        """The number of each expression that matches, and the offset behind its match."""
        finds: dict[Find, None] = {}
        for start in range(0, len(buffer), _WINDOW):
            window = buffer[start : start + _WINDOW + _OVERLAP]
            for index in self._present(window):
                number = self._numbers[index]
                for end in self._ends(index, window):
                    finds[number, start + end] = None
        return sorted(finds, key=lambda find: find[1])

    def _present(self, window: bytes) -> list[int]:
        found = self._set.Match(window)
        if not found:
            return list(range(len(self._expressions)))
        return sorted(index for index in found if index != self._always)

    def _ends(self, index: int, window: bytes) -> Iterator[int]:
        """The ends of all matches, also of those that begin inside another."""
        if index not in self._alone:
            self._alone[index] = _compiled(self._expressions[index])
        at = 0
        while match := self._alone[index].search(window, at):
            yield match.end()
            at = match.start() + 1

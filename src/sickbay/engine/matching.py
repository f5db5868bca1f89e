"""Chooses the matching engine: hyperscan where it has a wheel, else RE2.

Their results are equal.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from sickbay.engine.confirm import Pattern
from sickbay.engine.pattern_error import PatternError

try:
    from sickbay.engine import hyper as engine
except ImportError:  # no wheel for this platform
    from sickbay.engine import re2set as engine  # type: ignore[no-redef]  # the same interface


class Matcher(Protocol):
    def scan(self, buffer: bytes) -> list[tuple[int, int]]: ...


def identity() -> str:
    """What a compiled set can be loaded by."""
    return engine.identity()


def expressions(patterns: Iterable[str]) -> list[str]:
    """What patterns are looked for by; PatternError unless each can also be confirmed."""
    from sickbay.engine.patterns import candidates  # noqa: PLC0415 - only a new catalogue needs it

    return candidates(_confirmable(patterns))


def _confirmable(patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns:
        Pattern(pattern).compile()
        yield pattern


def compile(expressions: Sequence[str]) -> bytes:
    """Compile the expressions of signatures into one set."""
    return engine.compile(expressions)


def matcher(database: bytes) -> Matcher:
    """Load a compiled set."""
    return engine.Matcher(database)


__all__ = ["Matcher", "PatternError", "compile", "expressions", "identity", "matcher"]

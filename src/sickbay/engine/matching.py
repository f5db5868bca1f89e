"""Chooses the matching engine: hyperscan where it has a wheel, else RE2.

Their results are equal.
"""

from collections.abc import Sequence
from typing import Protocol

from sickbay.engine.confirm import Pattern
from sickbay.engine.patterns import PatternError, candidate

try:
    from sickbay.engine import hyper as engine
except ImportError:  # no wheel for this platform
    from sickbay.engine import re2set as engine  # type: ignore[no-redef]  # the same interface


class Matcher(Protocol):
    def scan(self, buffer: bytes) -> list[tuple[int, int]]: ...


def identity() -> str:
    """What a compiled set can be loaded by."""
    return engine.identity()


def expression(pattern: str) -> str:
    """What a pattern is looked for by; PatternError unless it can also be confirmed."""
    Pattern(pattern)
    return candidate(pattern)


def compile(expressions: Sequence[str]) -> bytes:
    """Compile the expressions of signatures into one set."""
    return engine.compile(expressions)


def matcher(database: bytes) -> Matcher:
    """Load a compiled set."""
    return engine.Matcher(database)


__all__ = ["Matcher", "PatternError", "compile", "expression", "identity", "matcher"]

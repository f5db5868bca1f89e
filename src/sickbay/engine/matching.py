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


def compile(patterns: Sequence[str]) -> bytes:
    """Compile the patterns of signatures into one set."""
    return engine.compile([candidate(pattern) for pattern in patterns])


def check(pattern: str) -> None:
    """Raise PatternError unless a pattern can be looked for and confirmed."""
    candidate(pattern)
    Pattern(pattern)


def matcher(database: bytes) -> Matcher:
    """Load a compiled set."""
    return engine.Matcher(database)


__all__ = ["Matcher", "PatternError", "check", "compile", "identity", "matcher"]

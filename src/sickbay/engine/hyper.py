"""The door to hyperscan: all expressions at once over a block of bytes, in linear time."""

import sys
from collections.abc import Sequence

import hyperscan
from hyperscan import _version as version

from sickbay.engine.pattern_error import PatternError
from sickbay.engine.veils import DISGUISE, DISGUISES, VEIL, VEILS

Find = tuple[int, int]


def identity() -> str:
    """Who can load a serialised database: the same library on the same kind of machine.

    A processor that lacks what the database was made for refuses it when it is loaded.
    """
    machine = getattr(sys.implementation, "_multiarch", sys.platform)
    return f"hyperscan {version.__version__} {machine}"


def compile(expressions: Sequence[str]) -> bytes:
    """Serialise expressions, numbered as they come, together with the veils and disguises."""
    flags = [0] * len(expressions)
    numbers = list(range(len(expressions)))
    # One veil is reason enough to clean a whole block.
    flags += [hyperscan.HS_FLAG_SINGLEMATCH] * len(VEILS) + [0] * len(DISGUISES)
    numbers += [VEIL] * len(VEILS) + [DISGUISE] * len(DISGUISES)
    everything = [expression.encode("ascii") for expression in (*expressions, *VEILS, *DISGUISES)]
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    try:
        database.compile(expressions=everything, ids=numbers, flags=flags)
    except hyperscan.error as refusal:
        raise PatternError(
            _guilty(expressions), f"hyperscan cannot compile it: {refusal}"
        ) from None
    serialised: bytes = hyperscan.dumpb(database)
    return serialised


def _guilty(expressions: Sequence[str]) -> str:
    for expression in expressions:
        try:
            alone = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
            alone.compile(expressions=[expression.encode("ascii")], flags=0)
        except hyperscan.error:
            return expression
    return " ".join(expressions[:1])


class Matcher:
    """A loaded database; for one thread. ValueError if the bytes are none, or another machine's."""

    def __init__(self, serialised: bytes) -> None:
        try:
            self._database = hyperscan.loadb(serialised, mode=hyperscan.HS_MODE_BLOCK)
            self._database.scratch = hyperscan.Scratch(self._database)
        except hyperscan.HyperscanError as refusal:
            raise ValueError(f"not a database of this machine: {refusal!r}") from None

    def scan(self, buffer: bytes) -> list[Find]:
        """The number of each expression that matches, and the offset behind its match."""
        finds: list[Find] = []
        append = finds.append

        def found(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            append((number, end))

        self._database.scan(buffer, match_event_handler=found)
        return finds

"""Finds signatures in texts of any size and number, in one pass.

A database of all candidate expressions runs over raw blocks. What stands around a find is confirmed
with the signature's own pattern, mostly on the line as it is; records are cut out, unwrapped and
dated only for what is kept.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from sickbay.bundle.frame import Frame
from sickbay.bundle.times import time_in
from sickbay.engine.batch import Batch
from sickbay.engine.confirm import Pattern
from sickbay.engine.ear import Ear, Matcher
from sickbay.engine.ledger import Heard, Ledger, Room
from sickbay.engine.log import Log
from sickbay.model.evidence import Text
from sickbay.rulekit.signature import Signature

__all__ = ["Heard", "Matcher", "Scanner"]


# What is told apart: in logs less, since their records have no subject of their own.
_KINDS_IN_LOGS: Final = 200
_MOST_IN_LOGS: Final = 500
_KINDS_IN_MESSAGES: Final = 5_000
_MOST_IN_MESSAGES: Final = 20_000


class _Patterns(dict[int, Pattern]):
    """The patterns of signatures, each compiled when it is first needed."""

    def __init__(self, signature_of: Callable[[int], Signature]) -> None:
        super().__init__()
        self._signature_of = signature_of

    def __missing__(self, number: int) -> Pattern:
        found = self[number] = Pattern(self._signature_of(number).pattern)
        return found


class Scanner:
    """Hears every text of a run."""

    def __init__(self, matcher: Matcher, signature_of: Callable[[int], Signature]) -> None:
        self._matcher = matcher
        self._patterns = _Patterns(signature_of)
        self._room = Room(_KINDS_IN_LOGS, _MOST_IN_LOGS)
        self._heard: dict[tuple[object, ...], Heard] = {}
        room = Room(_KINDS_IN_MESSAGES, _MOST_IN_MESSAGES)
        self._ear = Ear(matcher, Ledger(room, self._patterns))
        self._messages = Batch(self._ear)

    def add(self, text: Text) -> None:
        """Take a message."""
        self._messages.add(text)

    def scan_blocks(self, blocks: Iterable[bytes], frame: Frame) -> None:
        """Take a text of any size, in blocks of UTF-8."""
        time_of = partial(time_in, year=frame.year)
        ear = Ear(self._matcher, Ledger(self._room, self._patterns, time_of))
        Log(ear, frame).read(blocks)
        self._fold(ear.ledger)

    def finish(self) -> list[Heard]:
        """Say what was heard, in an order that does not depend on that of the texts."""
        self._messages.flush()
        self._fold(self._ear.ledger)
        self._ear.ledger.clear()
        return sorted(self._heard.values(), key=_order)

    def _fold(self, ledger: Ledger) -> None:
        for one in ledger.heard():
            key = (one.signature, one.facts, one.text.about)
            known = self._heard.get(key)
            self._heard[key] = one if known is None else _merged(known, one)


def _merged(known: Heard, other: Heard) -> Heard:
    """Of two texts that say the same, the earlier one is shown, whichever was read first."""
    shown = min(known, other, key=lambda one: (one.first or "~", one.text.origin))
    return shown._replace(
        times=known.times + other.times,
        first=min(filter(None, (known.first, other.first)), default=""),
        last=max(known.last, other.last),
        is_rest=known.is_rest or other.is_rest,
    )


def _order(heard: Heard) -> tuple[object, ...]:
    about = heard.text.about
    return heard.signature, heard.facts, about.key if about else "", heard.text.origin

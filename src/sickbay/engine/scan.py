"""Finds signatures in texts of any size and number, in one pass.

A database of all candidate expressions runs over raw blocks. What stands around a find is confirmed
with the signature's own pattern, mostly on the line as it is; records are cut out, unwrapped and
dated only for what is kept.
"""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from sickbay.bundle.frame import Frame
from sickbay.bundle.times import time_in
from sickbay.engine.batch import Batch
from sickbay.engine.confirm import Pattern
from sickbay.engine.ear import Ear, Matcher
from sickbay.engine.ledger import Heard, Ledger, Room, itself
from sickbay.engine.log import Log
from sickbay.engine.needs import Words
from sickbay.engine.passing import done_with, over
from sickbay.model.evidence import Text
from sickbay.rulekit.signature import Signature

if TYPE_CHECKING:
    from sickbay.engine.aftermath import Aftermath
    from sickbay.engine.recovery import Operations

__all__ = ["Heard", "Matcher", "Scanner"]

# Events of an activity log: a later one may take back what an earlier one says.
_OPERATIONS: Final = frozenset({"activity-log", "activity-log/succeeded"})
_NEWS: Final = frozenset({"event", "table"})

# Texts that go on while time goes by; a description is of one moment, and a deployment that failed
# goes on to wait for what will not come.
_LOGS: Final = ("log", "pasted")
_OF_ONE_DEED: Final = ("log/appliance", "log/cse", "log/cloud-init")

# What is told apart: in logs less, since their records have no subject of their own.
_KINDS_IN_LOGS: Final = 200
_MOST_IN_LOGS: Final = 500
_KINDS_IN_MESSAGES: Final = 5_000
_MOST_IN_MESSAGES: Final = 20_000


def _unknown(number: int) -> Words:  # noqa: ARG001
    """Patterns whose words nobody wrote down tell them when that pays."""
    return ()


class _Patterns(dict[int, Pattern]):
    """The patterns of signatures, each compiled when it is first needed."""

    def __init__(
        self, signature_of: Callable[[int], Signature], words: Callable[[int], Words]
    ) -> None:
        super().__init__()
        self._signature_of = signature_of
        self._words = words

    def __missing__(self, number: int) -> Pattern:
        pattern = self._signature_of(number).pattern
        found = self[number] = Pattern(pattern, self._words(number))
        return found


class Scanner:
    """Hears every text of a run."""

    def __init__(
        self,
        matcher: Matcher,
        signature_of: Callable[[int], Signature],
        rule_of: Callable[[int], int] = itself,
        words: Callable[[int], Words] = _unknown,
    ) -> None:
        self._matcher = matcher
        self._signature_of = signature_of
        self._rule_of = rule_of
        self._patterns = _Patterns(signature_of, words)
        self._room = Room(_KINDS_IN_LOGS, _MOST_IN_LOGS)
        self._heard: dict[tuple[object, ...], Heard] = {}
        self._ear = self._for_messages()
        self._messages = Batch(self._ear)
        self._operations: Operations | None = None
        self._aftermath: Aftermath | None = None

    def add(self, text: Text) -> None:
        """Take a message."""
        if text.channel in _NEWS:
            self._news().note(text)
        if text.channel not in _OPERATIONS or not self._held().takes(text):
            self._messages.add(text)

    def scan_blocks(self, blocks: Iterable[bytes], frame: Frame) -> None:
        """Take a text of any size, in blocks of UTF-8."""
        time_of = partial(time_in, year=frame.year)
        ear = Ear(self._matcher, Ledger(self._room, self._patterns, time_of, self._rule_of))
        extent = Log(ear, frame).read(blocks)
        judge = done_with if frame.channel.startswith(_OF_ONE_DEED) else over
        is_log = frame.channel.startswith(_LOGS)
        self._fold(ear.ledger, judge(ear.ledger, extent, self._signature_of) if is_log else ())

    def finish(self) -> list[Heard]:
        """Say what was heard, in an order that does not depend on that of the texts."""
        self._hear_operations()
        self._messages.flush()
        self._ear.ledger.arrange()
        self._fold(self._ear.ledger)
        self._ear.ledger.clear()
        heard: Iterable[Heard] = self._heard.values()
        if self._aftermath is not None:
            heard = (one for one in heard if not self._aftermath.is_overcome(one))
        return sorted(heard, key=_order)

    def _for_messages(self) -> Ear:
        room = Room(_KINDS_IN_MESSAGES, _MOST_IN_MESSAGES)
        return Ear(self._matcher, Ledger(room, self._patterns, rule_of=self._rule_of))

    def _hear_operations(self) -> None:
        """Hear what was held back, by itself: what is shown must not depend on what came first."""
        if self._operations is None:
            return
        ear = self._for_messages()
        batch = Batch(ear)
        for text in self._operations.lasting():
            batch.add(text)
        batch.flush()
        self._fold(ear.ledger)

    def _held(self) -> "Operations":
        if self._operations is None:
            from sickbay.engine.recovery import Operations  # noqa: PLC0415 - few texts need it

            self._operations = Operations()
        return self._operations

    def _news(self) -> "Aftermath":
        if self._aftermath is None:
            from sickbay.engine.aftermath import Aftermath  # noqa: PLC0415 - as above

            self._aftermath = Aftermath()
        return self._aftermath

    def _fold(self, ledger: Ledger, over: Collection[int] = ()) -> None:
        for one in ledger.heard(over):
            key = (one.signature, one.facts, one.text.about)
            known = self._heard.get(key)
            self._heard[key] = one if known is None else _merged(known, one)


def _merged(known: Heard, other: Heard) -> Heard:
    """Of two texts that say the same, the earlier one is shown, whichever was read first."""
    shown = min(known, other, key=lambda one: (one.first or "~", one.text.origin))
    return shown._replace(
        times=known.times + other.times,
        shared=known.shared + other.shared,
        first=min(filter(None, (known.first, other.first)), default=""),
        last=max(known.last, other.last),
        is_rest=known.is_rest or other.is_rest,
    )


def _order(heard: Heard) -> tuple[object, ...]:
    about = heard.text.about
    return heard.signature, heard.facts, about.key if about else "", heard.text.origin

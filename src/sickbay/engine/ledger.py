"""Keeps what was heard, folded: the first record of each kind, how often, when first and when last.

Nothing here is kept without a bound, and nothing costly is done before it is known what to keep.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from sickbay.bundle.unwrap import Layer, layers
from sickbay.engine.confirm import Captures, Confirmed, Facts, Pattern
from sickbay.engine.judge import Judge, Shape
from sickbay.model.evidence import Text
from sickbay.record import NamedTuple

# Signature, captures, and the key of the subject.
Key = tuple[int, Captures, str]
Patterns = Mapping[int, Pattern]

# Every signature may keep as many kinds, however much the others have taken.
_ALWAYS: Final = 1
_MOST_CHARACTERS: Final = 24 << 20
_SHORTENED: Final = 2_000
_MOST_UNWRAPPED: Final = 64


class Heard(NamedTuple):
    """A signature that was heard in one text: where, what it captured, and what carried it."""

    signature: int
    facts: Facts
    text: Text  # the record as read, with its place and time
    layer: str  # the normal form in which the pattern matched
    depth: int  # 0 for the whole text; deeper for what was unwrapped from it
    carriers: tuple[str, ...]  # the codes of the errors around it, outermost first
    times: int = 1
    first: str = ""
    last: str = ""
    # There were too many kinds to keep them apart: this one also counts all that came after it.
    is_rest: bool = False
    # In how many of the records another signature of the same rule had been heard before.
    shared: int = 0


class Entry:
    """One kind of record: the same signature, captures and subject."""

    __slots__ = ("first", "is_rest", "last", "latest", "line", "shared", "text", "times")

    def __init__(self, text: Text) -> None:
        self.text = text
        self.times = text.times
        self.shared = 0
        self.first, self.last = text.since or text.at, text.at
        # The latest line as read, when its time is still to be found.
        self.line = b""
        self.latest = text
        self.is_rest = False

    def again(self, text: Text) -> None:
        """Count one more message of the same kind."""
        self.times += text.times
        if text.at:
            begun = text.since or text.at
            self.first = min(self.first or begun, begun)
            self.last = max(self.last, text.at)
        else:
            self.latest = text


class Room:
    """What may still be kept: so many kinds of a signature, so many of all."""

    def __init__(self, kinds: int, total: int) -> None:
        self._most_kinds = kinds
        self._most_of_all = total
        self._kinds: dict[int, int] = {}
        self._all = 0
        self._characters = 0

    def has_place(self, number: int) -> bool:
        """Take the place of one more kind, if there is one."""
        kinds = self._kinds.get(number, 0)
        if kinds >= _ALWAYS and (kinds >= self._most_kinds or self._all >= self._most_of_all):
            return False
        self._kinds[number] = kinds + 1
        self._all += 1
        return True

    def fitted(self, text: str) -> str:
        """A record, shortened when the long ones have used up their share."""
        if self._characters + len(text) > _MOST_CHARACTERS:
            return text[:_SHORTENED]
        self._characters += len(text)
        return text


def itself(number: int) -> int:
    """Signatures of which nothing more is known are each of a rule of their own."""
    return number


def _undated(_text: str) -> str:
    """A message may quote a time that is not its own."""
    return ""


class Ledger:
    """What was heard in one log, or in all messages."""

    def __init__(
        self,
        room: Room,
        patterns: Patterns,
        time_of: Callable[[str], str] = _undated,
        rule_of: Callable[[int], int] = itself,
    ) -> None:
        self.patterns = patterns
        self.rule_of = rule_of
        self._room = room
        # When a record was written, if its text is all that can tell.
        self.time_of = time_of
        self._entries: dict[Key, Entry] = {}
        # The signatures of which no more kinds are told apart, and what counts them.
        self.rest: dict[int, Entry] = {}
        self._unwrapped: dict[str, tuple[Layer, ...]] = {}

    def find(self, key: Key) -> Entry | None:
        """The entry of a kind, or the one that counts the rest."""
        return self._entries.get(key) or self.rest.get(key[0])

    def open(self, key: Key, text: Text) -> Entry:
        """Note a kind for the first time."""
        fitted = self._room.fitted(text.text)
        entry = Entry(text if fitted is text.text else text._replace(text=fitted))
        self._entries[key] = entry
        if not self._room.has_place(key[0]):
            entry.is_rest = True
            self.rest[key[0]] = entry
        return entry

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """Everything noted, each under the number of its signature."""
        return ((number, entry) for (number, _, _), entry in self._entries.items())

    def arrange(self) -> None:
        """Put what came in any order into one: what is learnt of the first is told of the next."""
        places = sorted(self._entries.items(), key=lambda item: (item[1].text.origin, item[0]))
        self._entries = dict(places)

    def clear(self) -> None:
        """Forget what was heard."""
        self._entries.clear()
        self.rest.clear()

    def unwrapped(self, text: str) -> tuple[Layer, ...]:
        """The layers of a record; several signatures ask for those of the same one."""
        found = self._unwrapped.get(text)
        if found is None:
            if len(self._unwrapped) >= _MOST_UNWRAPPED:
                self._unwrapped.clear()
            found = self._unwrapped[text] = layers(text)
        return found

    def heard(self, over: Collection[int] = ()) -> Iterator[Heard]:
        """Everything heard that is not over, with its captures from the innermost layer."""
        judges: dict[int, Judge] = {}
        flat: set[Shape] = set()
        for (number, _, _), entry in self._entries.items():
            if number in over:
                continue
            judge = judges.get(number)
            if judge is None:
                judge = judges[number] = Judge(self.patterns[number], self.unwrapped, flat)
            found = judge.confirm(entry.text.text)
            if found is not None:
                yield self._heard(number, entry, found)

    def _heard(self, number: int, entry: Entry, found: Confirmed) -> Heard:
        text, last = entry.text, entry.last
        if not text.at:
            text = text._replace(at=self.time_of(text.text))
        if entry.line:
            last = self.time_of(entry.line.decode("utf-8", "replace"))
        return Heard(
            number,
            found.facts,
            text,
            found.layer,
            found.depth,
            found.carriers,
            entry.times,
            entry.first or text.at,
            max(last, text.at),
            entry.is_rest,
            entry.shared,
        )

"""Hears a text of any size: in stretches of whole records, each find judged where it stands."""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final

from sickbay.bundle.frame import Frame
from sickbay.bundle.records import record_at, split
from sickbay.engine.batch import Batch
from sickbay.engine.blocks import (
    LONGEST_RECORD,
    Stretch,
    begins_record,
    lines_between,
    whole_records,
)
from sickbay.engine.ear import Ear, plain
from sickbay.engine.ledger import Entry, Key
from sickbay.engine.passing import ENOUGH, Extent
from sickbay.engine.veils import DISGUISE, VEIL, is_veiled, unveil
from sickbay.model.evidence import Origin, Text

# A line is looked at only so far from a find.
_LONGEST_LINE: Final = 8_192
# How much of a line is kept to read its time from.
_HEAD: Final = 1_024
# Below this size a text that is no log is heard record by record.
_SMALL: Final = 262_144
_SAMPLE: Final = 40


class Log:
    """One text of any size."""

    def __init__(self, ear: Ear, frame: Frame) -> None:
        self._ear = ear
        self._frame = frame
        self._line = frame.first_line

    def read(self, blocks: Iterable[bytes]) -> Extent:
        """Read it to its end, and say how far it reaches."""
        source = iter(blocks)
        head = _head(source)
        if len(head) < _SMALL and not _is_log(head):
            self._read_small(head.decode("utf-8", "replace"))
            return Extent(len(head), head[:ENOUGH], head[-ENOUGH:])
        size, tail = 0, b""
        for stretch in whole_records(_chained(head, source)):
            size += stretch.end - stretch.begin
            new = stretch.data[max(stretch.begin, stretch.end - ENOUGH) : stretch.end]
            tail = (tail + new)[-ENOUGH:]
            finds = self._ear.scan(stretch.data)
            if is_veiled(stretch.data, finds):
                cleaned = _unveiled(stretch)
                self._judge(cleaned, self._ear.scan(cleaned.data))
            else:
                self._judge(stretch, finds)
        return Extent(size, head[:ENOUGH], tail)

    def _read_small(self, text: str) -> None:
        """Hear what somebody pasted or saved record by record: a terminal may have wrapped it."""
        frame = self._frame
        batch = Batch(self._ear)
        for line, record in split(text):
            where = Origin(frame.source, f"line {line + frame.first_line - 1}")
            batch.add(Text(record, where, frame.about, frame.channel))
        batch.flush()

    def _judge(self, stretch: Stretch, finds: list[tuple[int, int]]) -> None:
        reading = _Reading(self._ear, self._frame, stretch, self._line)
        finds.sort(key=itemgetter(1))
        reading.judge(finds, stretch.begin, stretch.end)
        self._line = reading.line_at(stretch.following)


def _head(source: Iterator[bytes]) -> bytes:
    """The first block, or everything if that is little."""
    head = b""
    for block in source:
        head = head + block if head else block
        if len(head) >= _SMALL:
            break
    return head


def _chained(head: bytes, source: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from source


def _is_log(data: bytes) -> bool:
    """Whether most of the first lines begin a record of their own."""
    starts: list[int] = []
    at = 0
    while at >= 0 and len(starts) < _SAMPLE:
        starts.append(at)
        at = data.find(b"\n", at) + 1 or -1
    return 2 * sum(begins_record(data, start) for start in starts) > len(starts)


def _unveiled(stretch: Stretch) -> Stretch:
    data = stretch.data
    return Stretch(unveil(data), *(len(unveil(data[:offset])) for offset in stretch[1:]))


class _Reading:
    """One stretch of a log being judged."""

    __slots__ = ("_at", "_data", "_ear", "_frame", "_heard", "_line", "_rest", "_subject", "_told")

    def __init__(self, ear: Ear, frame: Frame, stretch: Stretch, line: int) -> None:
        self._ear = ear
        self._frame = frame
        self._data = stretch.data
        self._rest = ear.ledger.rest
        self._at = stretch.origin
        self._line = line
        self._subject = frame.about.key if frame.about else ""
        # Where each signature was heard last: one record says a thing once.
        self._heard: dict[int, int] = {}
        # Where each rule was: two signatures of one rule tell of one record.
        self._told: dict[int, int] = {}

    def judge(self, finds: list[tuple[int, int]], begin: int, end: int) -> None:
        """Judge each find, but none that stands in what was judged before."""
        settled: dict[int, int] = {}
        for number, at in finds:
            if begin < at <= end and settled.get(number, 0) < at:
                settled[number] = (self._judge if number < VEIL else self._unmask)(number, at)

    def line_at(self, offset: int) -> int:
        """The number of the line at an offset."""
        if offset >= self._at:
            self._line += lines_between(self._data, self._at, offset)
        else:
            self._line -= lines_between(self._data, offset, self._at)
        self._at = offset
        return self._line

    def _judge(self, number: int, at: int) -> int:
        """Judge one find, and say up to where that settles the matter for its signature."""
        data = self._data
        low = at - _LONGEST_LINE if at > _LONGEST_LINE else 0
        start = data.rfind(b"\n", low, at - 1) + 1 or low
        stop = data.find(b"\n", at, at + _LONGEST_LINE)
        if stop < 0:
            stop = min(len(data), at + _LONGEST_LINE)
        line = data[start:stop]
        if number in self._rest:
            if self._count(number, start, line):
                return stop
        elif self._ear.ledger.patterns[number].may_be_in(line):
            captures = self._ear.glance(number, line)
            if captures is not None:
                return self._hear_line((number, captures, self._subject), start, stop)
        elif begins_record(data, start) and begins_record(data, stop + 1):
            return stop
        return self._look(number, at, self._record(start, stop, at))

    def _count(self, number: int, start: int, line: bytes) -> bool:
        """Count a line of which nothing more is kept, if a glance can tell."""
        last = self._told.get(self._ear.ledger.rule_of(number))
        is_near = last is not None and start - last < LONGEST_RECORD
        if is_near and not begins_record(self._data, start):
            # It may go on with a record that was counted.
            return False
        if not self._ear.ledger.patterns[number].is_in(plain(line) if b"\\" in line else line):
            return False
        entry = self._rest[number]
        entry.times += 1
        entry.line = line
        self._note(entry, number, start)
        return True

    def _look(self, number: int, at: int, record: tuple[int, int]) -> int:
        """Look closer at the record around a find."""
        first, last = record
        if self._heard.get(number, -1) < first:
            captures = self._ear.look(number, self._data[first:last], at - first)
            if captures is not None:
                self._hear((number, captures, self._subject), first, last)
        return max(last, at)

    def _record(self, start: int, stop: int, at: int) -> tuple[int, int]:
        """The record that a line belongs to: mostly the line itself."""
        if begins_record(self._data, start) and begins_record(self._data, stop + 1):
            return start, stop
        return record_at(self._data, at - 1, LONGEST_RECORD)

    def _hear_line(self, key: Key, start: int, stop: int) -> int:
        number = key[0]
        entry = self._ear.ledger.find(key)
        if entry is None or self._ear.ledger.rule_of(number) in self._told:
            first, last = self._record(start, stop, stop)
            if self._heard.get(number, -1) < first:
                self._hear(key, first, last)
            return max(last, stop)
        self._note(entry, number, start)
        entry.times += 1
        entry.line = self._data[start : min(stop, start + _HEAD)]
        return stop

    def _hear(self, key: Key, first: int, last: int) -> None:
        entry = self._ear.ledger.find(key)
        if entry is not None:
            self._note(entry, key[0], first)
            entry.times += 1
            entry.line = self._data[first : min(last, first + _HEAD)]
            return
        where = Origin(self._frame.source, f"line {self.line_at(first)}")
        record = self._data[first:last].decode("utf-8", "replace")
        text = Text(record, where, self._frame.about, self._frame.channel)
        self._note(self._ear.ledger.open(key, text), key[0], first)

    def _note(self, entry: Entry, number: int, first: int) -> None:
        """Note what was heard in the record that begins at an offset."""
        rule = self._ear.ledger.rule_of(number)
        if self._told.get(rule, -1) >= first:
            entry.shared += 1
        self._heard[number] = self._told[rule] = first

    def _unmask(self, mark: int, at: int) -> int:
        """Read a disguised record layer by layer; a veil was taken off before."""
        if mark != DISGUISE:
            return len(self._data)
        first, last = record_at(self._data, at - 1, LONGEST_RECORD)
        for number, captures in self._ear.unmask(self._data[first:last]).items():
            if self._heard.get(number, -1) < first:
                self._hear((number, captures, self._subject), first, last)
        return max(last, at)

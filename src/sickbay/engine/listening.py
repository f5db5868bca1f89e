"""Judges what the filter found: in logs, read in stretches, and in messages, read many at once."""

from collections.abc import Iterable
from operator import itemgetter
from typing import Final, Protocol

from sickbay.bundle.frame import Frame
from sickbay.bundle.records import record_at
from sickbay.engine.blocks import (
    LONGEST_RECORD,
    Stretch,
    begins_record,
    lines_between,
    whole_records,
)
from sickbay.engine.confirm import Captures
from sickbay.engine.ledger import Key, Ledger
from sickbay.engine.veils import DISGUISE, VEIL, is_veiled, unveil
from sickbay.model.evidence import Origin, Text

# A line is looked at only so far from a find.
_LONGEST_LINE: Final = 8_192
# How much of a line is kept to read its time from.
_HEAD: Final = 1_024


class Matcher(Protocol):
    def scan(self, buffer: bytes) -> list[tuple[int, int]]: ...


class Ear:
    """The filter, and the closer looks at what it found."""

    def __init__(self, matcher: Matcher, ledger: Ledger) -> None:
        self.scan = matcher.scan
        self.ledger = ledger

    def glance(self, number: int, line: bytes) -> Captures | None:
        """Look at a line as it is, but for the commonest escapes."""
        return self.ledger.patterns[number].captures(_plain(line) if b"\\" in line else line)

    def look(self, number: int, record: bytes) -> Captures | None:
        """Look at a record: as a whole in its normal form, then at its layers."""
        pattern = self.ledger.patterns[number]
        if not pattern.may_be_in(record):
            return None
        text = record.decode("utf-8", "replace")
        found = pattern.in_whole(text)
        if found is None and pattern.may_be_below(record):
            found = pattern.in_layers(self.ledger.unwrapped(text))
        return None if found is None else tuple(value.encode() for _, value in found.facts)

    def unmask(self, record: bytes) -> dict[int, Captures]:
        """Everything that the layers of a disguised record say."""
        layers = self.ledger.unwrapped(record.decode("utf-8", "replace"))
        texts = "\n".join(layer.text for layer in layers).encode("utf-8", "replace")
        said: dict[int, Captures] = {}
        for number in sorted({number for number, _ in self.scan(texts) if number < VEIL}):
            found = self.ledger.patterns[number].in_layers(layers)
            if found is not None:
                said[number] = tuple(value.encode() for _, value in found.facts)
        return said


def _plain(line: bytes) -> bytes:
    """A line with its quotes as they were before they were put into strings, once or twice."""
    return line.replace(b'\\\\\\"', b'"').replace(b'\\"', b'"')


class Log:
    """One text of any size."""

    def __init__(self, ear: Ear, frame: Frame) -> None:
        self._ear = ear
        self._frame = frame
        self._line = frame.first_line

    def read(self, blocks: Iterable[bytes]) -> None:
        """Read it to its end."""
        for stretch in whole_records(blocks):
            finds = self._ear.scan(stretch.data)
            if is_veiled(stretch.data, finds):
                cleaned = _unveiled(stretch)
                self._judge(cleaned, self._ear.scan(cleaned.data))
            else:
                self._judge(stretch, finds)

    def _judge(self, stretch: Stretch, finds: list[tuple[int, int]]) -> None:
        reading = _Reading(self._ear, self._frame, stretch.data, self._line)
        finds.sort(key=itemgetter(1))
        reading.judge(finds, stretch.begin, stretch.end)
        self._line = reading.line_at(stretch.following)


def _unveiled(stretch: Stretch) -> Stretch:
    data, *offsets = stretch
    return Stretch(unveil(data), *(len(unveil(data[:offset])) for offset in offsets))


class _Reading:
    """One stretch of a log being judged."""

    __slots__ = ("_at", "_data", "_ear", "_frame", "_heard", "_line", "_rest", "_subject")

    def __init__(self, ear: Ear, frame: Frame, data: bytes, line: int) -> None:
        self._ear = ear
        self._frame = frame
        self._data = data
        self._rest = ear.ledger.rest
        self._at = 0
        self._line = line
        self._subject = frame.about.key if frame.about else ""
        # Where each signature was heard last: one record says a thing once.
        self._heard: dict[int, int] = {}

    def judge(self, finds: list[tuple[int, int]], begin: int, end: int) -> None:
        """Judge each find, but none that stands in what was judged before."""
        settled: dict[int, int] = {}
        for number, at in finds:
            if begin < at <= end and settled.get(number, 0) < at:
                settled[number] = self._judge(number, at)

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
        if number >= VEIL:
            return self._unmask(at) if number == DISGUISE else len(self._data)
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
        else:
            captures = self._ear.glance(number, line)
            if captures is not None:
                return self._hear_line((number, captures, self._subject), start, stop)
        return self._look(number, at, self._record(start, stop, at))

    def _count(self, number: int, start: int, line: bytes) -> bool:
        """Count a line of which nothing more is kept, if a glance can tell."""
        last = self._heard.get(number)
        is_near = last is not None and start - last < LONGEST_RECORD
        if is_near and not begins_record(self._data, start):
            # It may go on with a record that was counted.
            return False
        if not self._ear.ledger.patterns[number].is_in(_plain(line) if b"\\" in line else line):
            return False
        self._heard[number] = start
        entry = self._rest[number]
        entry.times += 1
        entry.line = line
        return True

    def _look(self, number: int, at: int, record: tuple[int, int]) -> int:
        """Look closer at the record around a find."""
        first, last = record
        if self._heard.get(number, -1) < first:
            captures = self._ear.look(number, self._data[first:last])
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
        if entry is None or number in self._heard:
            first, last = self._record(start, stop, stop)
            if self._heard.get(number, -1) < first:
                self._hear(key, first, last)
            return max(last, stop)
        self._heard[number] = start
        entry.times += 1
        entry.line = self._data[start : min(stop, start + _HEAD)]
        return stop

    def _hear(self, key: Key, first: int, last: int) -> None:
        self._heard[key[0]] = first
        entry = self._ear.ledger.find(key)
        if entry is not None:
            entry.times += 1
            entry.line = self._data[first : min(last, first + _HEAD)]
            return
        where = Origin(self._frame.source, f"line {self.line_at(first)}")
        record = self._data[first:last].decode("utf-8", "replace")
        self._ear.ledger.open(key, Text(record, where, self._frame.about, self._frame.channel))

    def _unmask(self, at: int) -> int:
        first, last = record_at(self._data, at - 1, LONGEST_RECORD)
        for number, captures in self._ear.unmask(self._data[first:last]).items():
            if self._heard.get(number, -1) < first:
                self._hear((number, captures, self._subject), first, last)
        return max(last, at)


class Messages:
    """Short texts, put together into blocks: what a call costs is paid once for thousands."""

    _BLOCK: Final = 1 << 20
    _BETWEEN: Final = "\n\x1e\n"
    _OVERLAP: Final = 4_096

    def __init__(self, ear: Ear) -> None:
        self._ear = ear
        self._texts: list[Text] = []
        self._size = 0

    def add(self, text: Text) -> None:
        self._texts.append(text)
        self._size += len(text.text)
        if self._size >= self._BLOCK:
            self.flush()

    def flush(self) -> None:
        """Judge everything added so far."""
        texts, self._texts, self._size = self._texts, [], 0
        if any(len(text.text) > LONGEST_RECORD for text in texts):
            texts = [piece for text in texts for piece in self._pieces(text)]
        block = self._joined([text.text for text in texts])
        finds = self._ear.scan(block)
        if is_veiled(block, finds):
            block = unveil(block)
            finds = self._ear.scan(block)
        between = self._BETWEEN.encode()
        index = at = 0
        judged: dict[int, int] = {}
        for number, end in sorted(finds, key=itemgetter(1)):
            index += block.count(between, at, end)
            at = end
            if judged.get(number, -1) < index:
                judged[number] = index
                self._judge(number, texts[index])

    def _joined(self, texts: list[str]) -> bytes:
        if any("\x1e" in text for text in texts):
            texts = [text.replace("\x1e", " ") for text in texts]
        return self._BETWEEN.join(texts).encode("utf-8", "replace")

    def _pieces(self, text: Text) -> Iterable[Text]:
        """A text in pieces of the size of a record, overlapping so that none hides a match."""
        step = LONGEST_RECORD - self._OVERLAP
        for start in range(0, max(1, len(text.text) - self._OVERLAP), step):
            yield text._replace(text=text.text[start : start + LONGEST_RECORD])

    def _judge(self, number: int, text: Text) -> None:
        raw = text.text.encode("utf-8", "replace")
        if number == DISGUISE:
            for other, found in self._ear.unmask(raw).items():
                self._hear(other, found, text)
        elif number < VEIL:
            captures = self._ear.glance(number, raw) or self._ear.look(number, raw)
            if captures is not None:
                self._hear(number, captures, text)

    def _hear(self, number: int, captures: Captures, text: Text) -> None:
        key = (number, captures, text.about.key if text.about else "")
        entry = self._ear.ledger.find(key)
        if entry is None:
            self._ear.ledger.open(key, text)
        else:
            entry.again(text)

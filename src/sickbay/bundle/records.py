"""Where one log record or paragraph ends and the next begins."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from sickbay.record import NamedTuple

# Patterns stay as text and are compiled when first needed: compiling all of them costs more than
# most texts take to read. What a line can start with decides which one is asked.
_STARTS_BY_DIGIT: Final = (
    rb"\d{4}[-/]\d\d[-/]\d\d[T \t]\d\d:\d\d"
    rb"|\d\d?/\d\d?/\d{4},? \d\d?:\d\d"
    rb"|\d\d:\d\d:\d\d[., ]"
    rb"|(?:\d{1,5}[smhdy]){1,3} {1,40}(?:Normal|Warning) "
    rb"|[\da-fA-F.:]{3,45} \S+ \S+ \[\d\d/[A-Z]"
)
_STARTS_BY_BRACKET: Final = (
    rb"\[(?:\d{4}[-/]\d\d[-/]\d\d[T ]| *\d{1,9}\.\d{6}\] |pod/\S{1,300}\] "
    rb"|(?i:trace|debug|info|notice|warn|warning|error|err|fatal|critical|panic) *\])"
)
_KLOG: Final = rb"[IWEFD]\d{4}(?: |-\d\d-\d\dT)\d\d"
_SYSLOG: Final = rb"(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2} [ \d]?\d (?:\d{4} )?\d\d:\d\d:\d\d"
_EVENT: Final = rb"[ \t]*(?:Normal|Warning) {1,20}[A-Z]\w{2,60} "
_EVENT_OF_ALL: Final = rb"[a-z0-9][\w.-]* {1,40}(?:\d{1,5}[smhdy]){1,3} {1,40}(?:Normal|Warning) "
_LOGGER: Final = rb"(?:cli|msrest|urllib3|azure|msal|asyncio)\.[\w.]{1,80} ?: "
_FIELDS: Final = (b"time=", b"ts=", b"level=", b"lvl=")
_LEVELS: Final = tuple(
    level + colon
    for level in (
        b"DEBUG",
        b"INFO",
        b"WARNING",
        b"WARN",
        b"ERROR",
        b"FATAL",
        b"CRITICAL",
        b"VERBOSE",
    )
    for colon in (b": ", b" : ")
)
_DAYS_AND_MONTHS: Final = frozenset(
    b"Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
)
# The line of a JSON log, not of a document: it says when, or how bad.
_JSON_LOG: Final = (
    rb'"(?:level|lvl|severity|ts|time|timestamp|@timestamp|log|logger|stageTimestamp)" ?:'
)
_NEVER: Final = frozenset(bytes((code,)) for code in b"\n\r}])\"',;-*#>|=/\xe2") | {b""}
# How much of a line tells what it starts with.
_HEAD: Final = 1000
_CRI: Final = rb"\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d) std(?:out|err) ([FP]) ?"
_GOES_ON: Final = (b"", b"\n", b" ", b"\t", b"}", b"]", b")")
# A program's first word: it starts a record after a blank line, or after another such line.
_OPENER: Final = (
    rb"(?:Error|Fatal|fatal|panic|Warning)(?::| \()"
    rb"|Unable to connect to the server|The connection to the server|curl: \(\d"
    rb"|Traceback \(most recent|\(\w{4,80}\) \S|HTTP/\d"
)
_PROMPTS: Final = (b"$ ", b"% ", b"PS C:\\", b"Error from server", b"==> ")
# A command that was pasted without its prompt: the first word of its answer starts a record, too.
_COMMANDS: Final = (b"az ", b"terraform ")
# After a blank line these still belong to what stands before it.
_FOLLOWS: Final = (
    b" ", b"\t", b"[stdout]", b"[stderr]", b"---", b"}", b"]", b")", b">",
    b"RESPONSE ", b"ERROR CODE", b"Caused by", b"goroutine ",
    b"Message", b"Error Message", b"Detail", b"Target", b"Inner", b"Exception Details",
    b"Additional Information", b"Correlation",
)  # fmt: skip
# After such a line az leaves one blank before what it announces.
_ANNOUNCES: Final = b"Here is the traceback:"
_BOX_EDGES: Final = (b"\xe2\x95\xb7", b"\xe2\x95\xb5")
_GUTTER: Final = b"\xe2\x94\x82"
_BOX_OPENERS: Final = (_GUTTER + b" Error: ", _GUTTER + b" Warning: ")
_NEAR: Final = 4096
_MOST_BLANKS: Final = 3
_CONTINUATION_BYTE: Final = 0b1000_0000
_TOP_BITS: Final = 0b1100_0000


class _Kind(Enum):
    """By what a record began; it decides what may follow."""

    HEADER = 1
    OPENER = 2
    BOX = 3
    PROSE = 4


class _Window(NamedTuple):
    """A part of a buffer around an offset, and whether its ends are real ends."""

    data: bytes
    base: int
    is_start: bool
    is_end: bool


def record_at(
    buffer: bytes | bytearray | memoryview, offset: int, limit: int = 65536
) -> tuple[int, int]:
    """The byte range of the record or paragraph that holds an offset, at most `limit` bytes."""
    with memoryview(buffer) as view:
        offset = min(max(offset, 0), len(view))
        reach = min(_NEAR, limit)
        while True:
            window = _window(view, offset, reach, final=reach >= limit)
            found = _record_in(window, offset - window.base)
            if found:
                return _bounded(window, found, offset - window.base, limit)
            reach = min(reach * 4, limit)


def split(text: str) -> Iterator[tuple[int, str]]:
    """All records of a small text, each with the number of its first line."""
    data = text.encode("utf-8", "surrogatepass")
    line, seen = 1, 0
    for start, end in _records(data, 0):
        line += data.count(b"\n", seen, start)
        seen = start
        yield line, data[start:end].decode("utf-8", "surrogatepass")


def _window(view: memoryview, offset: int, reach: int, *, final: bool) -> _Window:
    low, high = max(0, offset - reach), min(len(view), offset + reach)
    data = bytes(view[low:high])
    if low:
        # A line of which only the tail is here would be judged by its middle.
        cut = data.find(b"\n", 0, offset - low) + 1
        data, low = data[cut:], low + cut
    return _Window(data, low, final or not low, final or high == len(view))


def _record_in(window: _Window, offset: int) -> tuple[int, int] | None:
    start = _header_before(window.data, offset)
    if start < 0 and not window.is_start:
        return None
    for first, end in _records(window.data, max(start, 0)):
        if offset > end:
            continue
        if end >= len(window.data.rstrip()) and not window.is_end:
            return None
        return (first, end) if first <= offset else (offset, offset)
    return offset, offset


def _header_before(data: bytes, offset: int) -> int:
    """The nearest line at or above an offset that starts a record for certain, or -1."""
    start = data.rfind(b"\n", 0, offset) + 1
    while not _starts(data, start):
        if not start:
            return -1
        start = data.rfind(b"\n", 0, start - 1) + 1
    return start


def _bounded(window: _Window, found: tuple[int, int], offset: int, limit: int) -> tuple[int, int]:
    """A record, or so much of an endless one around an offset.

    What is near one another gets the same part, so that it is unwrapped once.
    """
    start, end = found
    if end - start > limit:
        place = window.base + offset
        begin = place - place % (limit // 2) - limit // 4 - window.base
        start = max(start, min(begin, end - limit))
        end = start + limit
        while start < offset and window.data[start] & _TOP_BITS == _CONTINUATION_BYTE:
            start += 1
    return window.base + start, window.base + end


def _records(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """The records from a place on that is itself the start of one."""
    record: _Record | None = None
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end].rstrip()
        if not line.strip() or line.startswith(_BOX_EDGES):
            if record:
                record.pause(line)
        elif record and record.takes(line, data, start):
            record.extend(line, start)
        else:
            if record:
                yield record.start, record.end
            record = _Record(line, data, start)
        start = end + 1
    if record:
        yield record.start, record.end


class _Record:
    """A record while its lines come in."""

    __slots__ = (
        "_announces",
        "_blanks",
        "_block",
        "_closed",
        "_kind",
        "_last",
        "_open",
        "end",
        "start",
    )

    def __init__(self, line: bytes, data: bytes, start: int) -> None:
        self.start = start
        self._kind = _kind(line, data, start)
        self._open = 0
        self._block = False
        self._closed = False
        self.extend(line, start)

    def extend(self, line: bytes, start: int) -> None:
        self.end = start + len(line)
        self._blanks = 0
        self._last = line[-1:]
        self._announces = line.endswith(_ANNOUNCES)
        balance = line.count(b"{") + line.count(b"[") - line.count(b"}") - line.count(b"]")
        self._open = max(0, self._open + balance)
        self._block = line.endswith(b"=<") or (self._block and not line.startswith(b" >"))

    def pause(self, line: bytes) -> None:
        self._blanks += 1
        self._closed = self._closed or bool(line)

    def takes(self, line: bytes, data: bytes, start: int) -> bool:
        """Whether a line goes on with this record."""
        if self._closed or line.startswith(_PROMPTS) or _starts(data, start):
            return False
        if line.startswith(_GUTTER) or self._kind is _Kind.BOX:
            is_same_box = line.startswith(_GUTTER) and self._kind is _Kind.BOX
            return is_same_box and not line.startswith(_BOX_OPENERS)
        if self._is_next_document(line):
            return False
        if self._blanks:
            return self._is_open() or self._announces or line.startswith(_FOLLOWS)
        return not (self._kind is _Kind.OPENER and re.match(_OPENER, line))

    def _is_open(self) -> bool:
        return (self._open > 0 or self._block) and self._blanks <= _MOST_BLANKS

    def _is_next_document(self, line: bytes) -> bool:
        return line.startswith(b"{") and not self._open and self._last == b"}"


def _kind(line: bytes, data: bytes, start: int) -> _Kind:
    if _starts(data, start):
        return _Kind.HEADER
    if line.startswith(_GUTTER):
        return _Kind.BOX
    is_opener = line.startswith(_PROMPTS + _COMMANDS) or re.match(_OPENER, line)
    return _Kind.OPENER if is_opener else _Kind.PROSE


def _starts(data: bytes, start: int) -> bool:
    """Whether the line at a place starts a record, whatever stands around it."""
    first = data[start : start + 1]
    if first in _NEVER:
        return False
    head = data[start : start + _HEAD]
    if first == b"{":
        return bool(re.search(_JSON_LOG, head.partition(b"\n")[0]))
    if first.isdigit():
        return bool(re.match(_STARTS_BY_DIGIT, head)) and not _goes_on_in_container(data, start)
    if first == b"[":
        return bool(re.match(_STARTS_BY_BRACKET, head))
    return _starts_by_word(head)


def _starts_by_word(head: bytes) -> bool:
    if head[1:2].isdigit() and head[:1] in b"IWEFD":
        return bool(re.match(_KLOG, head))
    if head[:3] in _DAYS_AND_MONTHS:
        return bool(re.match(_SYSLOG, head))
    if head.startswith(_FIELDS + _LEVELS):
        return True
    if b"Normal" in head or b"Warning" in head:
        return bool(re.match(_EVENT, head) or re.match(_EVENT_OF_ALL, head))
    return b"." in head[:10] and bool(re.match(_LOGGER, head))


def _goes_on_in_container(data: bytes, start: int) -> bool:
    """Containerd writes its prefix before every line, also before those that go on with one."""
    head = data[start : start + _HEAD]
    match = re.match(_CRI, head)
    if not match:
        return False
    if head[match.end() : match.end() + 1] in _GOES_ON:
        return True
    before = data.rfind(b"\n", 0, max(0, start - 1)) + 1
    above = re.match(_CRI, data[before : before + _HEAD]) if start else None
    return bool(above and above[1] == b"P")

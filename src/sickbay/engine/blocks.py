"""Cuts a stream of blocks where records end, so that nothing is judged by a half of itself."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from sickbay.bundle.records import record_at
from sickbay.record import NamedTuple

LONGEST_RECORD: Final = 65_536
_SHORT: Final = 2_048

# Lines of which one look tells that they begin a record; `records` says the same of each of them.
_KLOG: Final = rb"[IWEF]\d{4} \d\d:\d\d:\d\d\."
_DATED: Final = (
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* (?!std(?:out|err) [FP])"
    rb"|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d "
    rb"|(?P<container>\d{4}-\d\d-\d\dT[\d:.]{8,20}Z std(?:out|err) F )(?=[^\s}\])])"
)
_SYSLOG: Final = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d "
# By the sign that such a line begins with: most lines need no pattern, and a text needs few.
_BEGINS: Final = {
    **dict.fromkeys(b"IWE", _KLOG),
    **dict.fromkeys(b"0123456789", _DATED),
    **dict.fromkeys(b"JMASOND", _SYSLOG),
    **dict.fromkeys(b"F", _KLOG + b"|" + _SYSLOG),
    **dict.fromkeys(b"t{", rb'time="|\{"(?:level|ts|time)":'),
}
_UNFINISHED: Final = rb"\S+ std(?:out|err) P"


class Stretch(NamedTuple):
    """Some whole records.

    The lines to count begin at `origin`. What ends at `begin` or before was in the stretch before
    it; what ends behind `end` will be in the next one, which begins at `following`.
    """

    data: bytes
    origin: int
    begin: int
    end: int
    following: int


def whole_records(blocks: Iterable[bytes], size: int = 1 << 20) -> Iterator[Stretch]:
    """Cut blocks of any size into stretches that begin and end between two records.

    Where no record ends for longer than a record may be, stretches overlap by as much as it takes
    to show what stands around a find. Blocks are large and what is left of one is small, so they
    are joined only in this case.
    """
    rest, begin = b"", 0
    for block in _sized(blocks, size):
        cut = _first_end(rest, block) if rest and not begin else 0
        if cut:
            yield _everything(rest + block[:cut])
            rest = b""
        data = rest + block if rest else block
        start, _ = record_at(data, _last_sign(data), LONGEST_RECORD)
        is_endless = len(data) - start >= LONGEST_RECORD - 4
        end = len(data) - LONGEST_RECORD // 2 if is_endless else start
        begin = max(begin, cut)
        if end <= begin:
            rest, begin = data[cut:], begin - cut
            continue
        following = max(cut, end - LONGEST_RECORD // 2) if is_endless else end
        yield Stretch(data, cut, begin, end, following)
        rest, begin = data[following:], end - following
    if rest:
        yield _everything(rest, begin)


def _everything(data: bytes, begin: int = 0) -> Stretch:
    return Stretch(data, 0, begin, len(data), len(data))


def _last_sign(data: bytes) -> int:
    """The last byte that is not white: what follows a line end is not known yet."""
    tail = data[-LONGEST_RECORD:]
    return max(0, len(data) - 1 - len(tail) + len(tail.rstrip()))


def _first_end(rest: bytes, block: bytes) -> int:
    """Where in a block the record ends that stands on its border; 0 if that is not known."""
    joined = rest + block[:LONGEST_RECORD]
    _, last = record_at(joined, len(rest), LONGEST_RECORD)
    if b"\n" not in joined[last:].lstrip():
        # Only a whole line behind it tells that a record has ended.
        return 0
    cut = joined.find(b"\n", max(last, len(rest))) + 1 - len(rest)
    return cut if 0 < cut < min(len(block), LONGEST_RECORD // 2) else 0


def lines_between(data: bytes, start: int, end: int) -> int:
    """The number of line ends between two offsets."""
    if end - start < _SHORT:
        return data.count(b"\n", start, end)
    if len(data) - (end - start) < _SHORT:
        # Nearly everything: no copy of it is needed.
        outside = data.count(b"\n", 0, start) + data.count(b"\n", end)
        return _line_ends(data) - outside
    return _line_ends(data[start:end])


def _line_ends(data: bytes) -> int:
    # Three times as fast as `count`, which looks at every byte by itself.
    return len(data) - len(data.replace(b"\n", b""))


def begins_record(data: bytes, start: int) -> bool:
    """Whether the line at an offset begins a record, as far as one look can tell."""
    pattern = _BEGINS.get(data[start]) if start < len(data) else None
    if pattern is None or (pattern is _SYSLOG and data[start + 3 : start + 4] != b" "):
        return False
    found = _compiled(pattern).match(data, start)
    if found is None or found.lastgroup is None:
        return found is not None
    # Containerd splits long lines: what follows an unfinished one goes on with it.
    before = data.rfind(b"\n", 0, max(0, start - 1)) + 1
    return not start or not _compiled(_UNFINISHED).match(data, before)


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern)


def _sized(blocks: Iterable[bytes], wanted: int) -> Iterator[bytes]:
    """The same bytes in blocks of a size that pays."""
    pending: list[bytes] = []
    size = 0
    for block in blocks:
        pending.append(block)
        size += len(block)
        if size >= wanted:
            yield from _split(pending[0] if len(pending) == 1 else b"".join(pending), wanted)
            pending, size = [], 0
    if pending:
        yield from _split(b"".join(pending), wanted)


def _split(block: bytes, wanted: int) -> Iterator[bytes]:
    if len(block) <= 2 * wanted:
        yield block
        return
    for start in range(0, len(block), wanted):
        yield block[start : start + wanted]

"""Tar archives as a stream: headers in order, files as spans of the stream, damage stepped over.

The standard library's reader loads extended headers of any size and, in releases still in use,
loops or backtracks on forged ones.
"""

import io
import threading
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, BinaryIO, Final, NamedTuple

from sickbay.bundle.intake import Opener
from sickbay.bundle.magic import TAR_BLOCK as BLOCK
from sickbay.bundle.magic import tar_header_is_sound, tar_number

_STEP: Final = 256 << 10
# How much of the current file stays at hand, so that a second look at its beginning costs nothing.
_WINDOW: Final = 256 << 10
_EXTENDED: Final = 1 << 20
_BUFFER: Final = 64 << 10
_DIGITS: Final = 20
_NOTHING: Final = bytes(BLOCK)
_ABOUT_THE_NEXT: Final = frozenset((b"x", b"X", b"g", b"L", b"K"))


class Kind(StrEnum):
    """What a member of a tar archive is."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    DEVICE = "device"
    SPARSE = "sparse file"
    OTHER = "other"


_KINDS: Final = {
    b"0": Kind.FILE,
    b"\0": Kind.FILE,
    b"7": Kind.FILE,
    b"1": Kind.LINK,
    b"2": Kind.LINK,
    b"3": Kind.DEVICE,
    b"4": Kind.DEVICE,
    b"6": Kind.DEVICE,
    b"5": Kind.FOLDER,
    b"S": Kind.SPARSE,
}
_WITHOUT_CONTENT: Final = (Kind.FOLDER, Kind.LINK, Kind.DEVICE)


class Member(NamedTuple):
    """One header, and where its bytes stand in the stream."""

    name: str
    kind: Kind
    offset: int
    size: int


class Damage(NamedTuple):
    """Something in the stream is no header; reading goes on behind it if it can."""

    offset: int
    truncated: bool


class Cursor:
    """A stream read forward once, shared by the walk over headers and readers that keep up."""

    def __init__(self, reader: BinaryIO) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._window = bytearray()
        self._start = 0
        self._keeps = False
        self._length = reader.seek(0, 2) if reader.seekable() else None
        self.position = 0
        if self._length is not None:
            reader.seek(0)

    def take(self, size: int) -> bytes:
        """Exactly `size` bytes, less only at the end of the stream."""
        with self._lock:
            data = self._reader.read(size)
            self.position += len(data)
            return data

    def keep_from_here(self) -> None:
        """A file begins: what is read of it from now on stays in the window."""
        with self._lock:
            self._window.clear()
            self._start = self.position
            self._keeps = True

    def read_at(self, position: int, view: memoryview) -> int | None:
        """Bytes at a place, or None when the stream has moved past it."""
        with self._lock:
            inside = position - self._start
            if 0 <= inside < len(self._window):
                piece = self._window[inside : inside + len(view)]
                view[: len(piece)] = piece
                return len(piece)
            if position != self.position:
                return None
            data = self._reader.read(len(view))
            view[: len(data)] = data
            self.position += len(data)
            self._remember(data)
            return len(data)

    def skip_to(self, position: int) -> bool:
        """Move forward; False when the stream ends before."""
        with self._lock:
            self._keeps = False
            self._window.clear()
            if self._length is not None and self.position < position:
                self.position = self._reader.seek(min(position, self._length))
            while self.position < position:
                data = self._reader.read(min(_STEP, position - self.position))
                if not data:
                    return False
                self.position += len(data)
            return True

    def close(self) -> None:
        with self._lock:
            self._reader.close()
            self.position = -1
            self._window.clear()

    def _remember(self, data: bytes) -> None:
        end = self._start + len(self._window)
        self._keeps = self._keeps and end + len(data) == self.position
        if self._keeps and len(self._window) + len(data) <= _WINDOW:
            self._window += data
        else:
            self._keeps = False


class Span(io.RawIOBase):
    """One file of the archive: read at the cursor while that is there, else from a new stream."""

    def __init__(self, cursor: Cursor, opener: Opener, offset: int, size: int) -> None:
        super().__init__()
        self._cursor = cursor
        self._opener = opener
        self._at = offset
        self._end = offset + size
        self._own: Cursor | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")[: max(0, self._end - self._at)]
        if not len(view):
            return 0
        got = None if self._own else self._cursor.read_at(self._at, view)
        if got is None:
            got = self._read_own(view)
        self._at += got
        return got

    def close(self) -> None:
        if self._own and not self.closed:
            self._own.close()
        super().close()

    def _read_own(self, view: memoryview) -> int:
        if self._own is None:
            self._own = Cursor(self._opener())
            self._own.skip_to(self._at)
        return self._own.read_at(self._at, view) or 0


def opener_of(cursor: Cursor, opener: Opener, member: Member) -> Opener:
    """An opener for one member's bytes."""
    return lambda: io.BufferedReader(Span(cursor, opener, member.offset, member.size), _BUFFER)


def members(cursor: Cursor) -> Iterator[Member | Damage]:
    """All members in their order; the bytes of one are at the cursor until the next is wanted."""
    told: dict[str, str] = {}
    for block in _headers(cursor):
        if isinstance(block, Damage):
            told = {}
            yield block
        elif block[156:157] in _ABOUT_THE_NEXT:
            told |= _told(cursor, block)
        else:
            yield from _member(cursor, block, told)
            told = {}


def _headers(cursor: Cursor) -> Iterator[bytes | Damage]:
    """Sound headers up to the mark of the end; behind damage, whatever looks like one again."""
    lost = False
    while True:
        start = cursor.position
        block = cursor.take(BLOCK)
        if len(block) < BLOCK:
            break
        if tar_header_is_sound(block):
            lost = False
            yield block
        elif not lost:
            if block == _NOTHING:
                return
            lost = True
            yield Damage(start, truncated=False)
    if not lost:
        yield Damage(start, truncated=True)


def _member(cursor: Cursor, block: bytes, told: dict[str, str]) -> Iterator[Member | Damage]:
    flag = block[156:157]
    name = told.get("path") or _name_of(block)
    kind = _KINDS.get(flag, Kind.OTHER)
    if kind is Kind.FILE and name.endswith("/"):
        kind = Kind.FOLDER
    if flag == b"S":
        _skip_sparse_map(cursor, block)
    if any(key.startswith("GNU.sparse.") for key in told):
        name, kind = told.get("GNU.sparse.name", name), Kind.SPARSE
    size = 0 if kind in _WITHOUT_CONTENT else _size_of(block, told)
    start = cursor.position
    if size is None:
        yield Damage(start, truncated=False)
        return
    cursor.keep_from_here()
    yield Member(name, kind, start, size)
    # That the stream ends before shows itself at the next header.
    cursor.skip_to(start + _padded(size))


def _size_of(block: bytes, told: dict[str, str]) -> int | None:
    stated = told.get("size", "")
    if stated.isascii() and stated.isdigit() and len(stated) < _DIGITS:
        return int(stated)
    return tar_number(block[124:136])


def _name_of(block: bytes) -> str:
    name = block[:100].partition(b"\0")[0]
    prefix = block[345:500].partition(b"\0")[0]
    # GNU headers keep times where POSIX has the front part of a long name.
    if prefix and block[257:263] == b"ustar\0":
        name = prefix + b"/" + name
    return name.decode("utf-8", "backslashreplace")


def _told(cursor: Cursor, block: bytes) -> dict[str, str]:
    """What an extended header says of the member behind it; an oversized one says nothing."""
    start = cursor.position
    size = tar_number(block[124:136]) or 0
    data = cursor.take(size) if size <= _EXTENDED else b""
    cursor.skip_to(start + _padded(size))
    flag = block[156:157]
    if flag == b"L":
        return {"path": data.partition(b"\0")[0].decode("utf-8", "backslashreplace")}
    return _records(data) if flag in b"xX" else {}


def _records(data: bytes) -> dict[str, str]:
    """The `length key=value` lines of a POSIX extended header, as far as they are sound."""
    found: dict[str, str] = {}
    at = 0
    while at < len(data):
        digits = data[at : at + _DIGITS].partition(b" ")[0]
        length = int(digits) if digits.isdigit() and len(digits) < _DIGITS else 0
        line = data[at + len(digits) + 1 : at + length]
        if length <= len(digits) or not line.endswith(b"\n"):
            break
        key, _, value = line[:-1].partition(b"=")
        found[key.decode("utf-8", "replace")] = value.decode("utf-8", "backslashreplace")
        at += length
    return found


def _skip_sparse_map(cursor: Cursor, block: bytes) -> None:
    more = block[482]
    while more:
        extension = cursor.take(BLOCK)
        more = extension[504] if len(extension) == BLOCK else 0


def _padded(size: int) -> int:
    return size + -size % BLOCK

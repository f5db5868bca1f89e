"""The directory of a zip archive, or what its members still tell when the directory is lost."""

import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

from sickbay.bundle.streams import Meter

_TAIL: Final = 22 + 0xFFFF
_END: Final = b"PK\x05\x06"
_END64: Final = b"PK\x06\x06"
_LOCATOR64: Final = b"PK\x06\x07"
_ENTRY: Final = b"PK\x01\x02"
_LOCAL: Final = b"PK\x03\x04"
_ENTRY_FORM: Final = struct.Struct("<4s6H3I5H2I")
_LOCAL_FORM: Final = struct.Struct("<4s5H3I2H")
_END_FORM: Final = struct.Struct("<4s4H2IH")
_CHUNK: Final = 64 << 10
_STEP: Final = 1 << 20
_FULL32: Final = 0xFFFFFFFF
_FULL16: Final = 0xFFFF
_SIZE_FOLLOWS: Final = 0x8
_ENCRYPTED: Final = 0x1
_UNIX: Final = (3, 19)
_KIND_OF_FILE: Final = 0o170000
_LINK: Final = 0o120000
_PLAIN: Final = (0, 0o100000, 0o040000, _LINK)
_DEFLATE: Final = 8
_DESCRIPTORS: Final = (16, 12, 24, 20)


class Entry(NamedTuple):
    """One member as its header describes it. Sizes and checksum are claims."""

    name: str
    flags: int
    method: int
    checksum: int | None
    packed: int
    size: int | None
    header: int
    mode: int = 0

    @property
    def encrypted(self) -> bool:
        return bool(self.flags & _ENCRYPTED)

    @property
    def is_link(self) -> bool:
        return self.mode & _KIND_OF_FILE == _LINK

    @property
    def is_device(self) -> bool:
        return self.mode & _KIND_OF_FILE not in _PLAIN


class DirectoryError(Exception):
    """The directory is not there, or contradicts itself."""


def directory(file: BinaryIO) -> Iterator[Entry]:
    """All entries of the directory at the archive's end, in its order."""
    start, left, shift = _directory_span(file)
    file.seek(start)
    while left >= _ENTRY_FORM.size:
        fixed = file.read(_ENTRY_FORM.size)
        if len(fixed) < _ENTRY_FORM.size or fixed[:4] != _ENTRY:
            raise DirectoryError("an entry of the directory is damaged")
        fields = _ENTRY_FORM.unpack(fixed)
        wanted = sum(fields[10:13])
        rest = file.read(wanted)
        if len(rest) < wanted:
            raise DirectoryError("the directory breaks off")
        left -= len(fixed) + wanted
        yield _entry(fields, rest, shift)


def data_start(file: BinaryIO, entry: Entry) -> int | None:
    """Where the bytes of an entry begin, or None when no member stands there."""
    file.seek(entry.header)
    fixed = file.read(_LOCAL_FORM.size)
    if len(fixed) < _LOCAL_FORM.size or fixed[:4] != _LOCAL:
        return None
    fields = _LOCAL_FORM.unpack(fixed)
    return int(entry.header + len(fixed) + fields[9] + fields[10])


def salvaged(file: BinaryIO, meter: Meter) -> Iterator[Entry]:
    """The members of an archive whose directory is lost, from the front as far as they go."""
    at = 0
    end = file.seek(0, 2)
    while at < end:
        file.seek(at)
        fixed = file.read(_LOCAL_FORM.size)
        if len(fixed) < _LOCAL_FORM.size or fixed[:4] != _LOCAL:
            return
        fields = _LOCAL_FORM.unpack(fixed)
        rest = file.read(fields[9] + fields[10])
        start = at + len(fixed) + fields[9] + fields[10]
        size, packed = _wide(rest[fields[9] :], (fields[8], fields[7]))
        entry = Entry(_name(rest[: fields[9]]), fields[2], fields[3], fields[6], packed, size, at)
        if entry.flags & _SIZE_FOLLOWS and not packed:
            if entry.method != _DEFLATE or entry.encrypted:
                return
            packed = _measured(file, start, meter)
            entry = entry._replace(checksum=None, packed=packed, size=None)
        yield entry
        at = start + packed
        if entry.flags & _SIZE_FOLLOWS:
            at = _behind_descriptor(file, at)


def _directory_span(file: BinaryIO) -> tuple[int, int, int]:
    """Where the directory begins, its length, and the length of what stands before the archive."""
    length = file.seek(0, 2)
    tail_start = max(0, length - _TAIL)
    file.seek(tail_start)
    tail = file.read(_TAIL)
    at = tail.rfind(_END)
    while at >= 0:
        if at + _END_FORM.size <= len(tail):
            fields = _END_FORM.unpack_from(tail, at)
            if at + _END_FORM.size + fields[7] <= len(tail):
                return _checked(*_span(file, tail_start + at, fields))
        at = tail.rfind(_END, 0, at)
    raise DirectoryError("the directory at the end is missing")


def _span(file: BinaryIO, end: int, fields: tuple[int, ...]) -> tuple[int, int, int]:
    size, offset = fields[5], fields[6]
    if _FULL32 not in (size, offset) and fields[4] != _FULL16:
        return end, size, offset
    file.seek(max(0, end - 20))
    locator = file.read(20)
    if locator[:4] != _LOCATOR64:
        return end, size, offset
    for place in (struct.unpack("<Q", locator[8:16])[0], end - 20 - 56):
        if not 0 <= place < end:
            continue
        file.seek(place)
        record = file.read(56)
        if record[:4] == _END64 and len(record) == 56:  # noqa: PLR2004 - its fixed length
            size, offset = struct.unpack("<QQ", record[40:56])
            return place, size, offset
    raise DirectoryError("the directory of a large archive is damaged")


def _checked(end: int, size: int, offset: int) -> tuple[int, int, int]:
    start = end - size
    if start < 0 or start < offset:
        raise DirectoryError("the directory does not fit into the archive")
    return start, size, start - offset


def _entry(fields: tuple[int, ...], rest: bytes, shift: int) -> Entry:
    made, flags, method, checksum = fields[1], fields[3], fields[4], fields[7]
    extra = rest[fields[10] : fields[10] + fields[11]]
    size, packed, header = _wide(extra, (fields[9], fields[8], fields[16]))
    mode = fields[15] >> 16 if made >> 8 in _UNIX else 0
    name = _name(rest[: fields[10]])
    return Entry(name, flags, method, checksum, packed, size, header + shift, mode)


def _wide(extra: bytes, narrow: tuple[int, ...]) -> list[int]:
    """Sizes and offsets, out of the extra field where the header has no room for them."""
    values = list(narrow)
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        body = extra[at + 4 : at + 4 + length]
        at += 4 + length
        if kind != 1:
            continue
        numbers = iter(struct.unpack(f"<{len(body) // 8}Q", body[: len(body) // 8 * 8]))
        return [next(numbers, value) if value == _FULL32 else value for value in values]
    return values


def _name(raw: bytes) -> str:
    """A name; writers that do not say so use UTF-8 far more often than the standard's code page."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp437")


def _measured(file: BinaryIO, start: int, meter: Meter) -> int:
    """The length of deflated data that nothing states: found by inflating them."""
    file.seek(start)
    inner = zlib.decompressobj(-15)
    taken = given = 0
    while not inner.eof:
        data = inner.unconsumed_tail
        if not data:
            data = file.read(_CHUNK)
            taken += len(data)
        if not data:
            break
        try:
            given += len(inner.decompress(data, _STEP))
        except zlib.error:
            break
        if meter.refuses(taken, given):
            break
    return taken - len(inner.unused_data)


def _behind_descriptor(file: BinaryIO, at: int) -> int:
    file.seek(at)
    ahead = file.read(32)
    for length in _DESCRIPTORS:
        if ahead[length : length + 4] in (_LOCAL, _ENTRY):
            return at + length
    return at

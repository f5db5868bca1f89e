"""Text of any usual encoding and line end, as UTF-8 with plain line feeds."""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO, Final

_UTF8_MARK: Final = b"\xef\xbb\xbf"
# Longest first: the UTF-32 mark begins with the UTF-16 one.
_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_SAMPLE: Final = 4096
# Windows-1252, with Latin-1 in its five holes so that every byte is a character.
_WINDOWS: Final = (
    "".join(map(chr, range(0x80)))
    + "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"  # noqa: RUF001 - the code page itself
    + "".join(map(chr, range(0xA0, 0x100)))
)
_MAGIC: Final = (
    b"\x7fELF",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"MSCF\x00\x00\x00\x00",
    b"MZ\x90\x00",
    b"SQLite format 3\x00",
    b"LPKSHHRH",  # the journal of systemd
    b"ElfFile\x00",  # the event log of Windows
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xd4\xc3\xb2\xa1",  # captured packets, three forms
    b"\xa1\xb2\xc3\xd4",
    b"\x0a\x0d\x0d\x0a",
)
_TEXT_BYTES: Final = bytes([*range(7, 14), 27, *range(32, 127), *range(128, 256)])


def text_blocks(reader: BinaryIO, block: int = 1 << 20) -> Iterator[bytes]:
    """The text of a stream in UTF-8 with line feeds only; no block ends inside a character."""
    head = _filled(reader, max(block, 4))
    encoding, mark = _encoding_of(head)
    if encoding:
        blocks = _recoded(reader, head[mark:], encoding, block)
    else:
        blocks = _utf8(reader, head[mark:] if mark else head, block)
    return _unix_lines(blocks)


def decode(data: bytes) -> str:
    """The text of a small file."""
    return b"".join(text_blocks(io.BytesIO(data))).decode("utf-8", "replace")


def is_binary(head: bytes) -> bool:
    """Whether the first bytes of a file belong to no text."""
    if head.startswith(_MAGIC):
        return True
    if not head or _encoding_of(head)[0]:
        return False
    strange = len(head.translate(None, _TEXT_BYTES))
    if strange * 10 > len(head):
        return True
    return strange * 50 > len(head) and not _begins_as_utf8(head)


def _begins_as_utf8(head: bytes) -> bool:
    try:
        codecs.utf_8_decode(head, "strict", False)
    except UnicodeDecodeError:
        return False
    return True


def _filled(reader: BinaryIO, wanted: int) -> bytes:
    """As many bytes as asked for unless the stream ends: a raw reader may give less."""
    parts = []
    while wanted > 0 and (data := reader.read(wanted)):
        parts.append(data)
        wanted -= len(data)
    return b"".join(parts)


def _encoding_of(head: bytes) -> tuple[str, int]:
    """The wide encoding of a text (empty for UTF-8 and its kin), and the length of its mark."""
    if head.startswith(_UTF8_MARK):
        return "", len(_UTF8_MARK)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    sample = head[:_SAMPLE]
    return (_wide_by_nuls(sample), 0) if b"\0" in sample else ("", 0)


def _wide_by_nuls(sample: bytes) -> str:
    """Wide text without a mark shows itself by where its NULs stand."""
    units = len(sample) // 4
    nuls = [sample[lane : units * 4 : 4].count(0) for lane in range(4)]
    most, few = units * 9 // 10, units // 20
    if units and nuls[0] <= few and nuls[2] >= most and nuls[3] >= most:
        return "utf-32-le"
    if units and nuls[3] <= few and nuls[0] >= most and nuls[1] >= most:
        return "utf-32-be"
    pairs = len(sample) // 2
    even, odd = sample[: pairs * 2 : 2].count(0), sample[1 : pairs * 2 : 2].count(0)
    if odd * 10 >= pairs * 3 and even * 50 <= pairs:
        return "utf-16-le"
    return "utf-16-be" if even * 10 >= pairs * 3 and odd * 50 <= pairs else ""


def _recoded(reader: BinaryIO, head: bytes, encoding: str, block: int) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    data = head
    while data:
        yield decoder.decode(data).encode("utf-8", "replace")
        data = reader.read(block)
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _utf8(reader: BinaryIO, head: bytes, block: int) -> Iterator[bytes]:
    held = b""
    data = head
    while data:
        if held:
            data, held = held + data, b""
        if not data.isascii():
            data, held = _settled(data, block)
        yield data
        data = reader.read(block)
    yield _mended(held)


def _settled(data: bytes, block: int) -> tuple[bytes, bytes]:
    """What can be given out now, and what must wait for the next read."""
    try:
        _, used = codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        # Each line decides about its encoding, so only a giant may be cut inside a line.
        cut = data.rfind(b"\n") + 1
        if not cut and len(data) < 2 * block:
            return b"", data
        cut = cut or len(data)
        return _mended(data[:cut]), data[cut:]
    return data[:used], data[used:]


def _mended(data: bytes) -> bytes:
    """Line by line: UTF-8 as it is; Windows-1252 where no character is UTF-8; else marks."""
    text = data.decode("utf-8", "replace")
    if text.replace("\ufffd", "").isascii():
        # No line holds a UTF-8 character, so all lines would decide alike.
        return _from_windows(data) if "\ufffd" in text else data
    return b"".join(map(_mended_line, data.splitlines(keepends=True)))


def _mended_line(line: bytes) -> bytes:
    if line.isascii():
        return line
    text = line.decode("utf-8", "replace")
    if text.replace("\ufffd", "").isascii():
        return _from_windows(line)
    return text.encode("utf-8")


def _from_windows(data: bytes) -> bytes:
    return codecs.charmap_decode(data, "strict", _WINDOWS)[0].encode("utf-8")


def _unix_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    held = b""
    for block in blocks:
        data = held + block if held else block
        held = b""
        if b"\r" in data:
            # A carriage return at the end may be half of a line end.
            if data.endswith(b"\r"):
                data, held = data[:-1], b"\r"
            data = data.replace(b"\r\n", b"\n")
            if b"\r" in data:
                data = data.replace(b"\r", b"\n")
        if data:
            yield data
    if held:
        yield b"\n"

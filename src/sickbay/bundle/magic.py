"""Archives and compressed streams, told by their first bytes and never by their names."""

from typing import Final

HEAD: Final = 1024
TAR_BLOCK: Final = 512
_PACKED: Final = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_SKIPPABLE_ZSTD: Final = (b"\x2a\x4d\x18", range(0x50, 0x60))
_BZIP2_BODIES: Final = (b"1AY&SY", b"\x17rE8P\x90")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04")
_FOREIGN: Final = (
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"MSCF\x00\x00\x00\x00", "cab"),
    (b"\x04\x22\x4d\x18", "lz4"),
)
_SIGN_BIT: Final = 0x80


def is_packed(head: bytes) -> bool:
    """Whether a file is an archive or compressed."""
    return bool(packing_of(head) or foreign_archive(head)) or is_zip(head) or is_tar(head)


def packing_of(head: bytes) -> str:
    """The compression that a stream begins with: gzip, bzip2, xz, zstd, or an empty string."""
    for magic, name in _PACKED:
        if head.startswith(magic):
            return name
    if head[:3] == b"BZh" and head[4:10] in _BZIP2_BODIES:
        return "bzip2"
    tail, firsts = _SKIPPABLE_ZSTD
    return "zstd" if head[1:4] == tail and head[0] in firsts else ""


def is_zip(head: bytes) -> bool:
    return head.startswith(_ZIP)


def is_tar(head: bytes) -> bool:
    """Whether a stream begins with a tar header whose checksum fits."""
    return len(head) >= TAR_BLOCK and head[0] != 0 and tar_header_is_sound(head[:TAR_BLOCK])


def foreign_archive(head: bytes) -> str:
    """The name of an archive format that is not opened here, or an empty string."""
    return next((name for magic, name in _FOREIGN if head.startswith(magic)), "")


def tar_header_is_sound(block: bytes) -> bool:
    stated = tar_number(block[148:156])
    if stated is None:
        return False
    rest = block[:148] + b"        " + block[156:]
    # Some old writers summed signed characters.
    return stated in (sum(rest), sum(rest) - 256 * sum(byte >= _SIGN_BIT for byte in rest))


def tar_number(field: bytes) -> int | None:
    """A number as tar writes it: octal digits, or big-endian bytes behind a set first bit."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big") if not any(field[1:-8]) else None
    digits = field.strip(b" \0")
    if not digits:
        return 0
    return int(digits, 8) if not digits.strip(b"01234567") else None

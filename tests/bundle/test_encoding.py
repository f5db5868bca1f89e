"""Text comes out as UTF-8 with plain line ends, whatever wrote it."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.encoding import decode, is_binary, text_blocks

TEXT = "Error: não foi possível\nline two “quoted” 中文 🚀\n" * 3
ASCII = "E0302 21:54:54 1 x.go:144] failed to pull image\n" * 5


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-32"],
)
def test_marked_text_is_decoded_by_its_mark(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
    ],
)
def test_both_byte_orders_are_known_by_their_marks(mark: bytes, encoding: str) -> None:
    assert decode(mark + TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark_is_told_by_its_nuls(encoding: str) -> None:
    assert decode(ASCII.encode(encoding)) == ASCII


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark_is_no_binary(encoding: str) -> None:
    assert not is_binary(ASCII.encode(encoding))


def test_windows_text_keeps_its_quotes_and_umlauts() -> None:
    assert decode("Zugriff für „admin“ 5 €\n".encode("cp1252")) == "Zugriff für „admin“ 5 €\n"


def test_a_latin_line_among_utf8_lines_does_not_spoil_them() -> None:
    data = "größer\n".encode() + "größer\n".encode("latin-1") + "größer\n".encode()
    assert decode(data) == "größer\n" * 3


def test_a_broken_byte_in_a_utf8_line_becomes_a_mark() -> None:
    assert decode("größer ".encode() + b"\xff\n") == "größer \ufffd\n"


def test_a_character_cut_at_the_end_is_no_error() -> None:
    assert decode("ok ü".encode()[:-1]).startswith("ok ")


def test_an_odd_byte_at_the_end_of_wide_text_is_no_error() -> None:
    assert decode(b"\xff\xfe" + "ab".encode("utf-16-le") + b"\x41") == "ab\ufffd"


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_all_line_ends_become_line_feeds(ending: str) -> None:
    assert decode(f"a{ending}b{ending}".encode()) == "a\nb\n"


def test_a_line_end_split_between_blocks_stays_one() -> None:
    blocks = list(text_blocks(io.BytesIO(b"abc\r\ndef\r\n"), block=4))
    assert b"".join(blocks) == b"abc\ndef\n"


def test_an_empty_stream_has_no_blocks() -> None:
    assert list(text_blocks(io.BytesIO(b""))) == []


def test_plain_blocks_pass_through_as_they_were_read() -> None:
    data = ASCII.encode() * 100
    blocks = list(text_blocks(io.BytesIO(data), block=1000))
    assert blocks == [data[at : at + 1000] for at in range(0, len(data), 1000)]


def test_a_giant_line_of_no_encoding_is_given_out_in_parts() -> None:
    blocks = list(text_blocks(io.BytesIO(b"\xe9" * 100_000), block=1 << 10))
    assert max(map(len, blocks)) < 8 << 10
    assert b"".join(blocks).decode() == "é" * 100_000


class _Trickle(io.RawIOBase):
    """A reader that gives less than it is asked for, as pipes do."""

    def __init__(self, data: bytes) -> None:
        self._inner = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self._inner.read(min(size, 3) if size > 0 else 3)


def test_a_reader_that_gives_little_changes_nothing() -> None:
    blocks = text_blocks(_Trickle(TEXT.encode("utf-16")))  # type: ignore[arg-type]
    assert b"".join(blocks).decode() == TEXT


@settings(max_examples=60)
@given(text=st.text(alphabet="aé中🚀\r\n \t", max_size=60), block=st.integers(4, 9))
def test_the_size_of_blocks_does_not_matter(text: str, block: int) -> None:
    blocks = list(text_blocks(io.BytesIO(text.encode()), block))
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    assert b"".join(blocks).decode() == expected


@settings(max_examples=60)
@given(data=st.binary(max_size=80), block=st.integers(4, 9))
def test_any_bytes_give_blocks_of_whole_characters(data: bytes, block: int) -> None:
    for part in text_blocks(io.BytesIO(data), block):
        assert part.decode("utf-8").encode() == part


@pytest.mark.parametrize(
    "head",
    [
        b"\x7fELF\x02\x01\x01\x00",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"\x1f\x8b\x08\x00\x00",
        b"PK\x03\x04\x14\x00",
        bytes(range(256)) * 4,
        b"\x00" * 512,
        b"\x01\x02\x03\x04text" * 20,
    ],
)
def test_programs_pictures_and_archives_are_binary(head: bytes) -> None:
    assert is_binary(head)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        ASCII.encode(),
        TEXT.encode(),
        TEXT.encode("utf-16"),
        "größer\n".encode("latin-1"),
        b"\x1b[31mred\x1b[0m text\n" * 4,
        b"log line\n" * 40 + b"\x00",
        "中文日志\n".encode() * 10,
        "中文日志".encode()[:-1],
    ],
)
def test_texts_are_not_binary(head: bytes) -> None:
    assert not is_binary(head)

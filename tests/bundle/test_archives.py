"""Archives give their members; hostile, damaged and locked ones give gaps, never an exception."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard

from sickbay.bundle.files import Limits, walk
from sickbay.model.evidence import Gap, Reason

Members = Iterable[tuple[str, bytes]]
TWO = (("a.log", b"first\n"), ("sub/b.log", b"second\n" * 500))
BIG = random.Random(3).randbytes(60_000)  # noqa: S311 - nothing secret


def tarball(members: Members, format: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as archive:
        for name, data in members:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def zipped(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return file.getvalue()


def special(kind: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("odd")
        member.type = kind
        member.linkname = "/etc/passwd"
        archive.addfile(member)
    return file.getvalue()


class Opened(NamedTuple):
    """What a walk over one file gave, each piece of evidence read in step."""

    gaps: list[Gap]
    contents: dict[str, bytes]

    @property
    def reasons(self) -> list[tuple[str, Reason]]:
        return [(gap.source, gap.reason) for gap in self.gaps]


Opening = Callable[..., Opened]


@pytest.fixture
def opened(tmp_path: Path) -> Opening:
    def open_all(data: bytes, limits: Limits | None = None) -> Opened:
        (tmp_path / "in").write_bytes(data)
        found = Opened([], {})
        for item in walk(str(tmp_path / "in"), limits or Limits()):
            if isinstance(item, Gap):
                found.gaps.append(item)
            else:
                found.contents[item.source] = item.open().read()
        return found

    return open_all


@pytest.mark.parametrize(
    "data",
    [
        tarball(TWO),
        tarball(TWO, tarfile.GNU_FORMAT),
        tarball(TWO, tarfile.USTAR_FORMAT),
        gzip.compress(tarball(TWO), mtime=0),
        bz2.compress(tarball(TWO)),
        lzma.compress(tarball(TWO)),
        zstandard.compress(tarball(TWO)),
        zipped(TWO),
        zipped(TWO, zipfile.ZIP_STORED),
        zipped(TWO, zipfile.ZIP_BZIP2),
    ],
)
def test_every_kind_of_archive_gives_its_members(opened: Opening, data: bytes) -> None:
    found = opened(data)
    assert found.gaps == []
    assert found.contents == {f"in!/{name}": body for name, body in TWO}


@pytest.mark.parametrize(
    "compress", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress]
)
def test_a_compressed_file_is_read_under_its_own_name(
    opened: Opening, compress: Callable[[bytes], bytes]
) -> None:
    found = opened(compress(b"one\n") + compress(b"two\n"))
    assert found.contents == {"in": b"one\ntwo\n"}


@pytest.mark.parametrize("dialect", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_come_out_whole_in_both_dialects(opened: Opening, dialect: int) -> None:
    name = "logs/" + "ü" * 120 + ".log"
    assert list(opened(tarball([(name, b"x")], dialect)).contents) == [f"in!/{name}"]


def test_a_name_in_two_parts_is_joined(opened: Opening) -> None:
    name = "a" * 90 + "/" + "b" * 90
    assert list(opened(tarball([(name, b"x")], tarfile.USTAR_FORMAT)).contents) == [f"in!/{name}"]


def test_a_zip_of_the_large_form_is_read(opened: Opening) -> None:
    data = zipped(TWO)
    end = data.rindex(b"PK\x05\x06")
    size, start = struct.unpack("<II", data[end + 12 : end + 20])
    wide = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 2, 2, size, start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end, 1)
    full = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    assert len(opened(data[:end] + wide + locator + full).contents) == len(TWO)


def test_a_sparse_file_is_named_and_stepped_over(opened: Opening) -> None:
    data = tarball([("holes", b"x" * 600), ("next", b"y")], tarfile.GNU_FORMAT)
    header = bytearray(data[:512])
    header[156:157] = b"S"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    found = opened(bytes(header) + data[512:])
    assert found.reasons == [("in!/holes", Reason.NOT_UNDERSTOOD)]
    assert found.contents == {"in!/next": b"y"}


def test_a_size_in_binary_is_understood(opened: Opening) -> None:
    data = tarball([("a", b"x" * 600), ("b", b"y")], tarfile.GNU_FORMAT)
    header = bytearray(data[:512])
    header[124:136] = b"\x80" + (600).to_bytes(11, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    assert len(opened(bytes(header) + data[512:]).contents["in!/a"]) == 600


def test_archives_open_in_archives_three_deep(opened: Opening) -> None:
    inner = zipped([("deep.log", b"found")])
    found = opened(zipped([("b.tgz", gzip.compress(tarball([("c.zip", inner)])))]))
    assert found.contents == {"in!/b.tgz!/c.zip!/deep.log": b"found"}


def test_a_fourth_archive_inside_is_refused(opened: Opening) -> None:
    data = zipped([("x", b"found")])
    for _ in range(3):
        data = zipped([("n.zip", data)])
    found = opened(data)
    assert found.reasons == [("in!/n.zip!/n.zip!/n.zip", Reason.REFUSED)]


def test_endless_layers_of_compression_are_refused(opened: Opening) -> None:
    data = b"x"
    for _ in range(6):
        data = gzip.compress(data)
    found = opened(data)
    assert found.reasons == [("in", Reason.REFUSED)]


@pytest.mark.parametrize(
    "name", ["../evil", "a/../../evil", "/etc/passwd", "C:\\evil", "..\\evil", "a/.."]
)
@pytest.mark.parametrize("make", [tarball, zipped])
def test_names_that_lead_out_are_refused(
    opened: Opening, make: Callable[[Members], bytes], name: str
) -> None:
    found = opened(make([(name, b"x"), ("good", b"y")]))
    assert [(gap.reason, gap.asked_for) for gap in found.gaps] == [(Reason.REFUSED, True)]
    assert found.contents == {"in!/good": b"y"}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, b"6"])
def test_links_and_devices_are_never_followed(opened: Opening, kind: bytes) -> None:
    found = opened(special(kind))
    assert found.reasons == [("in!/odd", Reason.REFUSED)]


def test_a_link_in_a_zip_is_never_followed(opened: Opening) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.create_system = 3
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    found = opened(file.getvalue())
    assert found.reasons == [("in!/link", Reason.REFUSED)]


def test_windows_separators_become_slashes(opened: Opening) -> None:
    found = opened(
        zipped([("logs/node/kubelet.log", b"x")]).replace(b"logs/node/", b"logs\\node\\")
    )
    assert list(found.contents) == ["in!/logs/node/kubelet.log"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("make", [tarball, zipped])
def test_a_second_member_of_the_same_name_is_kept(
    opened: Opening, make: Callable[[Members], bytes]
) -> None:
    found = opened(make([("a", b"1"), ("./a", b"2"), ("a", b"3")]))
    assert found.contents == {"in!/a": b"1", "in!/a#2": b"2", "in!/a#3": b"3"}


def test_names_are_safe_to_print(opened: Opening) -> None:
    found = opened(tarball([("a\x1b[31m\u202e\nb", b"x")]))
    assert list(found.contents) == ["in!/a\\x1b[31m\\u202e\\nb"]


def test_an_empty_member_is_a_small_gap(opened: Opening) -> None:
    assert opened(tarball([("none", b""), ("a", b"x")])).gaps == [
        Gap("in!/none", "empty", Reason.NOT_UNDERSTOOD)
    ]


def test_an_archive_without_members_was_meant_to_hold_some(opened: Opening) -> None:
    assert [gap.asked_for for gap in opened(zipped([])).gaps] == [True]


def test_a_locked_zip_asks_for_its_password(opened: Opening) -> None:
    data = bytearray(zipped([("a", b"x" * 50)]))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (gap,) = opened(bytes(data)).gaps
    assert gap.reason is Reason.FORBIDDEN
    assert "password" in gap.what + gap.to_open


def test_an_unknown_method_of_compression_is_named(opened: Opening) -> None:
    data = bytearray(zipped([("a", b"x" * 50)]))
    data[data.index(b"PK\x01\x02") + 10] = 9
    assert [gap.what for gap in opened(bytes(data)).gaps] == ["zip compression method 9"]


@pytest.mark.parametrize("head", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01"])
def test_a_foreign_archive_is_not_taken_for_text(opened: Opening, head: bytes) -> None:
    found = opened(head + bytes(100))
    assert found.reasons == [("in", Reason.NOT_UNDERSTOOD)]


@pytest.mark.parametrize(
    "data", [gzip.compress(bytes(8 << 20)), zipped([("z", bytes(8 << 20))])], ids=["gzip", "zip"]
)
def test_a_bomb_stops_at_the_ratio(opened: Opening, data: bytes) -> None:
    found = opened(data, Limits(ratio=100, ratio_from=1 << 20))
    assert [gap.reason for gap in found.gaps] == [Reason.REFUSED]
    assert sum(map(len, found.contents.values())) <= 2 << 20


@pytest.mark.parametrize("compress", [zstandard.compress, bz2.compress, lzma.compress])
def test_a_bomb_of_another_kind_stops_too(
    opened: Opening, compress: Callable[[bytes], bytes]
) -> None:
    found = opened(compress(bytes(32 << 20)), Limits(ratio=100, ratio_from=1 << 20))
    assert [gap.reason for gap in found.gaps] == [Reason.REFUSED]


def test_members_together_stop_at_the_total(opened: Opening) -> None:
    data = zipped([(f"{number}", BIG) for number in range(9)])
    found = opened(data, Limits(total=200_000))
    assert {gap.reason for gap in found.gaps} == {Reason.REFUSED}
    assert sum(map(len, found.contents.values())) <= 200_000


def test_a_zip_whose_members_share_bytes_is_refused(opened: Opening) -> None:
    data = zipped([("a", bytes(5000)), ("b", bytes(5000))])
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    forged = data[: second + 42] + bytes(4) + data[second + 46 :]
    assert [gap.reason for gap in opened(forged).gaps] == [Reason.REFUSED, Reason.REFUSED]


@pytest.mark.parametrize("make", [tarball, zipped])
def test_too_many_members_end_the_walk(opened: Opening, make: Callable[[Members], bytes]) -> None:
    found = opened(make([(f"{number:02}", b"x") for number in range(20)]), Limits(members=5))
    assert len(found.contents) == 5
    assert found.reasons == [("in", Reason.REFUSED)]

"""What is left of a broken archive is read, and what is lost is told."""

import gzip
import io
import random
import runpy
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard

from sickbay.bundle.files import Evidence, Limits, UnreadableError, walk
from sickbay.model.evidence import Gap, Reason

Members = Iterable[tuple[str, bytes]]
BIG = random.Random(3).randbytes(60_000)  # noqa: S311 - nothing secret
THREE = (("a", b"1" * 900), ("b", BIG), ("c", b"3" * 900))


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


@pytest.mark.parametrize("cut", [600, 1600, 2500, 40_000, 62_900, 64_000])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, zstandard.compress])
def test_a_tarball_that_breaks_off_gives_what_was_there(
    opened: Opening, compress: Callable[[bytes], bytes], cut: int
) -> None:
    found = opened(compress(tarball(THREE))[:cut])
    assert {gap.reason for gap in found.gaps} <= {Reason.TRUNCATED}
    assert all(dict(THREE)[name[4:]].startswith(body) for name, body in found.contents.items())


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_zip_that_breaks_off_gives_what_was_there(opened: Opening, method: int) -> None:
    found = opened(zipped(THREE, method)[:40_000])
    assert {gap.reason for gap in found.gaps} == {Reason.TRUNCATED}
    assert found.contents["in!/a"] == b"1" * 900
    assert BIG.startswith(found.contents["in!/b"][:30_000])


def test_a_streamed_zip_that_breaks_off_gives_what_was_there(opened: Opening) -> None:
    class Pipe(io.RawIOBase):
        data = b""

        def writable(self) -> bool:
            return True

        def write(self, piece: bytes) -> int:  # type: ignore[override]
            self.data += bytes(piece)
            return len(piece)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in THREE:
            archive.writestr(name, body)
    found = opened(pipe.data[: pipe.data.index(b"PK\x01\x02")])
    assert found.contents == {f"in!/{name}": body for name, body in THREE}


def test_damage_inside_a_member_is_told(opened: Opening) -> None:
    data = bytearray(zipped([("a", b"line\n" * 4000), ("b", b"fine")]))
    data[60:64] = b"\xff\xff\xff\xff"
    found = opened(bytes(data))
    assert found.reasons == [("in!/a", Reason.MALFORMED)]
    assert found.contents["in!/b"] == b"fine"


def test_a_member_with_a_wrong_checksum_is_told(opened: Opening) -> None:
    data = zipped([("a", b"hello")], zipfile.ZIP_STORED).replace(b"hello", b"jello")
    found = opened(data)
    assert found.reasons == [("in!/a", Reason.MALFORMED)]


def test_members_behind_a_damaged_tar_header_are_found_again(opened: Opening) -> None:
    data = bytearray(tarball([("a", b"1"), ("b", b"2"), ("c", b"3")], tarfile.USTAR_FORMAT))
    data[1024:1100] = b"\xee" * 76
    found = opened(bytes(data))
    assert found.reasons == [("in", Reason.MALFORMED)]
    assert found.contents == {"in!/a": b"1", "in!/c": b"3"}


def test_evidence_can_be_read_out_of_step(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(gzip.compress(tarball(THREE)))
    found = [item for item in walk(str(tmp_path / "in")) if isinstance(item, Evidence)]
    bodies = [item.open().read() for item in reversed(found)]
    assert bodies == [body for _, body in reversed(THREE)]


def test_two_readers_of_one_member_do_not_disturb_each_other(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(gzip.compress(tarball([("b", BIG * 10)])))
    (found,) = [item for item in walk(str(tmp_path / "in")) if isinstance(item, Evidence)]
    with found.open() as one, found.open() as other:
        pieces = [one.read(300_000), other.read(300_000), one.read(), other.read()]
    assert pieces[0] + pieces[2] == pieces[1] + pieces[3] == BIG * 10


def test_damage_met_after_the_walk_raises_instead_of_being_lost(tmp_path: Path) -> None:
    (tmp_path / "in.gz").write_bytes(gzip.compress(BIG)[:-2000])
    (found,) = [item for item in walk(str(tmp_path / "in.gz")) if isinstance(item, Evidence)]
    with pytest.raises(UnreadableError, match="break off"), found.open() as reader:
        reader.read()


def test_mutilated_archives_never_raise() -> None:
    target = runpy.run_path(str(Path(__file__).parents[1] / "fuzz" / "fuzz_archives.py"))
    chance = random.Random(7)  # noqa: S311 - nothing secret
    for seed in target["seeds"]() * 30:
        data = bytearray(seed)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        target["one_input"](bytes(data[: chance.randint(1, len(data))]))
        target["one_input"](bytes(data))

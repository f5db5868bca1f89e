"""Fuzzes the opening of archives: whatever the bytes, evidence and gaps in bounds, no exception."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import zstandard

from sickbay.bundle.archives import expand
from sickbay.bundle.intake import Evidence, Limits, Notes, Place, Total
from sickbay.model.evidence import Gap

LIMITS = Limits(total=8 << 20, ratio=200, ratio_from=1 << 20, members=100, spool_total=4 << 20)
MOST_BYTES = 32 << 20


def one_input(data: bytes) -> None:
    """What must hold for any file at all."""
    notes = Notes()
    place = Place("input", 0, LIMITS, notes, Total())
    read = 0
    sources = []
    for item in expand(lambda: io.BytesIO(data), len(data), place):
        assert isinstance(item, Evidence | Gap), "something else came out"
        assert item.source.isprintable(), "a name that is not safe to print"
        if isinstance(item, Evidence):
            sources.append(item.source)
            read += _size(item)
    gaps = notes.drain()
    assert all(gap.what and gap.asked_for for gap in gaps), "a fault that says nothing"
    assert len(sources) == len(set(sources)), "two pieces of evidence with one name"
    assert read <= MOST_BYTES, "a bomb went off"


def seeds() -> list[bytes]:
    """Small sound archives of all kinds, to be damaged."""
    tarball = _tarball()
    zipped = _zipped(tarball)
    return [
        tarball,
        zipped,
        gzip.compress(tarball, mtime=0),
        bz2.compress(tarball),
        zstandard.compress(tarball),
        lzma.compress(zipped),
        _zipped(gzip.compress(zipped, mtime=0)),
    ]


def _size(evidence: Evidence) -> int:
    with evidence.open() as reader:
        first = reader.read()
    with evidence.open() as reader:
        assert reader.read(100) == first[:100], "a second look shows something else"
    return len(first)


def _tarball() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in ("a.log", "sub/" + "n" * 120, "ü.txt"):
            member = tarfile.TarInfo(name)
            member.size = 700
            archive.addfile(member, io.BytesIO(b"line\n" * 140))
    return file.getvalue()


def _zipped(inner: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("kept.txt"), b"stored")
        archive.writestr("packed.txt", b"line\n" * 200)
        archive.writestr("inner", inner)
    return file.getvalue()

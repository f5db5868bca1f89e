"""A bundle is read like what it was made of, whole, unpacked, reordered or damaged."""

import json
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import zstandard

from sickbay import app
from sickbay.app import Settings, collect_saved, diagnose_saved
from sickbay.bundle.layout import VERSION
from sickbay.model.diagnosis import Diagnosis
from sickbay.model.evidence import Gap, Reason
from sickbay.report.document import document

DEMO = Path(app.__file__).parent / "demo"
INCIDENTS = sorted(path.name for path in DEMO.iterdir())
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}}


def collected(source: Path, to: Path, *, pseudonyms: bool = False) -> Path:
    collect_saved(str(source), str(to), pseudonyms=pseudonyms)
    return to


def parts_of(bundle: Path) -> dict[str, bytes]:
    with bundle.open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file).read()
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        return {one.name: archive.extractfile(one).read() for one in archive}  # type: ignore[union-attr]


def unpacked(parts: dict[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    for name, data in parts.items():
        (folder / name).write_bytes(data)
    return folder


def part(kind: str, *lines: Any, version: int = VERSION, **more: Any) -> bytes:
    head = {"sickbay.bundle": version, "part": kind, **more}
    return "".join(
        (json.dumps(one, separators=(",", ":")) if not isinstance(one, str) else one) + "\n"
        for one in (head, *lines)
    ).encode()


def diagnosed(path: Path) -> Diagnosis:
    return diagnose_saved(str(path), Settings())


def told(path: Path) -> str:
    """The report, without the name of what was handed in."""
    found = document(diagnosed(path))
    found["target"]["id"] = found["target"]["id"].removeprefix(str(path))
    return json.dumps(found, indent=1)


def outline(path: Path) -> list[tuple[object, ...]]:
    return [
        (one.rule, one.certainty, one.times, len(one.evidence), [e.rule for e in one.explains])
        for one in diagnosed(path).causes
    ]


@pytest.mark.parametrize("incident", INCIDENTS)
def test_a_bundle_tells_the_same_as_the_folder(incident: str, tmp_path: Path) -> None:
    bundle = collected(DEMO / incident, tmp_path / "case.sickbay")
    assert told(bundle) == told(DEMO / incident)


@pytest.mark.parametrize("incident", INCIDENTS)
def test_stand_ins_for_names_do_not_change_the_diagnosis(incident: str, tmp_path: Path) -> None:
    bundle = collected(DEMO / incident, tmp_path / "case.sickbay", pseudonyms=True)
    assert outline(bundle) == outline(DEMO / incident)


def test_a_bundle_of_a_bundle_tells_the_same(tmp_path: Path) -> None:
    first = collected(DEMO / INCIDENTS[0], tmp_path / "1.sickbay")
    assert told(collected(first, tmp_path / "2.sickbay")) == told(DEMO / INCIDENTS[0])


def test_an_unpacked_bundle_tells_the_same(tmp_path: Path) -> None:
    bundle = collected(DEMO / INCIDENTS[0], tmp_path / "case.sickbay")
    assert told(unpacked(parts_of(bundle), tmp_path / "folder")) == told(bundle)


def test_the_order_of_parts_does_not_matter(tmp_path: Path) -> None:
    parts = parts_of(collected(DEMO / INCIDENTS[0], tmp_path / "case.sickbay"))
    numbers = [f"{number:02}.txt" for number in range(len(parts))]
    forwards = dict(zip(numbers, parts.values(), strict=True))
    backwards = dict(zip(numbers, reversed(parts.values()), strict=True))
    one, other = unpacked(forwards, tmp_path / "1"), unpacked(backwards, tmp_path / "2")
    assert told(one) == told(other)


def gaps(folder: Path, **parts: bytes) -> list[Gap]:
    named = {f"{name}.txt": data for name, data in parts.items()}
    return [gap for gap in diagnosed(unpacked(named, folder)).gaps if gap.asked_for]


def test_a_newer_bundle_is_a_gap_that_says_what_to_do(tmp_path: Path) -> None:
    (gap,) = gaps(tmp_path / "b", one=part("documents", version=VERSION + 1))
    assert gap.reason is Reason.NOT_UNDERSTOOD
    assert "newer" in gap.to_open


@pytest.mark.parametrize(
    "head",
    [
        b'{"sickbay.bundle":',
        b'{"sickbay.bundle":1}',
        b'{"sickbay.bundle":"one","part":"texts"}',
        b'{"sickbay.bundle":1,"part":"log","frame":7}',
        b'{"sickbay.bundle":1,"part":"log","frame":{"source":1,"about":null}}',
        b'{"sickbay.bundle":' + b"[" * 60_000,
    ],
    ids=["broken off", "no part", "no version", "no frame", "a bad frame", "deep"],
)
def test_a_part_with_a_damaged_head_is_a_gap(head: bytes, tmp_path: Path) -> None:
    (gap,) = gaps(tmp_path / "b", one=head + b"\n")
    assert gap.reason is Reason.MALFORMED


TEXT = {"text": "x", "origin": ["f", "l"], "about": None, "channel": "", "at": "", "times": 1}
NOTE = {"source": "s", "what": "w", "reason": "refused", "to_open": "", "asked_for": False}


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("documents", "{"),
        ("documents", "[1]"),
        ("documents", "[" * 60_000),
        ("documents", {"form": "arm", "origin": [1], "body": {}}),
        ("documents", {"form": "arm", "origin": ["f"], "body": 7}),
        ("documents", {"form": "Nothing", "origin": ["f"], "body": {}}),
        ("documents", {"form": ["kube"], "origin": ["f"], "body": {}}),
        ("texts", {**TEXT, "text": 7}),
        ("texts", {**TEXT, "times": "often"}),
        ("texts", {**TEXT, "about": ["Pod", 7]}),
        ("texts", {}),
        ("notes", {"seen": [7]}),
        ("notes", {"seen": "Pod"}),
        ("notes", {"file": 7}),
        ("notes", {"gap": {**NOTE, "reason": "moody"}}),
        ("notes", {"gap": {**NOTE, "what": None}}),
    ],
)
def test_a_damaged_line_is_a_gap_and_the_next_is_read(kind: str, line: Any, tmp_path: Path) -> None:
    documents = part("documents", {"form": "kube", "origin": ["f"], "body": POD})
    damaged = part(kind, line, {"file": "a.json"} if kind == "notes" else line)
    folder = unpacked({"1.txt": damaged, "2.txt": documents}, tmp_path / "b")
    diagnosis = diagnosed(folder)
    assert {gap.reason for gap in diagnosis.gaps if gap.asked_for} == {Reason.MALFORMED}
    assert diagnosis.looked.entities == 1


def test_a_truncated_bundle_keeps_what_came_before_the_break(tmp_path: Path) -> None:
    whole = collected(DEMO / INCIDENTS[0], tmp_path / "case.sickbay")
    broken = tmp_path / "broken.sickbay"
    broken.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    diagnosis = diagnosed(broken)
    assert any(gap.asked_for for gap in diagnosis.gaps)

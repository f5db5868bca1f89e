"""A bundle is written redacted, whole or not at all."""

import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import zstandard
from evidence_kit import Ear  # type: ignore[import-not-found]
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.app import Settings, collect_saved, diagnose_saved
from sickbay.bundle.build import Builder
from sickbay.bundle.files import walk
from sickbay.bundle.foreign import read
from sickbay.bundle.frame import Frame
from sickbay.bundle.redact import Pseudonyms, Redactor
from sickbay.bundle.writer import Recorder
from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod

# Each is one that no test of redaction has seen in this place.
PASSWORD = "Tr0ub4dor-and-3-more"  # noqa: S105
BEARER = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzaWNrYmF5In0.c2lnbmF0dXJlLW9mLWl0"
CUSTOMER = "5f0c6a9e-6d53-4a55-8a3d-0f6b2c1d7e88"
ERROR = b"Code: SubnetIsFull Message: Subnet nodes has no free addresses left\n"


def raw(bundle: Path) -> bytes:
    with bundle.open("rb") as file:
        return bytes(zstandard.ZstdDecompressor().stream_reader(file).read())


def replayed(bundle: Path) -> tuple[Ear, Builder]:
    ear = Ear()
    builder = Builder(ear)
    for piece in walk(str(bundle)):
        assert not isinstance(piece, Gap), piece
        read(piece, builder)
    return ear, builder


def recorder(folder: Path, *, pseudonyms: Pseudonyms = Pseudonyms.OFF) -> Recorder:
    return Recorder(str(folder / "case.sickbay"), Redactor(pseudonyms, b"salt"))


def blocks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def test_secrets_in_documents_texts_logs_and_names_are_not_written(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    secret = {
        "kind": "Secret",
        "apiVersion": "v1",
        "metadata": {"name": "s"},
        "data": {"p": PASSWORD},
    }
    pod = {
        "kind": "Pod",
        "apiVersion": "v1",
        "metadata": {"name": "web", "namespace": "shop", "annotations": {"password": PASSWORD}},
        "status": {"message": f"cannot log in with password={PASSWORD}"},
    }
    (source / "secret.json").write_text(json.dumps(secret))
    (source / "pod.json").write_text(json.dumps(pod))
    (source / "run.log").write_text(f"GET /x\nAuthorization: Bearer {BEARER}\n")
    (source / f"password={PASSWORD}.log").write_text("nothing to see\n")
    (source / f"token={BEARER}.json").write_text(json.dumps(pod))
    collect_saved(str(source), str(tmp_path / "case.sickbay"), pseudonyms=False)
    written = raw(tmp_path / "case.sickbay")
    assert PASSWORD.encode() not in written
    assert BEARER.encode() not in written


def test_identities_are_not_written_when_stand_ins_are_asked_for(tmp_path: Path) -> None:
    about = kube("Node", "", f"vm-{CUSTOMER}")
    with recorder(tmp_path, pseudonyms=Pseudonyms.ON) as one:
        frame = Frame(f"{CUSTOMER}/x.log", about)
        one.log(iter([f"node {CUSTOMER} is gone\n".encode()]), frame)
        one.text(Text(f"node {CUSTOMER}", Origin(f"{CUSTOMER}.txt"), about))
        one.kube({"kind": "Pod", "metadata": {"name": CUSTOMER}}, Origin(f"{CUSTOMER}.json"))
        one.seen("Pod", CUSTOMER)
        one.gap(Gap(f"{CUSTOMER}.bin", "binary"))
        one.file(f"{CUSTOMER}.txt")
    assert CUSTOMER.encode() not in raw(tmp_path / "case.sickbay")


def test_one_identity_has_one_stand_in_in_logs_and_texts(tmp_path: Path) -> None:
    about = kube("Node", "", f"vm-{CUSTOMER}")
    with recorder(tmp_path, pseudonyms=Pseudonyms.ON) as one:
        one.log(iter([b"it broke\n"]), Frame("x.log", about))
        one.text(Text("it broke", Origin("x.txt"), about))
    ear, _ = replayed(tmp_path / "case.sickbay")
    assert ear.texts[0].about == ear.logs[0][1].about != about


def test_everything_is_replayed_as_it_was_recorded(tmp_path: Path) -> None:
    text = Text("it broke", Origin("e.json", "$[3]"), kube("Pod", "shop", "web"), "event", "", 7)
    gap = Gap("x.bin", "binary", Reason.NOT_UNDERSTOOD, "save it as text", asked_for=True)
    frame = Frame("kubelet.log", kube("Node", "", "n1"), "log/kubelet", 2026, 41)
    with recorder(tmp_path) as one:
        one.text(text)
        one.gap(gap)
        one.seen("Pod", "shop")
        one.file("a.json")
        one.log(iter([b"one\n", b"two"]), frame)
        one.kube_raw("Pod", b'{"metadata":{"name":"a","namespace":"shop"}}', Origin("p", "$[0]"))
        one.arm({"id": "/subscriptions/s", "properties": {"state": "Enabled"}}, Origin("s"))
    ear, builder = replayed(tmp_path / "case.sickbay")
    snapshot = builder.finish()
    assert (ear.texts, ear.logs) == ([text], [("one\ntwo", frame)])
    assert (snapshot.gaps, builder.files, len(snapshot)) == ((gap,), 1, 2)
    assert [pod.name for pod in snapshot.all(Pod, "shop")] == ["a"]
    assert snapshot.origin(kube("Pod", "shop", "a")) == Origin("p", "$[0]")


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=30)))
def test_any_log_is_replayed_as_it_was(lines: list[str]) -> None:
    log = "\n".join(lines)
    with TemporaryDirectory() as folder:
        with recorder(Path(folder)) as one:
            one.log(iter([log.encode()]), Frame("x.log"))
        ear, _ = replayed(Path(folder) / "case.sickbay")
    assert "".join(text for text, _ in ear.logs) == Redactor().text(log)


def test_a_log_larger_than_a_part_keeps_its_line_numbers(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    calm = b"I0116 10:00:00.000000 1 main.go:7] all is well in the shop and in its stores\n"
    count = 9 * 1024 * 1024 // len(calm)
    (source / "run.log").write_bytes(calm * count + b"E0116 10:00:01.000000 1 main.go:9] " + ERROR)
    collect_saved(str(source), str(tmp_path / "case.sickbay"), pseudonyms=False)
    with tarfile.open(fileobj=io.BytesIO(raw(tmp_path / "case.sickbay"))) as archive:
        assert sum("log" in name for name in archive.getnames()) == 2
    for path in (source, tmp_path / "case.sickbay"):
        (cause,) = diagnose_saved(str(path), Settings()).causes
        assert cause.evidence[0].origin == Origin("run.log", f"line {count + 1}")


def test_a_log_without_line_ends_is_kept_whole(tmp_path: Path) -> None:
    with recorder(tmp_path) as one:
        one.log(blocks(b"x" * 20_000_000, 1 << 20), Frame("x.log"))
    ear, _ = replayed(tmp_path / "case.sickbay")
    assert sum(len(text) for text, _ in ear.logs) == 20_000_000


class StoppedError(Exception):
    """What a test stops the writing with."""


def _write_half(one: Recorder) -> None:
    with one:
        one.text(Text("it broke", Origin("x.txt")))
        raise StoppedError


def test_an_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(StoppedError):
        _write_half(recorder(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_an_older_bundle_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "case.sickbay").write_bytes(b"older")
    with pytest.raises(StoppedError), recorder(tmp_path):
        raise StoppedError
    assert (tmp_path / "case.sickbay").read_bytes() == b"older"


def test_a_name_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "case.sickbay").mkdir()
    with pytest.raises(SickbayError, match="cannot be written"), recorder(tmp_path) as one:
        one.text(Text("it broke", Origin("x.txt")))
    assert [path.name for path in tmp_path.iterdir()] == ["case.sickbay"]


def test_a_folder_that_is_not_there_is_for_the_user_to_mend(tmp_path: Path) -> None:
    with pytest.raises(SickbayError, match="cannot be written"):
        recorder(tmp_path / "nowhere")


def test_a_bundle_is_for_its_owner_alone(tmp_path: Path) -> None:
    with recorder(tmp_path) as one:
        one.text(Text("it broke", Origin("x.txt")))
    assert (tmp_path / "case.sickbay").stat().st_mode & 0o077 == 0


def test_a_bundle_written_where_it_reads_does_not_hold_itself(tmp_path: Path) -> None:
    (tmp_path / "error.txt").write_bytes(ERROR)
    bundle = tmp_path / "case.sickbay"
    for _ in range(2):
        assert collect_saved(str(tmp_path), str(bundle), pseudonyms=False) == ()
    diagnosis = diagnose_saved(str(bundle), Settings())
    assert (diagnosis.looked.files, diagnosis.looked.not_understood) == (1, 0)


def test_what_could_not_be_read_is_told_and_written_down(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\x7fELF" + bytes(range(256)) * 40)
    (gap,) = collect_saved(str(tmp_path), str(tmp_path / "case.sickbay"), pseudonyms=False)
    assert gap.reason is Reason.NOT_UNDERSTOOD
    assert gap in diagnose_saved(str(tmp_path / "case.sickbay"), Settings()).gaps

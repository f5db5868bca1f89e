"""Files that are empty, cut, mis-encoded, too deep or of wrong types: a gap, never a crash."""

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from program import ERROR, diagnosed, explained  # type: ignore[import-not-found]

POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-0", "namespace": "shop"}}
LAUGH = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
MERGES = "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12))


def tarball(data: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("pods.json")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pods.json", data)
    return file.getvalue()


LIST = json.dumps({"kind": "List", "apiVersion": "v1", "items": [POD] * 20}).encode()
WHOLE = {
    "pods.json": LIST,
    "pods.yaml": b"apiVersion: v1\nkind: Pod\nmetadata: {name: web-0, labels: {a: 'b'}}\n",
    "pods.json.gz": gzip.compress(LIST, mtime=0),
    "pods.tar": tarball(LIST),
    "pods.zip": zipped(LIST),
}


def test_an_empty_file_is_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    assert diagnosed(path).code == 3
    assert explained(b"").code == 3


def test_a_binary_is_not_understood(tmp_path: Path) -> None:
    path = tmp_path / "core"
    path.write_bytes(bytes(range(256)) * 64)
    ended = diagnosed(path)
    assert (ended.code, ended.reasons) == (3, {"not-understood"})


@pytest.mark.parametrize("name", ["pods.json", "pods.json.gz", "pods.zip"])
def test_a_file_that_breaks_off_is_not_called_healthy(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(WHOLE[name][: len(WHOLE[name]) * 2 // 3])
    assert diagnosed(path).code == 3


@pytest.mark.parametrize("name", WHOLE)
def test_a_cut_at_any_place_ends_without_a_crash(name: str, tmp_path: Path) -> None:
    data = WHOLE[name]
    for cut in {1, 3, 17, *range(0, len(data), len(data) // 40 + 1)}:
        (tmp_path / f"{cut:06}-{name}").write_bytes(data[:cut])
    ended = diagnosed(tmp_path)
    assert ended.code in {0, 3}
    assert ended.report["causes"] == []


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"Pod","spec":' + "[" * 200_000 + "]" * 200_000 + "}",
        '{"kind":"Pod","spec":' + "[" * 200_000,
        '{"a":' * 900 + "1" + "}" * 900,
        "kind: Pod\nspec: " + "[" * 100_000,
        "kind: Pod\nspec: " + "[" * 100_000 + "]" * 100_000,
        "kind: Pod\nspec:\n " + "- " * 100_000,
        "kind: Pod\nspec: &x {a: *x}\n",
        f"kind: Pod\na0: &a0 {{x: y}}\n{LAUGH}",
        f"kind: Pod\na0: &a0 {{x: y}}\n{MERGES}",
        "kind: Pod\na: " + "9" * 10_000,
        "kind: Pod\nmetadata: {name: !!python/object/apply:os.system [ls]}\n",
        '{"kind":"Pod","metadata":{"name":"x"},}',
    ],
    ids=[
        "deep-json",
        "cut-deep-json",
        "nested-json",
        "cut-deep-yaml",
        "deep-yaml",
        "deep-block-yaml",
        "self-reference",
        "alias-bomb",
        "merge-bomb",
        "giant-number",
        "python-tag",
        "trailing-comma",
    ],
)
def test_a_document_that_cannot_be_held_is_a_gap(text: str) -> None:
    ended = explained(text.encode())
    assert ended.code == 3
    assert ended.report["gaps"]
    assert ended.seconds < 30


@pytest.mark.parametrize(
    "value",
    [
        {"kind": ["Pod"], "metadata": 3, "items": "x"},
        {"kind": "List", "items": [None, 1, "x", [], {"kind": 5}, {"kind": "Pod", "metadata": 1}]},
        {"value": {"a": 1}, "id": ["x"]},
        {"id": "/subscriptions/s/resourceGroups/g/providers/A.B/c/d", "properties": [1], "type": 5},
        [None, 1, "x", [], {}, {"id": None}],
        {**POD, "status": {"conditions": {"a": "b"}, "containerStatuses": "x"}, "spec": [1]},
    ],
    ids=["kinds", "items", "answer", "resource", "list", "pod"],
)
def test_values_of_wrong_types_are_left_out(value: object) -> None:
    ended = explained(json.dumps(value).encode())
    assert ended.code in {0, 3}
    assert ended.report["gaps"]


@pytest.mark.parametrize(
    "data",
    [
        (ERROR * 20).encode("utf-16-le"),
        (ERROR * 20).encode("utf-16-be"),
        (ERROR * 20).encode("utf-32"),
        b"caf\xe9 \xff\n" + ERROR.encode(),
        "é €\n".encode() + b"caf\xe9\n" + ERROR.encode(),
        b"\xef\xbb\xbf" + ERROR.replace("\n", "\r\n").encode(),
        json.dumps({"error": {"code": "SubnetIsFull"}}).encode("utf-16-le"),
    ],
    ids=["utf-16-le", "utf-16-be", "utf-32", "latin-1", "mixed", "windows", "wide-json"],
)
def test_any_usual_encoding_is_read(data: bytes) -> None:
    assert explained(data).rules == ["aks.subnet_full"]


def test_a_kind_that_nobody_knows_is_no_failure() -> None:
    body = {"apiVersion": "zorp.io/v1", "kind": "Zorp", "metadata": {"name": "a"}}
    assert explained(json.dumps(body).encode()).code in {0, 3}

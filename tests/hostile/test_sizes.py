"""Giants: memory stays bounded, and time grows with the input, not with its square."""

from pathlib import Path

import pytest
from program import (  # type: ignore[import-not-found]
    ERROR,
    diagnosed,
    explained,
    only_under_test_all,
    peak_mb,
    sickbay,
)

from sickbay.store import Rules

MOST_MB = 300
MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def compiled(rules: Rules) -> Rules:
    """The rules lie compiled in the cache before anything is measured."""
    return rules


def filled(path: Path, begin: bytes, body: bytes, size: int) -> Path:
    with path.open("wb") as file:
        file.write(begin)
        for _ in range(size // len(body)):
            file.write(body)
    return path


def grown(folder: Path, form: str, size: int) -> Path:
    begin, word = BEGINNINGS[form]
    return filled(folder / "large", begin, word * (MEGABYTE // len(word)), size)


BEGINNINGS = {
    "line": (b"", b"dial tcp lookup timeout "),
    "string": (b'{"kind":"Pod","a":"', b"word "),
    "wide": ('{"kind":"Pod","a":"'.encode("utf-16"), "word ".encode("utf-16-le")),
    "brackets": (b"[", b"["),
    "yaml": (b'kind: Pod\nmetadata: {name: x}\na: "', b"word "),
    "describe": (b"Name:    web-0\nNamespace:    shop\nStatus:  Pending\nA: ", b"word word\n"),
}


@pytest.mark.parametrize("form", ["line", "brackets", "yaml", "string"])
def test_a_large_file_is_read_in_bounded_memory(form: str, tmp_path: Path) -> None:
    assert peak_mb("diagnose", "--from", grown(tmp_path, form, 70 * MEGABYTE)) < MOST_MB


@only_under_test_all  # type: ignore[untyped-decorator]
@pytest.mark.parametrize("form", BEGINNINGS)
def test_a_giant_of_any_form_is_read_in_bounded_memory(form: str, tmp_path: Path) -> None:
    assert peak_mb("diagnose", "--from", grown(tmp_path, form, 300 * MEGABYTE)) < MOST_MB


# Beside real clusters it waits for its turn; what it is about is memory.
@pytest.mark.timeout(1500)
@only_under_test_all  # type: ignore[untyped-decorator]
def test_a_line_of_two_gigabytes_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = filled(tmp_path / "line.txt", b"", b"dial tcp lookup timeout " * 40_000, 2 << 30)
    assert peak_mb("diagnose", "--from", path) < MOST_MB
    assert peak_mb("explain", stdin=path) < MOST_MB


def test_two_gigabytes_of_nothing_are_told_by_their_beginning(tmp_path: Path) -> None:
    path = tmp_path / "sparse.img"
    with path.open("wb") as file:
        file.truncate(2 << 30)
    ended = diagnosed(path)
    assert ended.code == 3
    assert ended.seconds < 10


def test_more_than_memory_is_meant_for_is_explained_from_disk(tmp_path: Path) -> None:
    path = grown(tmp_path, "line", 66 * MEGABYTE)
    with path.open("ab") as file:
        file.write(b"\n" + ERROR.encode())
    ended = sickbay("explain", "-o", "json", stdin=path)
    assert "aks.subnet_full" in ended.rules


@pytest.mark.parametrize(
    "between", ["\n", pytest.param(" ", marks=only_under_test_all)], ids=["lines", "one line"]
)
def test_a_text_of_all_that_patterns_look_for_takes_linear_time(between: str, rules: Rules) -> None:
    samples = [" ".join(one.sample.split()) for one in rules.catalog.signatures()]
    text = between.join(samples).encode() + between.encode()
    once, twice = explained(text), explained(text * 2)
    assert twice.seconds < 4 * max(once.seconds, 0.5)


@pytest.mark.parametrize(
    "line",
    [
        "failed to pull image ",
        "context deadline exceeded ",
        "x509: certificate ",
        '{"error":{"code":"',
        "Error: ((((",
        '\\\\\\\\\\"',
        "Warning  Failed  ",
    ],
)
def test_a_long_run_of_one_phrase_takes_linear_time(line: str) -> None:
    text = line.encode() * (MEGABYTE // 2 // len(line))
    once, twice = explained(text), explained(text * 2)
    assert twice.seconds < 4 * max(once.seconds, 0.5)


def test_brackets_that_close_nothing_take_linear_time() -> None:
    """Lines out of the JSON of a resource may have lost what opens them."""
    begin, end = b'"provisioningState": "Failed",\n', b'"x": 1\n'
    once, twice = (explained(begin + b"}\n" * count + end) for count in (60_000, 120_000))
    assert twice.seconds < 4 * max(once.seconds, 0.5)


@pytest.mark.parametrize("count", [2_000, pytest.param(20_000, marks=only_under_test_all)])
def test_many_small_files_take_linear_time(count: int, tmp_path: Path) -> None:
    for number in range(count):
        (tmp_path / f"{number}.log").write_text("all is well\n")
    ended = diagnosed(tmp_path)
    assert ended.code == 0
    assert ended.seconds < 2 + count / 400

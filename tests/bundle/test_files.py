"""A folder gives its files in a fixed order, and a gap for whatever may not or cannot be opened."""

import contextlib
import gzip
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sickbay.bundle.files import Evidence, walk
from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Reason

NOBODY = 65534
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "handed-in"
    for name in ("b/z.log", "b/a.log", "a.txt", "c/d/e.json", "Z.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


def sources(path: Path) -> list[str]:
    return [item.source for item in walk(str(path)) if isinstance(item, Evidence)]


def gaps(path: Path) -> list[Gap]:
    return [item for item in walk(str(path)) if isinstance(item, Gap)]


def test_files_come_in_the_order_of_their_names(folder: Path) -> None:
    assert sources(folder) == ["Z.txt", "a.txt", "b/a.log", "b/z.log", "c/d/e.json"]


def test_a_relative_path_and_a_trailing_slash_change_nothing(folder: Path) -> None:
    with contextlib.chdir(folder.parent):
        found = [item.source for item in walk("handed-in/")]
    assert found == sources(folder)


def test_each_opening_starts_at_the_beginning(folder: Path) -> None:
    (item,) = walk(str(folder / "a.txt"))
    assert isinstance(item, Evidence)
    with item.open() as one, item.open() as other:
        assert (one.read(), other.read()) == (b"a.txt", b"a.txt")


def test_a_plain_file_can_be_read_from_its_end(folder: Path) -> None:
    (item,) = walk(str(folder / "a.txt"))
    assert isinstance(item, Evidence)
    with item.open() as reader:
        reader.seek(-3, os.SEEK_END)
        assert reader.read() == b"txt"


def test_one_file_is_named_by_its_last_part(folder: Path) -> None:
    assert [(item.source, item.size) for item in evidence(folder / "c/d/e.json")] == [
        ("e.json", 10)
    ]


def evidence(path: Path) -> Iterator[Evidence]:
    return (item for item in walk(str(path)) if isinstance(item, Evidence))


def content(item: Evidence) -> bytes:
    with item.open() as reader:
        return reader.read()


def test_compression_is_told_by_content_and_not_by_name(folder: Path) -> None:
    (folder / "a.txt").write_bytes(gzip.compress(b"inside"))
    (folder / "Z.txt").write_bytes(b"no gzip at all")
    (folder / "Z.txt").rename(folder / "z.gz")
    bodies = {item.source: content(item) for item in evidence(folder)}
    assert (bodies["a.txt"], bodies["z.gz"]) == (b"inside", b"no gzip at all")


def test_version_control_is_left_out(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (folder / ".hidden").write_text("x")
    assert sources(folder)[0] == ".hidden"


def test_what_does_not_exist_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SickbayError, match="absent cannot be read: No such file"):
        walk(str(tmp_path / "absent"))


def test_an_empty_file_in_a_folder_is_a_small_gap(folder: Path) -> None:
    (folder / "empty").touch()
    assert gaps(folder) == [Gap("empty", "empty", Reason.NOT_UNDERSTOOD)]


def test_an_empty_folder_was_meant_to_hold_something(tmp_path: Path) -> None:
    (tmp_path / "case" / "inside").mkdir(parents=True)
    told = [(gap.source, gap.what, gap.asked_for) for gap in gaps(tmp_path / "case")]
    assert told == [("case", "holds no file", True)]


def test_an_empty_file_alone_was_meant_to_hold_something(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert [(gap.what, gap.asked_for) for gap in gaps(tmp_path / "empty")] == [("empty", True)]


def test_a_file_that_is_gone_when_opened_is_told(folder: Path) -> None:
    told = []
    for item in walk(str(folder / "a.txt")):
        if isinstance(item, Gap):
            told.append(item.reason)
        else:
            (folder / "a.txt").unlink()
            assert item.open().read() == b""
    assert told == [Reason.UNREACHABLE]


@posix
def test_a_link_inside_does_not_show_its_target_twice(folder: Path) -> None:
    (folder / "0-link").symlink_to("a.txt")
    (folder / "0-folder").symlink_to("b")
    assert sources(folder) == ["Z.txt", "a.txt", "b/a.log", "b/z.log", "c/d/e.json"]
    assert gaps(folder) == []


@posix
def test_a_link_out_of_the_folder_is_refused(folder: Path) -> None:
    (folder.parent / "secret").write_text("x")
    (folder / "out").symlink_to("../secret")
    (gap,) = gaps(folder)
    assert (gap.source, gap.reason, gap.asked_for) == ("out", Reason.REFUSED, True)


@posix
def test_a_link_to_a_sibling_of_like_name_is_refused(folder: Path) -> None:
    (folder.parent / "handed-in-too").mkdir()
    (folder / "out").symlink_to("../handed-in-too")
    assert [gap.reason for gap in gaps(folder)] == [Reason.REFUSED]


@posix
@pytest.mark.parametrize("target", [".", "..", "loop", "nowhere"])
def test_loops_and_dead_links_end_the_walk_nowhere(folder: Path, target: str) -> None:
    (folder / "c" / "loop").symlink_to(target)
    assert [(gap.source, gap.reason) for gap in gaps(folder)] == [("c/loop", Reason.REFUSED)]


@posix
def test_a_folder_handed_in_as_a_link_is_followed(folder: Path) -> None:
    (folder.parent / "current").symlink_to(folder)
    assert sources(folder.parent / "current") == sources(folder)


@posix
def test_a_pipe_in_a_folder_is_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert [(gap.source, gap.reason) for gap in gaps(folder)] == [("pipe", Reason.REFUSED)]


@posix
def test_a_socket_in_a_folder_is_never_opened() -> None:
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{short}/s")
        assert [(gap.source, gap.reason) for gap in gaps(Path(short))] == [("s", Reason.REFUSED)]


@posix
def test_a_device_handed_in_is_one_clear_line() -> None:
    with pytest.raises(SickbayError, match="neither a file nor a folder"):
        walk("/dev/zero")


@posix
def test_a_pipe_handed_in_is_read_once_and_kept(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"hello",))
    writer.start()
    (item,) = walk(str(pipe))
    writer.join()
    assert isinstance(item, Evidence)
    assert content(item) == content(item) == b"hello"


@posix
def test_names_that_are_no_text_are_escaped(folder: Path) -> None:
    with open(os.fsencode(folder) + b"/\xff\n", "wb") as file:  # noqa: PTH123 - no str path
        file.write(b"x")
    assert "\\udcff\\n" in sources(folder)


@pytest.fixture
def locked() -> Iterator[Path]:
    """A folder of which parts are forbidden; to root nothing is, so root steps down meanwhile."""
    root = Path(tempfile.mkdtemp())
    for name in ("a.txt", "b/inner.txt", "c.txt"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("x")
    (root / "a.txt").chmod(0)
    (root / "b").chmod(0)
    root.chmod(0o755)
    steps_down = os.geteuid() == 0
    if steps_down:
        os.seteuid(NOBODY)
    yield root
    if steps_down:
        os.seteuid(0)
    (root / "b").chmod(0o700)
    shutil.rmtree(root)


@posix
def test_what_may_not_be_read_is_a_gap(locked: Path) -> None:
    assert gaps(locked) == [
        Gap(name, "may not be read", Reason.FORBIDDEN, "give yourself read access to it", True)
        for name in ("a.txt", "b")
    ]
    assert sources(locked) == ["c.txt"]


@posix
@pytest.mark.parametrize("name", ["a.txt", "b"])
def test_what_may_not_be_read_alone_is_one_clear_line(locked: Path, name: str) -> None:
    with pytest.raises(SickbayError, match="cannot be read: Permission denied"):
        walk(str(locked / name))


def test_a_plain_file_needs_no_archive_code(folder: Path) -> None:
    program = (
        "import sys; from sickbay.bundle.files import walk\n"
        f"[item.open().read() for item in walk({str(folder)!r})]\n"
        "slow = {'zipfile', 'tarfile', 'tempfile', 'hashlib', 'zstandard', 'lzma', 'pathlib'}\n"
        "sys.exit(sorted(slow & set(sys.modules)) or 0)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

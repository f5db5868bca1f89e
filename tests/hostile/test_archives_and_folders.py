"""Archives and folders that were made to do harm, or that a file system really holds."""

import gzip
import io
import os
import shutil
import socket
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard
from program import ERROR, diagnosed, sickbay  # type: ignore[import-not-found]

from sickbay.store import cache_folder

BOMB = 400 << 20
# Root may read everything: what is unreadable has to be tried as somebody else.
AS_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
DROPPED = AS_NOBODY if os.getuid() == 0 else ()
can_be_nobody: pytest.MarkDecorator = pytest.mark.skipif(
    bool(DROPPED) and shutil.which("setpriv") is None,
    reason="root reads everything, and there is no setpriv to become somebody else",
)


def tarball(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for member, data in members:
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


def zeros(pack: str) -> bytes:
    raw = gzip.compress(bytes(1 << 20), mtime=0) * (BOMB >> 20)
    if pack == "gz":
        return raw
    if pack == "zst":
        return zstandard.compress(bytes(1 << 20)) * (BOMB >> 20)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.gz", raw)
    return file.getvalue()


def copied_cache(folder: Path) -> Path:
    """The compiled catalogue, given to whom the run is done as."""
    sickbay("explain", stdin=b"x\n")
    copy = shutil.copytree(cache_folder(), folder / "cache")
    for path in (copy, *copy.iterdir()):
        os.chown(path, *((65534, 65534) if DROPPED else (-1, -1)))
    return copy


def test_members_that_point_elsewhere_are_refused_and_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "case" / "evil.tar"
    path.parent.mkdir()
    path.write_bytes(
        tarball(
            (member("../escaped.txt"), ERROR.encode()),
            (member("/tmp/escaped-sickbay.txt"), b"x"),  # noqa: S108 - it must not appear
            (member("link", tarfile.SYMTYPE, "/etc/passwd"), b""),
            (member("hard", tarfile.LNKTYPE, "../../etc/passwd"), b""),
            (member("device", tarfile.CHRTYPE), b""),
            (member("pipe", tarfile.FIFOTYPE), b""),
        )
    )
    ended = diagnosed(path)
    assert ended.code in {1, 3}
    assert "root:" not in ended.out
    assert os.listdir(tmp_path) == ["case"]  # noqa: PTH208
    assert not Path("/tmp/escaped-sickbay.txt").exists()  # noqa: S108


@pytest.mark.parametrize("pack", ["gz", "zst", "zip"])
def test_a_bomb_is_refused(pack: str, tmp_path: Path) -> None:
    path = tmp_path / f"bomb.{pack}"
    path.write_bytes(zeros(pack))
    ended = diagnosed(path)
    assert ended.code == 3
    assert ended.report["gaps"]


def test_members_of_one_name_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "twice.tar"
    fine = b"all is well\n"
    path.write_bytes(tarball((member("a.log"), fine), (member("a.log"), ERROR.encode())))
    assert diagnosed(path).rules == ["aks.subnet_full"]


def test_pipes_sockets_and_links_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "out").symlink_to("/etc/passwd")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "self").symlink_to(".")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))
        ended = diagnosed(tmp_path)
    assert ended.code == 3
    assert ended.reasons == {"refused"}
    assert "root:" not in ended.out


def test_strange_file_names_are_shown_safely(tmp_path: Path) -> None:
    for name in ("a\nb.log", "n" * 250, "\x1b[2J.log", "<script>x</script>.log", "ü\u202e.log"):
        (tmp_path / name.replace("/", "_")).write_text(ERROR)
    (tmp_path / os.fsdecode(b"\xff\xfe.log")).write_text(ERROR)
    for form in ("text", "json", "html", "markdown", "sarif", "junit", "yaml"):
        ended = sickbay("diagnose", "--from", tmp_path, "-o", form)
        assert ended.code == 1
        assert "\x1b" not in ended.out
        # Markdown shows what stands between backticks as it is.
        shown = ended.out.replace("`<script>x", "") if form == "markdown" else ended.out
        assert "<script>x" not in shown or form in {"text", "json", "yaml", "sarif"}


@can_be_nobody
def test_what_may_not_be_read_is_a_gap(tmp_path: Path) -> None:
    for folder in (tmp_path, *list(tmp_path.parents)[:-2]):
        os.chmod(folder, folder.stat().st_mode | stat.S_IROTH | stat.S_IXOTH)  # noqa: PTH101
    case = tmp_path / "case"
    case.mkdir(mode=0o755)
    (case / "fine.log").write_text("all is well\n")
    (case / "secret.log").write_text(ERROR)
    (case / "secret.log").chmod(0)
    (case / "locked").mkdir(mode=0)
    before = ("env", f"SICKBAY_CACHE={copied_cache(tmp_path)}", *DROPPED)
    ended = sickbay("diagnose", "--from", case, "-o", "json", before=before)
    (case / "locked").chmod(0o700)
    assert ended.code == 3
    assert ended.reasons == {"forbidden"}


@can_be_nobody
def test_a_bundle_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    log = tmp_path / "fine.log"
    log.write_text(ERROR)
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    ended = sickbay("collect", "--from", log, "--to", locked / "case.sickbay", before=DROPPED)
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1
    assert list(locked.iterdir()) == []


@pytest.mark.parametrize("to", ["no/such/folder/case.sickbay", "folder"])
def test_a_place_that_is_none_is_one_clear_line(to: str, tmp_path: Path) -> None:
    log = tmp_path / "fine.log"
    log.write_text(ERROR)
    (tmp_path / "folder").mkdir()
    ended = sickbay("collect", "--from", log, "--to", tmp_path / to, "--force")
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fine.log", "folder"]

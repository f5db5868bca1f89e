"""The processes of a test cluster: started with a mark, found by it, ended and waited for."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.cluster.layout import MARK, Layout

_PATIENCE = 60.0


def start(layout: Layout, name: str, command: Sequence[str], log_to: Path | None = None) -> int:
    """Start a program that outlives us, with its output in a log."""
    with (log_to or layout.logs / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=os.environ | layout.mark,
        )
    # It is nobody's child to wait for: whether it lives is seen in the process table.
    process.returncode = 0
    (layout.state / "pids").mkdir(exist_ok=True)
    (layout.state / "pids" / name).write_text(str(process.pid))
    return process.pid


def pid_of(layout: Layout, name: str) -> int:
    return int((layout.state / "pids" / name).read_text())


def stop(layout: Layout, name: str, patience: float = 10.0) -> None:
    """End one program of the cluster, and return when it is gone."""
    pid = pid_of(layout, name)
    for number in (signal.SIGTERM, signal.SIGKILL):
        _signal(pid, number)
        if _gone([pid], patience):
            return


def end_all(layout: Layout) -> None:
    """End every process of the cluster, containers included, also those that no file tells of."""
    # Nothing of it is kept, so nothing is ended with care. Some may start others meanwhile.
    for _ in range(5):
        left = sorted(members(layout))
        for pid in left:
            _signal(pid, signal.SIGKILL)
        if _gone(left, 10.0) and not list(members(layout)):
            return


def members(layout: Layout) -> Iterator[int]:
    """The processes that carry the cluster's mark, or live in a control group of its nodes."""
    mark = f"{MARK}={layout.state}".encode()
    group = f":/{layout.bridge}-node"
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            marked = mark in (entry / "environ").read_bytes().split(b"\0")
            if marked or group in (entry / "cgroup").read_text():
                yield int(entry.name)
        except (OSError, UnicodeDecodeError):
            continue  # gone meanwhile


def is_alive(pid: int) -> bool:
    """Whether a process still runs; one that has ended and waits to be collected does not."""
    try:
        _collect(pid)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for(what: str, is_there: Callable[[], bool], patience: float = _PATIENCE) -> None:
    """Return when something is there; say what it was when it does not come."""
    end = time.monotonic() + patience
    while not is_there():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {patience:.0f} s in vain: {what}")
        time.sleep(0.1)


def succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _gone(pids: Sequence[int], patience: float) -> bool:
    end = time.monotonic() + patience
    while any(is_alive(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def _collect(pid: int) -> None:
    """Take the exit code of a child of ours, so that it leaves the process table."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return

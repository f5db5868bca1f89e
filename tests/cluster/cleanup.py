"""Takes away all that a test cluster has made, found by name: also after a crash."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.cluster import processes
from tests.cluster.layout import MOST, Layout

_GROUPS = Path("/sys/fs/cgroup")
OWNER = "owner"


def remove(layout: Layout) -> None:
    """Leave nothing of the cluster: processes, mounts, namespaces, links, control groups, files."""
    processes.end_all(layout)
    for mount in _mounts_below(str(layout.state)):
        _quietly("umount", "-l", mount)
    for name in _names(("ip", "netns", "list"), f"{layout.bridge}-"):
        _quietly("ip", "netns", "del", name)
    for link in _names(("ip", "-o", "-br", "link", "show"), f"sb{layout.number}n"):
        _quietly("ip", "link", "del", link.partition("@")[0])
    _quietly("ip", "link", "del", layout.bridge)
    _remove_groups(layout)
    shutil.rmtree(layout.state, ignore_errors=True)


def remove_orphans() -> None:
    """Take away the clusters whose owner was killed before it could do so."""
    for layout in map(Layout, range(MOST)):
        owner = layout.state / OWNER
        if owner.exists() and not _lives(owner.read_text()):
            remove(layout)


def leftovers(layout: Layout) -> list[str]:
    """What is still there of a cluster; nothing after it was removed."""
    return [
        *(f"process {pid}" for pid in processes.members(layout)),
        *(f"mount {mount}" for mount in _mounts_below(str(layout.state))),
        *(f"namespace {name}" for name in _names(("ip", "netns", "list"), f"{layout.bridge}-")),
        *(f"link {name}" for name in _names(("ip", "-o", "-br", "link"), f"sb{layout.number}n")),
        *(f"link {name}" for name in _names(("ip", "-o", "-br", "link"), layout.bridge)),
        *(f"group {path}" for path in _groups(layout)),
        *(["files"] if layout.state.exists() else []),
    ]


def signature(pid: int) -> str:
    """A process and when it began, so that its number alone is not taken for it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return f"{pid} {fields[19]}"


def _lives(owner: str) -> bool:
    try:
        return signature(int(owner.split(maxsplit=1)[0])) == owner.strip()
    except (OSError, ValueError, IndexError):
        return False


def _mounts_below(folder: str) -> list[str]:
    points = (line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines())
    return sorted((p for p in points if p.startswith(f"{folder}/")), reverse=True)


def _names(command: tuple[str, ...], start: str) -> list[str]:
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    firsts = (line.split()[0] for line in listed.splitlines() if line.strip())
    return [name for name in firsts if name.startswith(start)]


def _groups(layout: Layout) -> Iterator[Path]:
    yield from _GROUPS.glob(f"{layout.bridge}-node*")
    yield from _GROUPS.glob(f"*/{layout.bridge}-node*")


def _remove_groups(layout: Layout) -> None:
    # The kernel lets go of a group a moment after the last process in it has ended.
    for _ in range(20):
        for root in list(_groups(layout)):
            # Kubelets and the kernel remove groups meanwhile: a walk must bear that they vanish.
            for folder, _, _ in os.walk(root, topdown=False):
                with suppress(OSError):
                    os.rmdir(folder)  # noqa: PTH106 - os.walk gives names
        if not list(_groups(layout)):
            return
        time.sleep(0.1)


def _quietly(*command: str) -> None:
    subprocess.run(command, capture_output=True, check=False)

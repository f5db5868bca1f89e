"""What takes long to get is got once for this machine, by one of the processes that want it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def cache() -> Path:
    """A folder outside the checkout for what was built or installed."""
    root = os.environ.get("SICKBAY_BUILD_CACHE") or Path.home() / ".cache" / "sickbay-build"
    return Path(root)


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Wait until no other process does this, and keep others from doing it meanwhile."""
    folder = cache()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("wb") as held:
        _lock(held)
        yield


def install(packages: Sequence[str]) -> None:
    """Install Debian packages; the lists of a new machine are empty, or old."""
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with alone("packages"):
        for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            command = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=600", *words]
            done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)}: {done.stderr[-2000:]}")


def construct(command: Sequence[str], where: Path, settings: Mapping[str, str]) -> None:
    """Run a compiler, which steps back for whatever else the machine does meanwhile."""
    environment = {**os.environ, "CGO_ENABLED": "0", **settings}
    subprocess.run(["nice", "-n", "19", *command], cwd=where, env=environment, check=True)


def absent(commands: Sequence[str]) -> list[str]:
    """The programs that are not here; some lie where only root looks for them."""
    places = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))
    return [name for name in commands if shutil.which(name, path=places) is None]


def _lock(held: BinaryIO) -> None:
    """Wait for the file; the system lets it go with the process, however that ends."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(held.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX)

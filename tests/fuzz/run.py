"""Runs every fuzz target for a share of the time, each in a process of its own.

A target is a file `fuzz_*.py` with `one_input(data)`, which raises when something that must hold
does not, and `seeds()`. Atheris looks for inputs where it is installed; elsewhere seeded random
mutations do. One target for a minute: `python tests/fuzz/run.py --target fuzz_unwrap --seconds 60`.
"""

import argparse
import importlib
import importlib.util
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NoReturn, Protocol

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LONGEST_INPUT = 16_384
LONGEST_RUN = 10
MOST_MEMORY_MB = 2_048
# Loading and instrumenting the code takes part of a target's time, never all of it.
LEAST_SECONDS = 3.0
PATIENCE = 120
LAST_INPUT = "last-input"
MOST_SHARED_SEEDS = 60
LARGEST_SEED = 4_096
SEED = 20_260_101


class Target(Protocol):
    """What a file `fuzz_*.py` offers."""

    def one_input(self, data: bytes) -> None: ...
    def seeds(self) -> list[bytes]: ...


def main() -> int:
    """Run all targets, or be the process of one of them."""
    parser = argparse.ArgumentParser(description="Fuzz what reads hostile input.")
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--target", action="append", help="only this one, such as fuzz_unwrap")
    parser.add_argument("--corpus", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.corpus:
        _hunt(args.target[0], args.seconds, Path(args.corpus))
    targets = args.target or sorted(path.stem for path in HERE.glob("fuzz_*.py"))
    crashed = [name for name in targets if not _holds(name, args.seconds / len(targets))]
    return 1 if crashed else 0


def _holds(name: str, seconds: float) -> bool:
    """Run one target in a process, say in a line what came of it, and keep what broke it."""
    folder = Path(tempfile.mkdtemp(prefix=f"sickbay-{name}-"))
    start = time.monotonic()
    command = [sys.executable, __file__, "--target", name, "--seconds", str(seconds)]
    log = folder / "log"
    with log.open("wb") as output:
        child = subprocess.Popen(
            [*command, "--corpus", str(folder)], stdout=output, stderr=output, cwd=ROOT
        )
        try:
            code = child.wait(seconds + PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            code = -1
    said = log.read_text(errors="replace")
    if code:
        print(f"{name:18} FAILED, exit {code}; reproduce with {_reproducer(folder)}")  # noqa: T201
        print("    " + "\n    ".join(_telling(said)))  # noqa: T201
        return False
    runs = re.findall(r"(?m)^(?:#|Done )(\d+)", said)
    took = time.monotonic() - start
    print(f"{name:18} ok, {runs[-1] if runs else 'no'} inputs in {took:.0f} s", flush=True)  # noqa: T201
    _remove(folder)
    return True


def _reproducer(folder: Path) -> Path:
    """The input that broke the target; the log alone if it broke before any input."""
    found = [path for path in folder.iterdir() if re.match(r"(crash|timeout|oom|slow)-", path.name)]
    last = folder / LAST_INPUT
    return next(iter(sorted(found)), last if last.exists() else folder / "log")


def _telling(said: str) -> list[str]:
    """The end of the Python traceback, or of the log."""
    lines = [line for line in said.splitlines() if line.strip()]
    last = max((at for at, line in enumerate(lines) if "Error" in line), default=len(lines) - 1)
    return lines[max(0, last - 8) : last + 1]


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


def _hunt(name: str, seconds: float, folder: Path) -> NoReturn:
    """Look for an input that breaks a target, until the time is over."""
    sys.path.insert(0, str(HERE))
    end = time.monotonic() + seconds
    if importlib.util.find_spec("atheris") is None:
        _mutate(importlib.import_module(name), end, folder)
    import atheris

    with atheris.instrument_imports(include=["sickbay.bundle"]):
        target = importlib.import_module(name)
        # A first round loads what is imported late, so that it is instrumented as well.
        for data in target.seeds():
            target.one_input(data)
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, data in enumerate([*target.seeds(), *_shared_seeds()]):
        (corpus / f"{number:05}").write_bytes(data[:LONGEST_INPUT])
    options = [
        f"-max_total_time={int(max(LEAST_SECONDS, end - time.monotonic()))}",
        f"-artifact_prefix={folder}/",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={LONGEST_RUN}",
        f"-rss_limit_mb={MOST_MEMORY_MB}",
        "-use_value_profile=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], target.one_input)
    atheris.Fuzz()
    sys.exit(0)


def _mutate(target: Any, end: float, folder: Path) -> NoReturn:
    """Damage the seeds at random, the same way in every run."""
    dice = random.Random(SEED)  # noqa: S311 - no secret depends on it
    pool = [data[:LONGEST_INPUT] for data in (*target.seeds(), *_shared_seeds())]
    count = 0
    end = max(end, time.monotonic() + LEAST_SECONDS)
    while time.monotonic() < end:
        data = pool[count] if count < len(pool) else _damaged(dice.choice(pool), pool, dice)
        (folder / LAST_INPUT).write_bytes(data)
        target.one_input(data)
        count += 1
    print(f"Done {count}")  # noqa: T201
    sys.exit(0)


def _damaged(data: bytes, pool: list[bytes], dice: random.Random) -> bytes:
    for _ in range(dice.randint(1, 4)):
        start = dice.randint(0, len(data))
        end = min(len(data), start + dice.randint(0, 64))
        other = dice.choice(pool)
        cut = dice.randint(0, len(other))
        instead = dice.choice((b"", dice.randbytes(dice.randint(1, 8)), other[cut : cut + 64]))
        data = data[:start] + instead + data[end:]
    return data[:LONGEST_INPUT]


def _shared_seeds() -> list[bytes]:
    """Evidence of the incidents, and some of the texts that rules are proven with."""
    from sickbay.store import open_rules

    files = sorted((ROOT / "tests" / "incidents").glob("*/evidence/**/*"))
    evidence = [path.read_bytes() for path in files if path.is_file()]
    samples = [one.sample.encode() for one in open_rules().catalog.signatures()]
    small = [data for data in (*evidence, *samples) if len(data) <= LARGEST_SEED]
    return small[:: len(small) // MOST_SHARED_SEEDS + 1]


if __name__ == "__main__":
    sys.exit(main())

"""Measures commands: interleaved repetitions, each in a fresh process, with its time and memory."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Usage(NamedTuple):
    """What one run of a command took."""

    seconds: float
    cpu: float
    megabytes: float
    output: str


def run(argv: Sequence[str]) -> Usage:
    """Run a command to its end; a failure of it is ours."""
    start = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(argv[:4])} … failed with {process.returncode}")
    return Usage(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def interleaved(commands: Mapping[str, Sequence[str]], repeats: int) -> dict[str, Usage]:
    """The best run of each command; they take turns, so that a busy machine slows all of them."""
    runs: dict[str, list[Usage]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, argv in commands.items():
            runs[name].append(run(argv))
    return {name: best(many) for name, many in runs.items()}


def best(runs: Sequence[Usage]) -> Usage:
    """The least of everything that was measured."""
    return Usage(
        min(one.seconds for one in runs),
        min(one.cpu for one in runs),
        max(one.megabytes for one in runs),
        runs[0].output,
    )


def verdict(name: str, value: float, bar: float | None) -> bool:
    """Print a ratio against its bar, if it has one, and say whether it holds."""
    if bar is None:
        print(f"{name:44} {value:7.2f} x")
        return True
    holds = value >= bar
    print(f"{name:44} {value:7.2f} x   bar {bar:.1f} x   {'ok' if holds else 'MISSED'}")
    return holds

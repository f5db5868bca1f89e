"""The program in a process of its own, as hostile input meets it, and what must always hold."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ERROR = "Code: SubnetIsFull Message: Subnet nodes has no free addresses left.\n"
# Long: a giant is read beside the tests of real clusters, which go first.
PATIENCE = 290
EXITS = frozenset((0, 1, 2, 3))

only_under_test_all: pytest.MarkDecorator = pytest.mark.skipif(
    os.environ.get("SICKBAY_TEST_ALL") != "1",
    reason="takes gigabytes or minutes; set SICKBAY_TEST_ALL=1 to run it",
)


class Ended(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str
    # Of the processor: how busy the machine is with other things does not count.
    seconds: float

    @property
    def report(self) -> Any:
        return json.loads(self.out)

    @property
    def reasons(self) -> set[str]:
        return {gap["reason"] for gap in self.report["gaps"]}

    @property
    def rules(self) -> list[str]:
        return [cause["rule"] for cause in self.report["causes"]]


def sickbay(*words: str | Path, stdin: bytes | Path = b"", before: tuple[str, ...] = ()) -> Ended:
    """Run it; whatever it was given, it ends, says no more than a line, and shows no traceback."""
    command = [*before, sys.executable, "-m", "sickbay", *map(str, words)]
    begin = _spent()
    with tempfile.TemporaryFile() if isinstance(stdin, bytes) else stdin.open("rb") as given:
        if isinstance(stdin, bytes):
            given.write(stdin)
            given.seek(0)
        done = subprocess.run(
            command, stdin=given, capture_output=True, check=False, timeout=PATIENCE
        )
    out, err = done.stdout.decode(), done.stderr.decode()
    ended = Ended(done.returncode, out, err, _spent() - begin)
    assert ended.code in EXITS, ended.err
    assert "Traceback" not in ended.err
    return ended


def _spent() -> float:
    """The processor time of all programs that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def diagnosed(path: str | Path) -> Ended:
    """Diagnose saved evidence, as JSON."""
    return sickbay("diagnose", "--from", path, "-o", "json")


def explained(data: bytes) -> Ended:
    """Explain what comes in by standard input, as JSON."""
    return sickbay("explain", "-o", "json", stdin=data)


def peak_mb(*words: str | Path, stdin: Path | None = None) -> float:
    """The most memory that a run held, in MB."""
    command = [sys.executable, "-c", _MEASURE, sys.executable, "-m", "sickbay", *map(str, words)]
    with (stdin or Path(os.devnull)).open("rb") as given:
        done = subprocess.run(command, stdin=given, capture_output=True, check=True, timeout=1400)
    return float(done.stdout) / 1024


_MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
assert code in (0, 1, 3), code
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

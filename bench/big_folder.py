"""Times a diagnosis of a folder of 1.2 GB against a bare decode of the same files.

Run it with `python -m bench.big_folder`; the folders are made once, under `bench/data/`.
"""

import argparse
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "bench" / "data"
COMMAND = f"{shlex.quote(sys.executable)} -m sickbay diagnose --from {{folder}} -o json"
DECODE = """
import sys, orjson
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        orjson.loads(file.read())
"""
NODES, PODS, EVENTS = 5_000, 150_000, 300_000
SMALLER = 10
ANSWERS = (0, 1, 3)  # looked: healthy, sick, could not look everywhere
MOST_RATIO = 1.0
MOST_MEMORY = 1e9
LEAST_GROWTH, MOST_GROWTH = 7.0, 13.0


class Run(NamedTuple):
    seconds: float
    peak: int


class Bar(NamedTuple):
    says: str
    holds: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a twentieth of the size, not judged")
    parser.add_argument("--command", default=COMMAND, help="what to time; {folder} is filled in")
    parser.add_argument("--rounds", type=int, default=3, help="how often; the best counts")
    given = parser.parse_args()
    share = 20 if given.small else 1
    big, tenth, tiny = (_folder(part) for part in (share, share * SMALLER, NODES))
    jobs = {
        "decode": [sys.executable, "-c", DECODE, *map(str, sorted(big.glob("*.json")))],
        "diagnose": _filled(given.command, big),
        "a tenth": _filled(given.command, tenth),
        "start": _filled(given.command, tiny),
    }
    best = _measured(jobs, given.rounds)
    bars = _report(best, sum(file.stat().st_size for file in big.glob("*.json")))
    return 0 if given.small or all(bar.holds for bar in bars) else 1


def _folder(share: int) -> Path:
    """The estate of 1/share of the full size, written anew when its writer has changed."""
    scale = [str(max(1, whole // share)) for whole in (NODES, PODS, EVENTS)]
    folder = DATA / f"estate-{scale[0]}"
    stamp = DATA / f"estate-{scale[0]}.stamp"
    mark = _fingerprint(scale)
    if stamp.exists() and stamp.read_text(encoding="ascii") == mark:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    print(f"writing {folder.relative_to(ROOT)} ...", flush=True)
    command = [sys.executable, "-m", "bench.estate", *scale, str(folder)]
    subprocess.run(command, check=True, cwd=ROOT)
    stamp.write_text(mark, encoding="ascii")
    return folder


def _fingerprint(scale: Sequence[str]) -> str:
    digest = hashlib.sha256(" ".join(scale).encode())
    for source in sorted(ROOT.glob("bench/estate*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _filled(command: str, folder: Path) -> list[str]:
    return [word.replace("{folder}", str(folder)) for word in shlex.split(command)]


def _measured(jobs: dict[str, list[str]], rounds: int) -> dict[str, Run]:
    """The best time and the highest peak of each job, all of them in turn in each round."""
    runs: dict[str, list[Run]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, command in jobs.items():
            run = _run(command)
            runs[name].append(run)
            print(f"  {name:10} {run.seconds:8.2f} s {run.peak / 1e6:8.0f} MB", flush=True)
    return {
        name: Run(min(run.seconds for run in some), max(run.peak for run in some))
        for name, some in runs.items()
    }


def _run(command: list[str]) -> Run:
    with tempfile.TemporaryFile() as complaints:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            cwd=ROOT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in ANSWERS:
            complaints.seek(0)
            said = complaints.read()[-2000:].decode(errors="replace")
            sys.exit(f"{shlex.join(command[:6])} ... gave {process.returncode}\n{said}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(seconds, usage.ru_maxrss * unit)


def _report(best: dict[str, Run], size: int) -> list[Bar]:
    decode, diagnose, start = best["decode"], best["diagnose"], best["start"]
    ratio = diagnose.seconds / decode.seconds
    rest = max(best["a tenth"].seconds - start.seconds, 1e-3)
    growth = (diagnose.seconds - start.seconds) / rest
    print(f"\n{size / 1e6:,.0f} MB of evidence; best of each, peaks are the highest")
    for name, run in best.items():
        print(f"{name:10} {run.seconds:8.2f} s {run.peak / 1e6:8.0f} MB")
    bars = [
        Bar(f"diagnose / decode = {ratio:.2f} (at most {MOST_RATIO})", ratio <= MOST_RATIO),
        Bar(f"peak = {diagnose.peak / 1e6:.0f} MB (below 1000)", diagnose.peak < MOST_MEMORY),
        Bar(
            f"ten times the evidence takes {growth:.1f} times as long (7 to 13)",
            LEAST_GROWTH <= growth <= MOST_GROWTH,
        ),
    ]
    for bar in bars:
        print(f"{'ok  ' if bar.holds else 'MISS'} {bar.says}")
    return bars


if __name__ == "__main__":
    sys.exit(main())

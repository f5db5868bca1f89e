"""Start-up: `--version` and `explain` of a 50-line text, against `python -c pass`, also with 600 rules more.

Ours is installed as a user has it. A checkout, whose rules may be edited at any time, asks each of
its rule files for its time in every run; that is shown too. What counts is the time that passes; where others work on the machine, the processor's says more.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

REPEATS = 21
BARS = {"--version": 2.0, "explain": 5.0}
RULE = """from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="Synthetic fault number {n}",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"synthetic component {n} stopped with code (?P<code>\\\\d+)",
            says="component {n} stopped with {{code}}",
            sample="synthetic component {n} stopped with code 7",
            near_miss="synthetic component {n} started",
        ),
    ),
    why="It is made up.",
    remedy=(Step("Nothing."),),
    docs=("https://example.com",),
)
"""


def text() -> str:
    """Fifty lines such as a user pastes: a log, and an error near its end."""
    lines = [
        f'I1116 10:00:{n:02d}.000000       1 reconciler.go:{n}] "Reconciled" pod="shop/web-{n}"'
        for n in range(48)
    ]
    lines += [
        "Code: SubnetIsFull",
        "Message: Subnet nodes with address prefix 10.1.0.0/24 does not have enough capacity for 3 IP addresses.",
    ]
    return "\n".join(lines) + "\n"


class Spent(NamedTuple):
    """What a command took, in milliseconds: by the clock, and of the processor."""

    clock: float = float("inf")
    processor: float = float("inf")


class Command(NamedTuple):
    words: list[str]
    env: dict[str, str]


def best(commands: dict[str, Command]) -> dict[str, Spent]:
    """The best times of each command, interleaved."""
    times = dict.fromkeys(commands, Spent())
    for _ in range(REPEATS):
        for name, command in commands.items():
            times[name] = Spent(*map(min, times[name], _run(command)))
    return times


def _run(command: Command) -> Spent:
    start = time.perf_counter()
    process = subprocess.Popen(
        command.words, env=command.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    clock = (time.perf_counter() - start) * 1000
    process.returncode = os.waitstatus_to_exitcode(status)
    return Spent(clock, (used.ru_utime + used.ru_stime) * 1000)


def install(site: Path) -> str:
    """Put a copy of this project where packages are, and return its program."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    root = Path(__file__).resolve().parent.parent
    subprocess.run([*pip, "--no-deps", "--target", str(site), str(root)], check=True)
    return str(site / "bin" / "sickbay")


def commands_in(folder: str) -> dict[str, Command]:
    """What is measured, with all that it needs in a folder."""
    pasted, more, site = (
        Path(folder, "error.txt"),
        Path(folder, "more"),
        Path(folder, "site-packages"),
    )
    pasted.write_text(text())
    (more / "synthetic").mkdir(parents=True)
    for n in range(600):
        (more / "synthetic" / f"fault_{n}.py").write_text(RULE.format(n=n))
    env = {**os.environ, "SICKBAY_CACHE": folder}
    # An installed package has its bytecode; a checkout has it after the first run.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    there = {**env, "PYTHONPATH": str(site)}
    sickbay, explain = install(site), ["explain", str(pasted)]
    checkout = str(Path(sys.executable).with_name("sickbay"))
    return {
        "python -c pass": Command([sys.executable, "-c", "pass"], there),
        "--version": Command([sickbay, "--version"], there),
        "explain": Command([sickbay, *explain], there),
        "explain +600": Command([sickbay, *explain, "--rules", str(more)], there),
        "of a checkout": Command([checkout, *explain], env),
    }


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        commands = commands_in(folder)
        # The second run finds the folders as the bytecode of the first left them.
        for command in (*commands.values(), *commands.values()):
            _run(command)
        times = best(commands)
    base = times["python -c pass"]
    failed = False
    for name, spent in times.items():
        bar = BARS.get(name.split()[0])
        ratio, of_processor = (mine / least for mine, least in zip(spent, base, strict=True))
        verdict = "" if bar is None else f"  bar {bar:.0f} x  {'ok' if ratio <= bar else 'MISSED'}"
        failed |= bar is not None and ratio > bar
        print(
            f"{name:16} {spent.clock:7.1f} ms  {ratio:5.2f} x{verdict}  (processor {of_processor:.2f} x)"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

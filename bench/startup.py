"""Start-up: `--version` and `explain` of a 50-line text, against `python -c pass`, also with 600 rules more.

What counts is the time that passes; where others work on the machine, the processor's says more.
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


def best(commands: dict[str, list[str]], env: dict[str, str]) -> dict[str, Spent]:
    """The best times of each command, interleaved."""
    times = dict.fromkeys(commands, Spent())
    for _ in range(REPEATS):
        for name, command in commands.items():
            times[name] = Spent(*map(min, times[name], _run(command, env)))
    return times


def _run(command: list[str], env: dict[str, str]) -> Spent:
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    clock = (time.perf_counter() - start) * 1000
    process.returncode = os.waitstatus_to_exitcode(status)
    return Spent(clock, (used.ru_utime + used.ru_stime) * 1000)


def main() -> int:
    sickbay = str(Path(sys.executable).with_name("sickbay"))
    with tempfile.TemporaryDirectory() as folder:
        pasted = Path(folder, "error.txt")
        pasted.write_text(text())
        more = Path(folder, "more", "synthetic")
        more.mkdir(parents=True)
        for n in range(600):
            (more / f"fault_{n}.py").write_text(RULE.format(n=n))
        extra = ["--rules", str(more.parent)]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "--version": [sickbay, "--version"],
            "explain": [sickbay, "explain", str(pasted)],
            "explain +600": [sickbay, "explain", str(pasted), *extra],
        }
        # An installed package has its bytecode; a checkout has it after the first run.
        env = {**os.environ, "SICKBAY_CACHE": folder}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        for command in commands.values():
            subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=False)
        times = best(commands, env)
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

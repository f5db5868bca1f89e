"""Explains every raw sample of the knowledge folder, if it is there.

No crash, sound JSON, the same answer in any order, and the right one: what is expected must stand in
the rule, title or reason of the first cause, never in what it quotes.
"""

import json
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from sickbay.app import Settings, diagnose_saved, explain_with
from sickbay.report.render import render
from sickbay.store import Rules, open_rules

SAMPLES = Path(__file__).parent.parent.parent / "shared" / "knowledge"
BAR = 0.97
HEALTHY = "healthy"


def files() -> list[Path]:
    folders = (SAMPLES / "samples", SAMPLES / "samples-hybrid")
    skip = {"index.jsonl", "README.md"}
    return sorted(
        p for folder in folders if folder.exists() for p in folder.iterdir() if p.name not in skip
    )


def main() -> int:
    found = files()
    if not found:
        print("the sample folder is not there: nothing measured")
        return 0
    rules = open_rules()
    start = time.perf_counter()
    for path in found:
        diagnosis = explain_with(rules, path.read_bytes(), path.name, Settings())
        json.loads(render(diagnosis, "json"))
        if diagnosis.crashed:
            print(f"{path.name}: {diagnosis.crashed}")
            return 1
    print(f"{len(found)} samples explained in {time.perf_counter() - start:.1f} s, none crashed")
    return int(not (is_right_enough(rules) and same_in_any_order(found)))


def is_right_enough(rules: Rules) -> bool:
    """Score the first cause of every sample, and list those that were not known."""
    rows = [
        (folder / row["file"], row["expect"])
        for folder in (SAMPLES / "samples", SAMPLES / "samples-hybrid")
        for row in map(json.loads, (folder / "index.jsonl").read_text("utf-8").splitlines())
    ]
    wrong = []
    for path, wanted in rows:
        told = first_cause(rules, path) or HEALTHY
        if not any(re.search(pattern, told, re.IGNORECASE) for pattern in wanted):
            wrong.append(f"  {path.name}: {told[:100]}")
    print(f"{len(rows) - len(wrong)} of {len(rows)} are right", *wrong, sep="\n")
    return len(wrong) <= (1 - BAR) * len(rows)


def first_cause(rules: Rules, path: Path) -> str:
    causes = explain_with(rules, path.read_bytes(), path.name, Settings()).causes
    return f"{causes[0].rule}: {causes[0].title}. {causes[0].why}" if causes else ""


def same_in_any_order(found: list[Path]) -> bool:
    """Diagnose all samples as one folder, written in two orders."""
    answers = set()
    for seed in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder, "all")
            target.mkdir()
            shuffled = found[:]
            random.Random(seed).shuffle(shuffled)
            for path in shuffled:
                shutil.copy(path, target / path.name)
            report = render(diagnose_saved(str(target), Settings()), "json")
            answers.add(report.replace(folder, ""))
    print("one answer in any order" if len(answers) == 1 else "the answer depends on the order")
    return len(answers) == 1


if __name__ == "__main__":
    sys.exit(main())

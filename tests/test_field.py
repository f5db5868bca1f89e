"""What people paste when they ask for help, and the first cause that must be named.

The words of the programs are real; names, ids and addresses are made up. `expect` is a rule, or
several where each would be right, or nothing where nothing above a note may be said.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

from sickbay.app import Settings, explain_with
from sickbay.model.finding import Severity
from sickbay.store import Rules

FOLDER = Path(__file__).parent / "field"


def reports() -> list[Any]:
    return [
        pytest.param(report["text"], report["expect"] or (), id=f"{path.stem}: {report['name']}")
        for path in sorted(FOLDER.glob("*.yaml"))
        for report in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("text", "expect"), reports())
def test_the_first_cause_is_right(rules: Rules, text: str, expect: str | list[str]) -> None:
    found = explain_with(rules, text.encode(), "stdin", Settings())
    above = [cause.rule for cause in found.causes if cause.severity is not Severity.INFO]
    wanted = [expect] if isinstance(expect, str) else list(expect)
    assert above[:1] == [] if not wanted else above[:1] and above[0] in wanted, above[:3]

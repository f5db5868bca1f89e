"""What must stay true of the code as a whole."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MOST_LINES = 400
MOST_LINES_OF_A_RULE = 130
# Slow to import, and not needed to explain a pasted text.
HEAVY = (
    "msgspec dataclasses logging pathlib inspect asyncio subprocess yaml jinja2 zstandard urllib "
    "importlib.metadata tarfile zipfile hashlib socket"
).split()


def modules_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has imported after some code."""
    script = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*(set(sys.modules) - before))"
    command = [sys.executable, "-c", script]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_version_imports_nothing_but_the_command_line() -> None:
    loaded = modules_after("from sickbay.cli.main import main\nmain(['--version'])")
    assert {name for name in loaded if name.startswith("sickbay.")} == {
        "sickbay.cli",
        "sickbay.cli.main",
    }
    assert not loaded & {"typing", "re", "argparse"}


def test_explaining_a_text_imports_nothing_slow(tmp_path: Path) -> None:
    text = tmp_path / "error.txt"
    text.write_text("Code: SubnetIsFull Message: Subnet nodes has no free addresses left\n")
    run = f"from sickbay.cli.main import main\nmain(['explain', {str(text)!r}, '-o', 'text'])"
    modules_after(run)  # the first run compiles the catalogue
    assert not modules_after(f"import os\n{run}") & set(HEAVY)


def test_explaining_a_text_imports_no_rule(tmp_path: Path) -> None:
    text = tmp_path / "error.txt"
    text.write_text("Code: SubnetIsFull Message: Subnet nodes has no free addresses left\n")
    run = f"from sickbay.cli.main import main\nmain(['explain', {str(text)!r}])"
    modules_after(run)
    loaded = modules_after(run)
    assert not [name for name in loaded if name.startswith("sickbay.rules.")]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_files_stay_small(path: Path) -> None:
    is_rule = "rules" in path.parts
    lines = len(path.read_text().splitlines())
    assert lines <= (MOST_LINES_OF_A_RULE if is_rule else MOST_LINES)


def test_broad_handlers_stand_only_where_they_are_meant_to() -> None:
    found = {p.name for p in SOURCES if re.search(r"except Exception\b", p.read_text())}
    assert found == {"evaluate.py", "main.py"}

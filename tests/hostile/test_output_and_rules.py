"""Evidence that tries to reach a terminal or a browser, outputs that fail, rules that explode."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import ERROR, sickbay  # type: ignore[import-not-found]

FORMATS = ("text", "json", "yaml", "markdown", "html", "junit", "sarif")
RULE = '''"""A rule of somebody's own."""
from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cart is down",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(Signature(pattern=r"PATTERN", says="x", sample="x", near_miss="y"),),
    why="It fell over.",
    remedy=(Step("Put it up."),),
    docs=("https://example.com",),
)
'''


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_lets_a_terminal_be_driven(form: str) -> None:
    evil = "no\x1b]0;owned\x07des\x1b[2J\x9b31m\u202e\x00"
    ended = sickbay("explain", "-o", form, stdin=ERROR.replace("nodes", evil).encode())
    assert not set(ended.out) & set("\x1b\x07\x9b\x00")
    assert ended.code == 1


@pytest.mark.parametrize("form", ["html", "junit"])
def test_no_format_lets_markup_through(form: str) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=y>\"'&]]>"
    ended = sickbay("explain", "-o", form, stdin=ERROR.replace("nodes", evil).encode())
    assert "<script>alert" not in ended.out
    assert "<img src=x" not in ended.out


def test_a_full_disk_under_the_output_is_one_clear_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sickbay", "explain"],
            input=ERROR.encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_a_run_that_is_stopped_leaves_only_its_output(tmp_path: Path) -> None:
    (tmp_path / "report.html").touch()
    log = tmp_path / "long.log"
    log.write_text(ERROR * 300_000)
    command = [sys.executable, "-m", "sickbay", "diagnose", "--from", str(log), "-o", "html"]
    with (tmp_path / "report.html").open("wb") as page:
        child = subprocess.Popen(command, stdout=page, stderr=subprocess.PIPE, cwd=tmp_path)
        time.sleep(0.8)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
    assert child.returncode in {130, 1, -signal.SIGINT}
    assert b"Traceback" not in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.log", "report.html"]


def shop(folder: Path, **patterns: str) -> Path:
    (folder / "shop").mkdir()
    for name, pattern in patterns.items():
        (folder / "shop" / f"{name}.py").write_text(RULE.replace("PATTERN", pattern))
    return folder


def test_patterns_that_explode_elsewhere_are_linear_here(tmp_path: Path) -> None:
    folder = shop(
        tmp_path, a="(cart+)+down$", b="(cart|cart)*down", c="(?:cart.*){12}down", d="(c.*)*cart$"
    )
    text = b"cart" * 100_000 + b" dow\n"
    ended = sickbay("explain", "--rules", folder, "-o", "json", stdin=text)
    assert ended.code in {0, 1}
    assert ended.seconds < 60


@pytest.mark.parametrize("pattern", ["(?=cart)down", "(cart)\\1", "(unclosed"])
def test_a_pattern_that_cannot_be_used_is_one_clear_line(pattern: str, tmp_path: Path) -> None:
    ended = sickbay("explain", "--rules", shop(tmp_path, cart_down=pattern), stdin=b"x\n")
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1

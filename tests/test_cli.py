"""The program as a user runs it: what it prints where, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sickbay import __version__

ERROR = "Code: SubnetIsFull Message: Subnet nodes has no free addresses left.\n"


def sickbay(
    *words: str, text: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    data = text.encode() if isinstance(text, str) else text
    command = [sys.executable, "-m", "sickbay", *words]
    environment = {**os.environ, **(env or {})}
    return subprocess.run(command, input=data, capture_output=True, check=False, env=environment)


def test_version_is_one_line() -> None:
    assert sickbay("--version").stdout.decode() == f"sickbay {__version__}\n"


@pytest.mark.parametrize(
    "command", ["explain", "diagnose", "reach", "collect", "rules", "lab", "demo"]
)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = sickbay(command, "--help")
    assert done.returncode == 0
    assert b"example" in done.stdout


def test_explain_reads_standard_input_and_finds_something_wrong() -> None:
    done = sickbay("explain", text=ERROR)
    assert done.returncode == 1
    assert done.stdout.startswith(b"SICK")
    assert done.stderr == b""


def test_json_is_the_result_and_nothing_else() -> None:
    done = sickbay("explain", "-", "-o", "json", text=ERROR)
    found = json.loads(done.stdout)
    assert found["schema"] == "sickbay.diagnosis/v1"
    assert found["causes"][0]["rule"] == "aks.subnet_full"


@pytest.mark.parametrize("form", ["text", "json", "yaml", "markdown", "html", "junit", "sarif"])
def test_every_format_is_the_same_byte_for_byte_when_run_again(form: str) -> None:
    first = sickbay("explain", "-o", form, text=ERROR, env={"PYTHONHASHSEED": "1"})
    again = sickbay("explain", "-o", form, text=ERROR, env={"PYTHONHASHSEED": "2"})
    assert first.stdout
    assert first.stdout == again.stdout


def test_a_clean_text_is_unknown_and_no_failure() -> None:
    done = sickbay("explain", "-o", "json", text="all is well in the shop today\n")
    assert done.returncode == 0
    assert json.loads(done.stdout)["health"] == "unknown"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("explain", "no-such-file.txt"), "cannot read no-such-file.txt"),
        (("explain", "."), "is a folder"),
        (("diagnose",), "--from"),
        (("diagnose", "--from", "no-such-folder"), "no-such-folder"),
        (("diagnose", "--from", ".", "--rules", "no-such-rules"), "no-such-rules"),
        (("rules", "show", "aks.subnet_ful"), "did you mean aks.subnet_full?"),
        (("rules", "new", "Not An Id"), "is no id"),
        (("rules", "test", "no-such-folder"), "is no folder"),
        (("collect",), "--from"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(
    words: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "sickbay", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", [("explain", "--no-such-flag"), ("no-such-command",), (), ("reach", "-o", "pdf")]
)
def test_usage_errors_are_one_line_and_exit_2(words: tuple[str, ...]) -> None:
    done = sickbay(*words)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert b"--help" in done.stderr


def test_a_closed_pipe_is_no_failure() -> None:
    line = f"{sys.executable} -m sickbay rules list | head -1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_escape_codes_in_evidence_do_not_reach_the_terminal() -> None:
    done = sickbay("explain", text=ERROR.replace("nodes", "no\x1b]0;owned\x07des\x1b[2J"))
    assert b"\x1b" not in done.stdout
    assert b"\x07" not in done.stdout


def test_a_secret_in_evidence_does_not_reach_the_report() -> None:
    text = ERROR.strip() + " Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0\n"
    for form in ("text", "json", "html", "sarif"):
        assert b"c2VjcmV0" not in sickbay("explain", "-o", form, text=text).stdout


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01\x02\xff" * 500,
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"\x1f\x8b\x08",
    ],
    ids=["empty", "binary", "bom", "brackets", "braces", "gzip head"],
)
def test_garbage_gives_a_report_and_no_traceback(data: bytes) -> None:
    done = sickbay("explain", "-o", "json", text=data)
    assert done.returncode in {0, 3}
    assert json.loads(done.stdout)["causes"] == []
    assert b"Traceback" not in done.stderr


def test_windows_text_is_read_like_any_other() -> None:
    done = sickbay("explain", "-o", "json", text=ERROR.replace("\n", "\r\n").encode("utf-16"))
    assert json.loads(done.stdout)["causes"][0]["rule"] == "aks.subnet_full"


def test_rules_of_ones_own_are_made_tested_and_used(tmp_path: Path) -> None:
    folder = str(tmp_path / "mine")
    assert sickbay("rules", "new", "shop.cart_down", "--to", folder).returncode == 0
    assert sickbay("rules", "test", folder).returncode == 0
    line = "W1116 10:00:00.000000 1 main.go:7] this pod is out of order since 2026-11-16\n"
    done = sickbay("explain", "--rules", folder, "-o", "json", text=line)
    assert json.loads(done.stdout)["causes"][0]["rule"] == "shop.cart_down"


def test_a_scaffold_does_not_replace_a_file(tmp_path: Path) -> None:
    sickbay("rules", "new", "shop.cart_down", "--to", str(tmp_path))
    done = sickbay("rules", "new", "shop.cart_down", "--to", str(tmp_path))
    assert done.returncode == 2
    assert b"is there already" in done.stderr


def test_a_rule_is_shown_without_the_signs_of_a_page() -> None:
    shown = sickbay("rules", "show", "network.egress_nsg_denies").stdout
    assert b"<rule>" in shown
    assert b"&lt;" not in shown

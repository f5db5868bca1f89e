import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.report.columns import width
from sickbay.report.shell import command_lines, join, literal, quote

WORDS = st.lists(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=120),
    min_size=1,
    max_size=6,
)
BASH = shutil.which("bash")


def pasted(lines: list[str]) -> list[str]:
    """What a shell makes of a command that was copied from the report."""
    assert BASH
    script = "printf '%s\\0' \\\n" + "\n".join(lines) + "\n"
    run = subprocess.run(
        [BASH, "--norc", "-s"],
        input=script.encode(),
        capture_output=True,
        check=True,
        env={"LC_ALL": "C.UTF-8"},
    )
    return run.stdout.decode().split("\0")[:-1]


def test_a_plain_word_needs_no_quotes() -> None:
    assert quote("--cluster-name=prod") == "--cluster-name=prod"


def test_a_placeholder_is_quoted_so_that_no_shell_redirects() -> None:
    assert quote("<pool>") == "'<pool>'"


def test_an_empty_word_stays_a_word() -> None:
    assert quote("") == "''"


def test_a_control_character_is_written_as_its_escape() -> None:
    assert quote("a\x1b[31m\n") == r"$'a\x1b[31m\x0a'"


def test_a_giant_word_is_shortened() -> None:
    assert len(quote("x" * 1_000_000)) < 1_000


def test_an_option_stays_with_its_value() -> None:
    command = "az aks nodepool upgrade -g production-rg --cluster-name production --name np1"
    assert command_lines(command, 7, 9) == [
        "az aks nodepool upgrade -g production-rg --cluster-name production \\",
        "         --name np1",
    ]


def test_a_word_longer_than_a_line_goes_on_in_the_first_column() -> None:
    id = "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/rg/providers/A/b/c"
    assert command_lines(f"az resource show --ids {id}", 4, 6) == [
        "az resource show --ids \\",
        "      /subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/rg/\\",
        "providers/A/b/c",
    ]


@pytest.mark.parametrize(
    ("command", "safe"),
    [
        ("kubectl get pods -n shop", "kubectl get pods -n shop"),
        ("kubectl get pods -n x;reboot", "kubectl get pods -n 'x;reboot'"),
        ("kubectl get pods -n $(reboot) | sh", "kubectl get pods -n '$(reboot)' '|' sh"),
        ('kubectl get pods -n "$(reboot)"', "kubectl get pods -n '$(reboot)'"),
        ("kubectl get pods -l 'a=b c'", "kubectl get pods -l 'a=b c'"),
        ("kubectl get pods -n it's", "kubectl get pods -n 'it'\"'\"'s'"),
        ("kubectl get pods -n a\u202eb", "kubectl get pods -n $'a\\u202eb'"),
        ("az vmss show -n <scale-set>", "az vmss show -n '<scale-set>'"),
    ],
)
def test_a_filled_command_does_only_what_its_words_say(command: str, safe: str) -> None:
    assert literal(command) == safe


@given(WORDS)
@settings(max_examples=150, deadline=None)
def test_no_line_of_a_command_is_wider_than_the_page(words: list[str]) -> None:
    first, *others = command_lines(join(words), 7, 9)
    assert max(map(width, [" " * 7 + first, *others])) <= 80


@pytest.mark.skipif(BASH is None, reason="there is no bash to paste into")
@given(WORDS)
@settings(max_examples=60, deadline=None)
def test_a_pasted_command_has_the_words_it_was_made_of(words: list[str]) -> None:
    assert pasted(command_lines(join(words), 7, 9)) == words


@pytest.mark.skipif(BASH is None, reason="there is no bash to paste into")
@pytest.mark.parametrize(
    "word",
    [
        "it's" * 60,
        "back\\slash" * 30,
        'say "x"' * 40,
        "$HOME `id` $(id) !!" * 20,
        "日本" * 90,
        "\x1b'\\" * 60,
    ],
)
def test_a_long_quoted_word_survives_the_line_breaks(word: str) -> None:
    assert pasted(command_lines(join(["echo", "-p", word, "end"]), 7, 9)) == [
        "echo",
        "-p",
        word,
        "end",
    ]

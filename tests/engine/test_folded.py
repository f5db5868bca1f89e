"""Texts that a console broke at its width, in the middle of words."""

from sickbay.engine.folded import unfolded

SENTENCE = (
    b"WARNING: cli.azext_connectedk8s._utils: The helm release 'azure-arc' is present but the "
    b"azure-arc namespace/configmap is missing. Please run 'helm delete azure-arc --no-hooks' to "
    b"clean up the release before onboarding the cluster again."
)


def broken(text: bytes, width: int) -> bytes:
    return b"\n".join(text[at : at + width] for at in range(0, len(text), width))


def test_lines_as_wide_as_the_screen_are_put_together() -> None:
    text = broken(SENTENCE, 87) + b"\nnext line"
    assert unfolded(text).decode().splitlines() == [SENTENCE.decode(), "next line"]


def test_one_full_line_goes_on_if_it_is_as_wide_as_a_console() -> None:
    assert unfolded(broken(SENTENCE[:150], 120)).decode().splitlines() == [SENTENCE[:150].decode()]


def test_one_long_line_alone_may_be_a_sentence() -> None:
    assert unfolded(broken(SENTENCE[:150], 113)) == b""


def test_short_lines_and_logs_are_left_alone() -> None:
    assert unfolded(broken(SENTENCE, 40)) == b""
    assert unfolded(broken(SENTENCE, 80) * 200) == b""


def test_what_is_indented_or_an_item_does_not_go_on() -> None:
    assert unfolded(b"x" * 80 + b"\n  at line 3\n" + b"y" * 80 + b"\n - Checking") == b""

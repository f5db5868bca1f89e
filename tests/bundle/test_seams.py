"""A text in parts: joined it is the same, and no secret lies across two parts."""

import pytest

from sickbay.bundle import redact
from sickbay.bundle.seams import parts

SIZE = 100_000
SECRET = "password=hunter2-Zq9xK4vT7mW1 "  # noqa: S105 - planted


def cut(text: str) -> list[str]:
    blocks = [text[at : at + 4_096].encode() for at in range(0, len(text), 4_096)]
    return [part.decode() for part in parts(blocks, SIZE, redact.text)]


def cleaned(text: str) -> str:
    return "".join(map(redact.text, cut(text)))


@pytest.mark.parametrize("end", [" ", "\n"], ids=["one line", "lines"])
def test_parts_joined_are_the_text(end: str) -> None:
    text = f"word{end}" * 100_000
    assert "".join(cut(text)) == text
    assert len(cut(text)) > 3


@pytest.mark.parametrize("end", [" ", "\n"], ids=["one line", "lines"])
def test_no_secret_survives_a_cut(end: str) -> None:
    text = f"{SECRET}{end}" * 20_000
    assert "hunter2" not in cleaned(text)
    assert "Zq9x" not in cleaned(text)


def test_a_key_of_many_lines_is_not_cut() -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkq\n" * 60
    text = f"{key}-----END PRIVATE KEY-----\nall is well\n" * 400
    assert "MIIE" not in cleaned(text)


def test_a_text_without_any_space_is_cut_all_the_same() -> None:
    text = "x" * 500_000
    assert "".join(cut(text)) == text
    assert max(map(len, cut(text))) < 3 * SIZE


def test_no_secret_survives_a_cut_in_a_document_without_spaces() -> None:
    assert "hunter2" not in cleaned('{"password":"hunter2-Zq9xK4vT7mW1"},' * 20_000)

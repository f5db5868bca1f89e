"""Texts that stand as a quotation in a mail or a post."""

import pytest

from sickbay.bundle.foreign.quoted import unquoted


def test_a_message_over_several_lines_is_whole_again() -> None:
    text = "It says:\n\n> Failed to allocate address: No available\n>   addresses\n\nAny idea?\n"
    assert "No available addresses" in " ".join(unquoted(text).split())


def test_every_line_keeps_its_number() -> None:
    assert unquoted("> a\n>\n> b\nc").splitlines() == ["a", "", "b", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "> shop.example.com\nServer: 10.0.0.10\n",
        "> GET /healthz HTTP/1.1\n> Host: shop.example.com\n> Accept: */*\n>\n< HTTP/1.1 503\n",
        "PS C:\\> kubectl get pods `\n>> -n shop `\n>> -o wide\n",
        "<a\n>b</a\n>",
    ],
)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert unquoted(text) == text

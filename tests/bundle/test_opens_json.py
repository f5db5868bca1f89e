"""A text in brackets is JSON, or the line of a log."""

import pytest

from sickbay.bundle.foreign.structured import _opens_json


@pytest.mark.parametrize("text", ['{"a": 1}', "{}", "[]", "[1, 2]", "[7]", "[\n  null\n]", '["a"]'])
def test_json_is_told_by_how_it_begins(text: str) -> None:
    assert _opens_json(text)


@pytest.mark.parametrize(
    "text",
    [
        "[09:12] Mira: still Failed",
        "[    3.212402] Kernel panic - not syncing",
        "[812311.110] nf_conntrack: table full",
        "[INFO] go",
    ],
)
def test_the_line_of_a_log_is_none(text: str) -> None:
    assert not _opens_json(text)

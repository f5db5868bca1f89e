"""Times as users write them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.cli.moments import before, moment_of
from sickbay.errors import SickbayError

TODAY = "2026-03-10T12:00:00Z"


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("90m", "2026-03-10T10:30:00Z"),
        ("2h", "2026-03-10T10:00:00Z"),
        ("3d", "2026-03-07T12:00:00Z"),
        ("1d6h", "2026-03-09T06:00:00Z"),
        ("2W", "2026-02-24T12:00:00Z"),
        ("2h ago", "2026-03-10T10:00:00Z"),
        (" 0m ", TODAY),
        ("2026-01-31", "2026-01-31T00:00:00Z"),
        ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z"),
        ("2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00Z"),
        ("2026-01-31 10:00", "2026-01-31T10:00:00Z"),
    ],
)
def test_a_time_is_ago_or_written_out(word: str, wanted: str) -> None:
    assert moment_of(word, TODAY) == wanted


@pytest.mark.parametrize(
    "word", ["", "yesterday", "-2h", "2", "2x", "h", "2026-13-01", "2h3", "99999w99999w", "1e9d"]
)
def test_what_is_no_time_is_told_with_what_would_be(word: str) -> None:
    with pytest.raises(SickbayError, match="use 90m, 2h, 3d"):
        moment_of(word, TODAY)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_time_or_one_clear_line(word: str) -> None:
    try:
        found = moment_of(word, TODAY)
    except SickbayError:
        return
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", found)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 999), st.sampled_from("mhdw")), min_size=1, max_size=4))
def test_a_longer_time_ago_is_never_later(steps: list[tuple[int, str]]) -> None:
    word = "".join(f"{number}{unit}" for number, unit in steps)
    assert moment_of(word + "1m", TODAY) < moment_of(word, TODAY) <= TODAY


def test_so_much_before_a_time_is_counted_back() -> None:
    assert before(TODAY, days=1) == "2026-03-09T12:00:00Z"

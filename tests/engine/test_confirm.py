"""What a pattern needs, and what it captures."""

import pytest

from sickbay.engine.confirm import Pattern, words_of
from sickbay.store import Rules


def test_what_a_pattern_needs_is_in_every_sample_of_the_catalogue(rules: Rules) -> None:
    for signature in rules.catalog.signatures():
        asked = Pattern(signature.pattern, words_of(signature.pattern))
        # Some match only what unwrapping makes of their sample.
        if asked.in_whole(signature.sample):
            assert asked.may_be_in(signature.sample.encode()), signature.pattern


def test_a_record_without_any_of_many_alternatives_is_not_looked_at() -> None:
    codes = "|".join(f"Fault{number}Code" for number in range(99))
    asked = Pattern(
        rf'(?:code": "|Code=")(?:{codes})', words_of(rf'(?:code": "|Code=")(?:{codes})')
    )
    assert asked.may_be_in(b'"code": "Fault98Code"')
    assert not asked.may_be_in(b'"code": "SomethingElse"')


def test_an_alternative_that_needs_no_word_leaves_nothing_out() -> None:
    some = "|".join(f"fault{number}" for number in range(99))
    asked = Pattern(rf"failed with (?:{some}|\d+)", words_of(rf"failed with (?:{some}|\d+)"))
    assert asked.may_be_in(b"it failed with 7")


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("named (?P<name>.{1,3})", "named äöü", "ä"),
        ("named (?P<name>[äö]+)", "named öä", "öä"),
        (r"named (?P<name>[^\x00-\x7f]{2})", "named öü", "öü"),
    ],
)
def test_other_characters_than_those_of_ascii_stay_whole(
    pattern: str, text: str, found: str
) -> None:
    confirmed = Pattern(pattern).in_whole(text)
    assert confirmed is not None
    assert dict(confirmed.facts)["name"] == found

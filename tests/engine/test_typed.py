"""Patterns as somebody types their texts: without quotes, and without regard to case."""

import re

from sickbay.engine.typed import lenient


def test_a_name_is_found_without_its_quotes() -> None:
    pattern = lenient(r'cluster "(?P<name>[^"]{1,120})" does not exist')
    found = re.search(pattern, "Cluster prod does not exist")
    assert found is not None
    assert found["name"] == "prod"


def test_a_name_without_quotes_does_not_run_on_to_other_words() -> None:
    pattern = lenient(r'(?:cluster|user) "[^"]{1,120}" does not exist')
    assert re.search(pattern, "if the user may, install Helm if it does not exist") is None

"""What tests share: the catalogue, compiled once for a run."""

import os
from pathlib import Path

import pytest

from sickbay.store import Rules, open_rules

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def rules() -> Rules:
    return open_rules()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under SICKBAY_TEST_ALL nothing may be skipped: a skip is turned into a failure."""
    if os.environ.get("SICKBAY_TEST_ALL") == "1":
        for item in items:
            for mark in list(item.iter_markers("skipif")) + list(item.iter_markers("skip")):
                item.own_markers = [own for own in item.own_markers if own is not mark]

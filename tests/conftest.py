"""What tests share: the catalogue, compiled once for a run."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sickbay.store import Rules, open_rules

ROOT = Path(__file__).parent.parent
# How fast a machine is, is no matter of the tests.
settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any")
# Who runs the tests in the background has Ctrl-C ignored, and so would the programs that they stop.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def rules() -> Rules:
    return open_rules()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes by their length: packed data may hold the time, and workers must agree."""
    return f"{argname}-{len(val)}" if isinstance(val, bytes) and not val.isascii() else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under SICKBAY_TEST_ALL nothing may be skipped: a skip is turned into a failure."""
    if os.environ.get("SICKBAY_TEST_ALL") == "1":
        for item in items:
            for mark in list(item.iter_markers("skipif")) + list(item.iter_markers("skip")):
                item.own_markers = [own for own in item.own_markers if own is not mark]

"""Real clusters for the tests that want one; skipped with the reason where none can be made."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.cluster import cleanup
from tests.cluster.build import built, missing
from tests.cluster.running import Cluster, owned, up

_CLUSTERS = {"cluster", "quiet_cluster"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What uses a cluster may take as long as a build from nothing."""
    for item in items:
        if _CLUSTERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.timeout(3600))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One cluster for the whole session, in which namespaces may be as ill as they like."""
    yield from _made()


@pytest.fixture(scope="module")
def quiet_cluster() -> Iterator[Cluster]:
    """A cluster in which nothing is wrong but what the test at hand does to it."""
    yield from _made()


def _made() -> Iterator[Cluster]:
    """A cluster of our own, taken away at the end; also after a crash, by whoever comes next."""
    wanted = os.environ.get("SICKBAY_TEST_ALL") == "1"
    reason = missing()
    if not (reason or wanted or built().is_complete):
        reason = "the programs of the test cluster are not built: `make cluster-up` builds them"
    if reason:
        (pytest.fail if wanted else pytest.skip)(reason)
    layout = owned()
    try:
        yield up(layout)
    finally:
        cleanup.remove(layout)

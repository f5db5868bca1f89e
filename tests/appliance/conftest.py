"""The world of the tests, made once for each worker, and removed also after a failure."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.appliance import building
from tests.appliance.vcenter import grant
from tests.appliance.world import World


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    is_wanted = os.environ.get("SICKBAY_TEST_ALL") == "1"
    if is_wanted:
        building.prepare()
    if reason := building.missing():
        assert not is_wanted, reason
        pytest.skip(reason)
    building.build()
    made = World(_plain(tmp_path_factory.mktemp("appliance")))
    try:
        made.up()
        yield made
    finally:
        made.down()


@pytest.fixture(scope="session")
def healthy(world: World) -> World:
    """The world with an account that may do all that a bridge needs."""
    grant(world, "svc-arc@contoso.com")
    return world


def _plain(folder: Path) -> Path:
    """A folder that the SSH server trusts: nobody else may write above its keys."""
    folder.chmod(0o755)
    return folder

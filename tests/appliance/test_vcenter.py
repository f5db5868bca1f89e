"""What the simulated vCenter says of the account and of the places in the files."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.appliance.vcenter import grant
from tests.appliance.world import World

pytestmark = pytest.mark.usefixtures("rules")

LACKING = ("Datastore.Browse", "VirtualMachine.Config.AddNewDisk", "Sessions.ValidateSession")
SAYS = (
    "svc-less@contoso.com lacks Datastore.Browse on datastore LocalDS_0, "
    "Sessions.ValidateSession on root folder Datacenters, "
    "VirtualMachine.Config.AddNewDisk on folder arc"
)


def causes(found: Any) -> dict[str, Any]:
    return {one["rule"]: one for one in found["causes"]}


@pytest.fixture
def less(world: World) -> World:
    grant(world, "svc-less@contoso.com", LACKING)
    return world


@pytest.fixture
def old(world: World) -> Iterator[World]:
    """A vCenter that does not know how to say what an account may do."""
    world.vcenter("-no-fetch")
    grant(world, "svc-less@contoso.com", LACKING)
    yield world
    world.vcenter()
    grant(world, "svc-arc@contoso.com")


def test_three_missing_privileges_are_named_each_with_its_object(less: World) -> None:
    found = less.diagnosed(less.files("less", username="svc-less@contoso.com"))
    cause = causes(found)["arc.vcenter_privileges"]
    assert (cause["says"], cause["certainty"]) == (SAYS, "proven")
    assert found["causes"][0]["rule"] == "arc.vcenter_privileges"


def test_where_vcenter_does_not_say_them_they_are_worked_out(old: World) -> None:
    found = old.diagnosed(old.files("less", username="svc-less@contoso.com"))
    cause = causes(found)["arc.vcenter_privileges"]
    assert (cause["says"], cause["certainty"]) == (SAYS, "likely")


@pytest.mark.parametrize(
    ("folder", "path", "kind"),
    [
        ("arc-storage", "/DC0/datastore/arc-storage", "storage folder"),
        ("/DC0/host/arc-hosts", "/DC0/host/arc-hosts", "host and cluster folder"),
    ],
)
def test_a_folder_of_a_wrong_type_is_named(
    healthy: World, folder: str, path: str, kind: str
) -> None:
    found = healthy.diagnosed(healthy.files("wrong", folder=folder))
    top = found["causes"][0]
    assert top["rule"] == "arc.folder_type"
    says = f"the folder {folder} ({path}) is a {kind}, not a VM and template folder"
    assert top["says"] == says


def test_the_pool_of_a_single_host_is_named(healthy: World) -> None:
    pool = "/DC0/host/DC0_H0/Resources"
    found = healthy.diagnosed(healthy.files("pool", resourcepool=pool))
    assert found["causes"][0]["rule"] == "arc.host_resource_pool"
    assert pool in found["causes"][0]["says"]


def test_a_template_that_is_left_hurts_nobody_while_all_is_well(healthy: World) -> None:
    found = healthy.diagnosed(healthy.files("template", vmtemplate="DC0_H0_VM0"))
    assert found["causes"] == []


def test_without_a_password_the_gap_says_how_to_give_one(healthy: World) -> None:
    folder = healthy.files("silent")
    infra = folder / "plant-infra.yaml"
    lines = infra.read_text().splitlines()
    infra.write_text("\n".join(line for line in lines if "password" not in line))
    found = healthy.diagnosed(folder)
    assert [gap["to_open"] for gap in found["gaps"] if gap["source"] == "vcenter"] == [
        "put it into the file or into SICKBAY_VCENTER_PASSWORD"
    ]

"""The table of types: what rules read is read, and a dry run tells it."""

import pytest

from sickbay.collect.azure_blanks import scope_of
from sickbay.collect.source import Look
from sickbay.collect.types import How, Near, kind_near, known, looks
from sickbay.model.entity import ArmEntity
from sickbay.model.kinds import descendants

CLUSTER = (
    "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/prod"
)
# Kinds that no walk reads, and why.
NOT_READ = {
    "Microsoft.Network/effectiveNetworkSecurityGroups": "computed by a POST for a running machine",
    "Microsoft.Network/effectiveSecurityRules": "computed by a POST for a running machine",
    "Microsoft.Network/networkInterfaces/effectiveRoutes": "computed by a POST likewise",
    "Microsoft.Network/networkSecurityGroups/securityRules": "inside the group",
    "Microsoft.Network/networkSecurityGroups/defaultSecurityRules": "inside the group",
    "Microsoft.Network/routeTables/routes": "inside the table",
    "Microsoft.Network/serviceTags": "the id of what locations/serviceTags answers",
    "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces": (
        "one more list for each scale set, only for membership in application security groups"
    ),
}


def rows() -> list[tuple[str, Near]]:
    return [(type.kind, near) for type in known().types.values() for near in type.near]


def read_kinds() -> set[str]:
    found = set(known().types)
    for type in known().types.values():
        found.update(type.follows)
        found.update(kind.casefold() for kind in type.holds)
    for owner, near in rows():
        found.update(kind.casefold() for kind in (kind_near(owner, near), *near.covers))
    return found


def test_every_kind_that_a_rule_can_ask_for_is_read() -> None:
    wanted = {cls.kind for cls in descendants(ArmEntity) if cls.kind.startswith("Microsoft.")}
    missing = {kind for kind in wanted if kind.casefold() not in read_kinds()}
    assert missing == set(NOT_READ)


def test_every_row_has_a_version() -> None:
    asked = [one for one in rows() if one[1].how in (How.LIST, How.ONE)]
    assert [row for row in asked if not known().version(kind_near(*row))] == []


def test_every_type_of_the_table_can_be_read_by_its_id() -> None:
    assert [type.kind for type in known().types.values() if not known().version(type.kind)] == []


def test_every_type_that_is_followed_has_a_version() -> None:
    followed = {kind for type in known().types.values() for kind in type.follows}
    assert {kind for kind in followed if not known().version(kind)} == set()


def looks_at(what: str, target: str = CLUSTER) -> Look:
    return next(look for look in looks(target) if look.what == what)


def test_a_dry_run_names_what_it_would_read_and_the_right_that_it_needs() -> None:
    look = looks_at("Microsoft.ContainerService/managedClusters/agentPools")
    assert look.where == f"{CLUSTER}/agentPools"
    assert look.needs == "Microsoft.ContainerService/managedClusters/agentPools/read (Reader)"


def test_a_dry_run_begins_with_the_target() -> None:
    assert looks(CLUSTER)[0].where == CLUSTER


def test_a_dry_run_tells_only_what_the_target_leads_to() -> None:
    told = {look.what for look in looks(CLUSTER)}
    assert "Microsoft.Network/privateDnsZones/virtualNetworkLinks" in told
    assert "Microsoft.ManagedNetworkFabric/networkTaps" not in told


def test_a_dry_run_over_a_whole_group_tells_everything() -> None:
    told = {look.what for look in looks("my-group")}
    assert "Microsoft.ManagedNetworkFabric/networkTaps" in told


def test_no_look_is_told_twice() -> None:
    told = [(look.what, look.where) for look in looks("my-group")]
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        (f"{CLUSTER}/agentPools", CLUSTER),
        (
            "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/natGateways",
            "/subscriptions/s/resourceGroups/rg",
        ),
        ("/subscriptions/s/providers/Microsoft.Network/natGateways", "/subscriptions/s"),
        (f"{CLUSTER}/providers/Microsoft.KubernetesConfiguration/extensions", CLUSTER),
    ],
)
def test_a_complete_list_covers_what_stands_above_it(path: str, scope: str) -> None:
    assert scope_of(path) == scope

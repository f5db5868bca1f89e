"""Roles by name and scope, and tags that are compared without case."""

from sickbay.model.governance import ResourceGroup, RoleAssignment

ROLE = "/subscriptions/1/providers/Microsoft.Authorization/roleDefinitions"


def test_a_built_in_role_is_known_by_its_id() -> None:
    role = RoleAssignment(role_definition_id=f"{ROLE}/7F951DDA-4ed3-4680-a7ca-43fe172d538d")
    assert (role.role, role.is_known) == ("AcrPull", True)


def test_what_a_role_of_ones_own_allows_is_not_known() -> None:
    assert not RoleAssignment(role_definition_name="Network Joiner").is_known


def test_an_assignment_covers_its_scope_and_what_lies_below() -> None:
    role = RoleAssignment(scope="/subscriptions/1/resourceGroups/Net")
    assert role.covers("/subscriptions/1/resourcegroups/net/providers/Microsoft.Network/x/y")
    assert not role.covers("/subscriptions/1/resourceGroups/net2")


def test_a_tag_is_found_in_any_case() -> None:
    assert ResourceGroup(tags={"AKS-Managed-Cluster-Name": "shop"}).tag("aks-managed-cluster-name")

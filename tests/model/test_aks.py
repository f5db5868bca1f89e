"""What a node pool needs of its network, and what an upgrade adds to it."""

import pytest

from sickbay.model.aks import AddOn, AgentPool, NetworkProfile, UpgradeSettings, minor


@pytest.mark.parametrize(
    ("asked", "count", "extra"),
    [
        (None, 5, 1),
        (None, 25, 3),
        ("33%", 10, 4),
        ("5", 3, 5),
        (2, 3, 2),
        ("0", 3, 0),
        ("many", 3, 1),
        ("99999999%", 3, 1),
        ("33%", None, 1),
    ],
)
def test_a_surge_is_a_number_or_a_share_rounded_up(
    asked: str | int | None, count: int | None, extra: int
) -> None:
    pool = AgentPool(count=count, upgrade_settings=UpgradeSettings(max_surge=asked))
    assert pool.surge == extra


@pytest.mark.parametrize(
    ("network", "pods", "addresses"),
    [
        (NetworkProfile(network_plugin="azure"), 30, 31),
        (NetworkProfile(network_plugin="azure"), None, 31),
        (NetworkProfile(network_plugin="azure", network_plugin_mode="Overlay"), 110, 1),
        (NetworkProfile(network_plugin="kubenet"), 110, 1),
        (None, 30, 1),
    ],
)
def test_only_azure_cni_without_overlay_takes_an_address_for_each_pod(
    network: NetworkProfile | None, pods: int | None, addresses: int
) -> None:
    assert AgentPool(max_pods=pods).addresses_of_node(network) == addresses


def test_pods_in_a_subnet_of_their_own_take_no_address_of_the_nodes() -> None:
    pool = AgentPool(max_pods=30, pod_subnet_id="/subscriptions/s/x")
    assert pool.addresses_of_node(NetworkProfile(network_plugin="azure")) == 1


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1.32.1", 32), ("v1.9", 9), ("1", None), ("", None), (None, None), ("1.x", None)],
)
def test_the_minor_part_of_a_version(version: str | None, expected: int | None) -> None:
    assert minor(version) == expected


def test_a_setting_of_an_add_on_is_found_in_any_case() -> None:
    addon = AddOn(config={"logAnalyticsWorkspaceResourceId": "w"})
    assert addon.setting("logAnalyticsWorkspaceResourceID") == "w"
    assert AddOn().setting("x") == ""

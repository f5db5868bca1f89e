"""What Operator Nexus accepts and refuses later, and how a mistake is put right."""

from typing import Any

import pytest
from ask import Azure, decoded  # type: ignore[import-not-found]

CLOUD = "@site/Microsoft.NetworkCloud"
DOMAIN = "@site/Microsoft.ManagedNetworkFabric/l3IsolationDomains/l3-apps"
HYBRID = "@site/Microsoft.HybridContainerService"


def network(azure: Azure, **properties: Any) -> dict[str, Any]:
    """A default CNI network that fits, but for what is given."""
    place = azure.id("@site/Microsoft.ExtendedLocation/customLocations/site7-cl")
    fitting = {"ipv4ConnectedPrefix": "203.0.113.0/25", "vlan": 1301}
    fitting["l3IsolationDomainId"] = azure.id(DOMAIN)
    return {
        "location": "eastus",
        "extendedLocation": {"name": place, "type": "CustomLocation"},
        "properties": {**fitting, **properties},
    }


def with_room(azure: Azure) -> Azure:
    """A domain with an internal network for one more."""
    inner = {"properties": {"vlanId": 1301, "connectedIPv4Subnets": [{"prefix": "203.0.113.0/25"}]}}
    azure.ask("PUT", f"{DOMAIN}/internalNetworks/more", inner)
    azure.clock.wait(minutes=10)
    return azure


def outcome(azure: Azure, path: str, body: dict[str, Any]) -> tuple[str, str]:
    """The state in which a new resource ends, and what its operation says."""
    made = azure.ask("PUT", path, body)
    assert made.status == 201
    assert decoded(made)["properties"]["provisioningState"] == "Accepted"
    azure.clock.wait(hours=1)
    operation = decoded(azure.follow(made.headers["Azure-AsyncOperation"]))
    error = operation.get("error", {})
    return azure.get(path)["properties"]["provisioningState"], error.get("message", "")


def test_a_network_that_fits_comes_up() -> None:
    azure = with_room(Azure("nexus-healthy"))
    path = f"{CLOUD}/defaultCniNetworks/more"
    assert outcome(azure, path, network(azure)) == ("Succeeded", "")


@pytest.mark.parametrize(
    ("properties", "says"),
    [
        ({"ipv4ConnectedPrefix": "198.51.100.0/25"}, "overlaps with existing prefix"),
        ({"vlan": 1999}, "match no internal network"),
        ({"ipv4ConnectedPrefix": "203.0.113.128/25"}, "match no internal network"),
        ({"l3IsolationDomainId": "/subscriptions/x/none"}, "was not found"),
    ],
)
def test_a_network_that_does_not_fit_fails_later(properties: dict[str, Any], says: str) -> None:
    azure = with_room(Azure("nexus-healthy"))
    path = f"{CLOUD}/defaultCniNetworks/more"
    state, message = outcome(azure, path, network(azure, **properties))
    assert state == "Failed"
    assert says in message
    assert 'admission webhook "vdefaultcninetwork.kb.io" denied the request' in message
    assert azure.get(path)["properties"]["detailedStatusMessage"] == message


def test_a_domain_must_be_enabled_and_can_be() -> None:
    azure = with_room(Azure("nexus-domain-disabled"))
    path = f"{CLOUD}/defaultCniNetworks/more"
    state, message = outcome(azure, path, network(azure))
    assert (state, "is not enabled" in message) == ("Failed", True)
    enabled = azure.ask("POST", f"{DOMAIN}/updateAdministrativeState", {"state": "Enable"})
    assert (enabled.status, enabled.content) == (202, b"null")
    azure.clock.wait(minutes=10)
    assert azure.get(DOMAIN)["properties"]["administrativeState"] == "Enabled"
    azure.ask("DELETE", path)
    azure.clock.wait(minutes=10)
    assert outcome(azure, path, network(azure)) == ("Succeeded", "")


def test_the_id_of_a_wrapped_network_is_compared_letter_by_letter() -> None:
    azure = Azure("nexus-healthy")
    right = azure.id(f"{CLOUD}/defaultCniNetworks/apps-dcn")
    body = {"properties": {"infraVnetProfile": {"networkCloud": {"networkId": right}}}}
    assert outcome(azure, f"{HYBRID}/virtualNetworks/right", body)[0] == "Succeeded"
    wrong = right.replace("defaultCniNetworks", "defaultcninetworks")
    body = {"properties": {"infraVnetProfile": {"networkCloud": {"networkId": wrong}}}}
    assert outcome(azure, f"{HYBRID}/virtualNetworks/wrong", body)[0] == "Failed"


def test_one_hybrid_cluster_is_made_at_a_time() -> None:
    azure = Azure("nexus-healthy")
    body = {"location": "eastus", "properties": {"controlPlane": {"count": 1}}}
    azure.ask("PUT", f"{HYBRID}/provisionedClusters/first", body)
    azure.clock.wait(minutes=5)
    azure.ask("PUT", f"{HYBRID}/provisionedClusters/second", body)
    azure.clock.wait(hours=1)
    states = [
        azure.get(f"{HYBRID}/provisionedClusters/{name}")["properties"]["provisioningState"]
        for name in ("first", "second")
    ]
    assert states == ["Succeeded", "Failed"]
    assert outcome(azure, f"{HYBRID}/provisionedClusters/third", body)[0] == "Succeeded"


def test_a_site_has_two_hundred_cloud_services_networks_at_most() -> None:
    azure = Azure("nexus-csn-limit")
    state, message = outcome(azure, f"{CLOUD}/cloudServicesNetworks/one-more", {"properties": {}})
    assert (state, "(200)" in message) == ("Failed", True)

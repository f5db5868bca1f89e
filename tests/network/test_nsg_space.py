"""What VirtualNetwork stands for: peers, routes, gateways, and the pods of an overlay."""

from typing import Any

import pytest
from nsg_kit import (  # type: ignore[import-not-found]
    IN,
    NETWORK,
    OUT,
    VNET,
    WEB,
    cluster,
    group,
    network,
    rule,
    seen,
    subnet,
)

from sickbay.network.flow import Flow
from sickbay.network.nsg import decide
from sickbay.network.traffic import Decision, Verdict

ON_PREMISES = Flow("10.1.0.4", "192.168.7.7", "TCP", 443)
POD_TO_POD = Flow("10.244.0.9", "10.244.1.9", "TCP", 8080)
TABLE = f"{NETWORK}/routeTables/rt"


def asked(*documents: dict[str, Any], flow: Flow, crossing: Any = OUT) -> Decision:
    found = decide(seen(*documents), crossing, flow)
    assert found is not None
    return found


def peering(**fields: Any) -> dict[str, Any]:
    remote = {"remoteAddressSpace": {"addressPrefixes": ["192.168.0.0/16"]}}
    body = {"name": "hub", "peeringState": "Connected", **remote} | fields
    return {"virtualNetworkPeerings": [body]}


def routed(prefix: str) -> list[dict[str, Any]]:
    route = {"name": "r", "addressPrefix": prefix, "nextHopType": "VirtualAppliance"}
    return [
        network(subnet(routeTable={"id": TABLE})),
        {"id": TABLE, "name": "rt", "routes": [route]},
        group(),
    ]


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        (peering(), Verdict.ALLOWED),
        (peering(peeringState="Disconnected"), Verdict.BLOCKED),
        (peering(allowVirtualNetworkAccess=False), Verdict.BLOCKED),
        (peering(remoteAddressSpace={"addressPrefixes": ["172.16.0.0/12"]}), Verdict.BLOCKED),
        (peering(remoteAddressSpace=None), Verdict.UNKNOWN),
        (peering(remoteAddressSpace=None, useRemoteGateways=True), Verdict.UNKNOWN),
        (
            peering(
                remoteAddressSpace={"addressPrefixes": ["172.16.0.0/12"]}, useRemoteGateways=True
            ),
            Verdict.UNKNOWN,
        ),
        (
            peering(
                name="RemoteVnetToHubPeering_1",
                remoteAddressSpace={"addressPrefixes": ["172.16.0.0/12"]},
            ),
            Verdict.UNKNOWN,
        ),
        ({"subnets": [subnet(), {"name": "GatewaySubnet"}]}, Verdict.UNKNOWN),
        ({}, Verdict.BLOCKED),
    ],
)
def test_the_virtual_network_holds_what_is_peered_with_it(
    fields: dict[str, Any], verdict: Verdict
) -> None:
    assert asked(network(**fields), group(), flow=ON_PREMISES).verdict is verdict


def test_a_network_that_was_not_read_leaves_private_addresses_open() -> None:
    decision = asked(subnet(), group(), flow=ON_PREMISES)
    assert decision.verdict is Verdict.UNKNOWN
    assert decision.gaps[0].to_open == f"az network vnet show --ids {VNET} -o json"


def test_the_own_subnet_is_part_of_a_network_that_was_not_read() -> None:
    flow = Flow("10.1.0.4", "10.1.0.5", "TCP", 443)
    assert asked(subnet(), group(), flow=flow).verdict is Verdict.ALLOWED


def test_the_virtual_network_holds_the_prefixes_of_user_routes() -> None:
    assert asked(*routed("192.168.0.0/16"), flow=ON_PREMISES).verdict is Verdict.ALLOWED


def test_a_route_table_that_was_not_read_leaves_private_addresses_open() -> None:
    documents = [network(subnet(routeTable={"id": TABLE})), group()]
    decision = asked(*documents, flow=ON_PREMISES)
    assert decision.verdict is Verdict.UNKNOWN
    assert decision.gaps[0].to_open == f"az network route-table show --ids {TABLE} -o json"


def test_a_default_route_may_bring_the_internet_into_the_virtual_network() -> None:
    flow = Flow("203.0.113.9", "10.1.0.4", "TCP", 443)
    decision = asked(*routed("0.0.0.0/0"), flow=flow, crossing=IN)
    assert decision.verdict is Verdict.UNKNOWN
    assert "list-effective-nsg" in decision.gaps[0].to_open


def test_a_default_route_does_not_put_outbound_traffic_in_doubt() -> None:
    decision = asked(*routed("0.0.0.0/0"), flow=WEB)
    assert decision.verdict is Verdict.ALLOWED
    assert decision.gaps == ()


@pytest.mark.parametrize("mode", ["overlay", "kubenet"])
@pytest.mark.parametrize("crossing", [IN, OUT])
def test_the_default_rules_let_pods_of_an_overlay_pass(mode: str, crossing: Any) -> None:
    documents = [network(), group(), cluster(mode)]
    assert asked(*documents, flow=POD_TO_POD, crossing=crossing).verdict is Verdict.ALLOWED


def test_the_default_rules_let_a_node_reach_a_pod_of_an_overlay() -> None:
    flow = Flow("10.1.0.4", "10.244.1.9", "TCP", 8080)
    assert asked(network(), group(), cluster(), flow=flow).verdict is Verdict.ALLOWED


def test_a_rule_that_denies_all_blocks_pods_of_an_overlay() -> None:
    documents = [network(), group(rule("none", 4000, "Deny Inbound")), cluster()]
    decision = asked(*documents, flow=POD_TO_POD, crossing=IN)
    assert [one.name for one in decision.by] == ["web-nsg/none"]


def test_a_rule_that_names_the_pod_range_lets_pods_of_an_overlay_pass() -> None:
    pods = {
        "sourceAddressPrefix": "10.244.0.0/16",
        "destinationAddressPrefix": "10.244.0.0/16",
    }
    rules = [rule("pods", 100, "Allow Inbound", **pods), rule("none", 4000, "Deny Inbound")]
    decision = asked(network(), group(*rules), cluster(), flow=POD_TO_POD, crossing=IN)
    assert decision.verdict is Verdict.ALLOWED


def test_whether_a_users_rule_for_the_virtual_network_holds_pods_is_open() -> None:
    within = {
        "sourceAddressPrefix": "VirtualNetwork",
        "destinationAddressPrefix": "VirtualNetwork",
    }
    rules = [rule("vnet", 100, "Allow Inbound", **within), rule("none", 4000, "Deny Inbound")]
    decision = asked(network(), group(*rules), cluster(), flow=POD_TO_POD, crossing=IN)
    assert decision.verdict is Verdict.UNKNOWN
    assert decision.gaps[0].to_open == "name the pod range in the rule"


def test_the_pods_of_a_cluster_in_another_network_are_strangers() -> None:
    other = f"{NETWORK}/virtualNetworks/other/subnets/nodes"
    documents = [network(), group(), cluster(vnetSubnetID=other)]
    assert asked(*documents, flow=POD_TO_POD).verdict is Verdict.BLOCKED

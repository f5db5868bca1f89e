"""Who may call the API server: authorized ranges, private clusters, nodes behind a firewall."""

import json
from typing import Any

import pytest
from names_kit import (  # type: ignore[import-not-found]
    HUB,
    SPOKE,
    Document,
    cluster,
    evidence,
    network,
    pool,
    private_cluster,
    the_cluster,
)

from sickbay.network.apiserver import Client, callers_of, decide
from sickbay.network.traffic import Decision, Verdict

ALLOWED, BLOCKED, UNKNOWN = Verdict.ALLOWED, Verdict.BLOCKED, Verdict.UNKNOWN
RANGES = {"authorizedIPRanges": ["203.0.113.0/24", "198.51.100.7/32"]}
OWN_BALANCER = {"authorizedIPRanges": ["0.0.0.0/32"]}


def decided(document: Document, client: Client | None = None, *more: Document) -> Decision:
    snapshot = evidence(document, *more)
    return decide(snapshot, the_cluster(snapshot), client or Client())


def event(who: str, address: str, day: str = "2026-11-02") -> Document:
    return {
        "eventTimestamp": f"{day}T10:00:00Z",
        "operationName": {"value": "Microsoft.ContainerService/managedClusters/read"},
        "status": {"value": "Succeeded"},
        "caller": who,
        "httpRequest": {"clientIpAddress": address},
    }


@pytest.mark.parametrize(
    ("address", "verdict"),
    [
        ("203.0.113.10", ALLOWED),
        ("203.0.113.255", ALLOWED),
        ("198.51.100.7", ALLOWED),
        ("198.51.100.8", BLOCKED),
        ("8.8.8.8", BLOCKED),
        ("2001:db8::1", BLOCKED),
    ],
)
def test_authorized_ranges_hold_a_client_or_leave_it_out(address: str, verdict: Verdict) -> None:
    found = decided(cluster(RANGES), Client(address))
    assert found.verdict is verdict
    assert found.by[0].kind == "ManagedCluster"
    assert address in found.by[0].says


def test_a_cluster_without_ranges_is_open() -> None:
    assert decided(cluster(), Client("8.8.8.8")).verdict is ALLOWED


@pytest.mark.parametrize("address", ["", "8.8.8.8", "10.1.0.4"])
def test_the_range_of_the_own_load_balancer_admits_nobody_else(address: str) -> None:
    assert decided(cluster(OWN_BALANCER), Client(address)).verdict is BLOCKED


def test_a_range_of_everything_admits_a_client_that_nobody_knows() -> None:
    assert decided(cluster({"authorizedIPRanges": ["0.0.0.0/0"]})).verdict is ALLOWED


@pytest.mark.parametrize("address", ["", "10.1.0.4", "192.168.1.5", "100.64.0.1"])
def test_behind_a_private_address_stands_a_public_one_that_is_unknown(address: str) -> None:
    found = decided(cluster(RANGES), Client(address))
    assert found.verdict is UNKNOWN
    assert "203.0.113.0/24, 198.51.100.7/32" in found.gaps[0].what
    assert found.gaps[0].to_open == "dig +short myip.opendns.com @resolver1.opendns.com"


def test_a_long_list_of_ranges_is_cut() -> None:
    ranges = {"authorizedIPRanges": [f"203.0.113.{number}/32" for number in range(8)]}
    says = decided(cluster(ranges), Client("8.8.8.8")).by[0].says
    assert says.endswith("203.0.113.4/32 and 3 more")


def test_a_stopped_cluster_answers_nobody() -> None:
    found = decided(cluster(powerState={"code": "Stopped"}), Client("8.8.8.8"))
    assert found.verdict is BLOCKED
    assert "is stopped" in found.by[0].says


def test_public_access_can_be_disabled() -> None:
    found = decided(cluster(publicNetworkAccess="Disabled"), Client("8.8.8.8"))
    assert found.verdict is BLOCKED


def test_the_caller_in_the_activity_log_stands_in_for_the_client() -> None:
    inside = decided(cluster(RANGES), None, event("a@x.test", "203.0.113.10"))
    outside = decided(cluster(RANGES), None, event("a@x.test", "8.8.8.8"))
    assert (inside.verdict, outside.verdict) == (ALLOWED, BLOCKED)
    assert outside.considered[0].says == "called Azure from 8.8.8.8 on 2026-11-02"


def test_callers_in_and_out_of_the_ranges_leave_the_answer_open() -> None:
    events = (event("a@x.test", "203.0.113.10"), event("b@x.test", "8.8.8.8"))
    found = decided(cluster(RANGES), None, *events)
    assert found.verdict is UNKNOWN
    assert {one.name for one in found.considered} == {"a@x.test", "b@x.test", "prod"}


def test_an_address_that_was_given_counts_before_the_activity_log() -> None:
    found = decided(cluster(RANGES), Client("8.8.8.8"), event("a@x.test", "203.0.113.10"))
    assert found.verdict is BLOCKED


def test_each_caller_and_address_is_told_once_with_its_newest_day() -> None:
    events = [event("a", "8.8.8.8", "2026-11-01"), event("a", "8.8.8.8", "2026-11-03")]
    private = event("a", "10.0.0.4")
    [caller] = callers_of(evidence(*events, private))
    assert (caller.who, caller.address, caller.day) == ("a", "8.8.8.8", "2026-11-03")


@pytest.mark.parametrize("address", [None, 5, "", ["8.8.8.8"], "x" * 5000])
def test_an_event_with_a_strange_address_names_no_caller(address: Any) -> None:
    strange = json.loads(json.dumps(event("a", "8.8.8.8")))
    strange["httpRequest"]["clientIpAddress"] = address
    assert callers_of(evidence(strange)) == ()


def test_a_private_cluster_is_closed_to_public_addresses() -> None:
    home = private_cluster(agentPoolProfiles=[pool()])
    found = decided(home, Client("8.8.8.8"))
    assert found.verdict is BLOCKED
    assert "8.8.8.8 must come into network spoke" in found.by[0].says


@pytest.mark.parametrize(
    "client",
    [Client(network=SPOKE), Client(network=HUB), Client("10.1.0.9"), Client(is_inside=True)],
    ids=["its network", "another network", "an address of its network", "a node"],
)
def test_a_private_cluster_is_open_to_networks(client: Client) -> None:
    home = private_cluster(agentPoolProfiles=[pool()])
    assert decided(home, client, network(SPOKE, "10.1.0.0/24")).verdict is ALLOWED


@pytest.mark.parametrize("address", ["", "10.9.0.4"])
def test_a_private_cluster_and_a_client_of_an_unknown_network_is_open_to_doubt(
    address: str,
) -> None:
    found = decided(private_cluster(), Client(address), network(SPOKE, "10.1.0.0/24"))
    assert (found.verdict, len(found.gaps)) == (UNKNOWN, 1)


NODES = Client(is_inside=True)


def outbound(kind: str, access: Document, **more: Any) -> Document:
    return cluster(access, networkProfile={"outboundType": kind}, **more)


@pytest.mark.parametrize("access", [RANGES, OWN_BALANCER])
def test_nodes_behind_the_own_load_balancer_are_authorized_by_aks(access: Document) -> None:
    assert decided(outbound("loadBalancer", access), NODES).verdict is ALLOWED


WAYS_OUT = ["userDefinedRouting", "userAssignedNATGateway", "managedNATGateway"]


@pytest.mark.parametrize("kind", WAYS_OUT)
def test_nodes_that_leave_elsewhere_need_a_range_for_it(kind: str) -> None:
    home = outbound(kind, RANGES)
    inside = NODES._replace(outbound=("203.0.113.10",))
    outside = NODES._replace(outbound=("203.0.113.10", "20.1.1.1"))
    assert decided(home, inside).verdict is ALLOWED
    assert decided(home, outside).verdict is BLOCKED
    assert "leave out 20.1.1.1, where its nodes leave" in decided(home, outside).by[0].says


@pytest.mark.parametrize("kind", WAYS_OUT)
def test_a_way_out_whose_address_nobody_read_leaves_the_answer_open(kind: str) -> None:
    found = decided(outbound(kind, RANGES), NODES)
    assert (found.verdict, found.gaps[0].source) == (UNKNOWN, "outbound addresses")


def test_the_range_of_the_own_load_balancer_does_not_hold_a_firewall() -> None:
    client = NODES._replace(outbound=("20.1.1.1",))
    assert decided(outbound("userDefinedRouting", OWN_BALANCER), client).verdict is BLOCKED


def test_nodes_with_public_addresses_of_their_own_need_ranges_for_them() -> None:
    home = cluster(RANGES, agentPoolProfiles=[pool(enableNodePublicIP=True)])
    assert decided(home, NODES).verdict is UNKNOWN


def test_nodes_use_the_private_address_of_an_integrated_server() -> None:
    access = {**RANGES, "enableVnetIntegration": True}
    assert decided(outbound("userDefinedRouting", access), NODES).verdict is ALLOWED


def test_nodes_of_a_cluster_without_ranges_may_call_from_anywhere() -> None:
    assert decided(outbound("userDefinedRouting", {}), NODES).verdict is ALLOWED

"""Where packets go, by the routes of a subnet."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_kit import (  # type: ignore[import-not-found]
    HUB,
    NETWORK,
    PUBLIC,
    SPOKE,
    SUBNET,
    TABLE,
    evidence,
    network,
    node,
    peering,
    resource,
    route,
    subnet,
    table,
)

from sickbay.network.routes import Hop, HopKind, asymmetry, next_hop
from sickbay.network.traffic import Verdict

FIREWALL = route("default", "0.0.0.0/0", "VirtualAppliance", "10.0.1.4")
CONNECTED = network("10.1.0.0/16", peerings=(peering("10.0.0.0/16"),))
GATEWAY = resource(
    f"{NETWORK}/virtualNetworkGateways/vpn",
    ipConfigurations=[
        {"name": "a", "properties": {"subnet": {"id": f"{SPOKE}/subnets/GatewaySubnet"}}}
    ],
)
TAGS = {
    "id": "/subscriptions/s/providers/Microsoft.Network/serviceTags/public",
    "name": "public",
    "values": [
        {"name": "Storage", "properties": {"addressPrefixes": ["20.60.0.0/16"]}},
        {"name": "Storage.WestEurope", "properties": {"addressPrefixes": ["20.60.0.0/16"]}},
        {"name": "AzureCloud", "properties": {"addressPrefixes": ["20.60.0.0/16", "20.70.0.0/16"]}},
    ],
}


def routed(*routes: dict[str, Any], destination: str = PUBLIC, **more: Any) -> Hop:
    snapshot = evidence(CONNECTED, subnet(table=TABLE), table(*routes, **more))
    return next_hop(snapshot, SUBNET, destination)


@pytest.mark.parametrize(
    ("destination", "kind"),
    [
        ("10.1.200.9", HopKind.LOCAL),
        ("10.0.200.9", HopKind.PEERING),
        ("10.2.0.9", HopKind.DROPPED),
        ("172.16.0.9", HopKind.DROPPED),
        ("192.168.0.9", HopKind.DROPPED),
        ("100.64.0.9", HopKind.DROPPED),
        (PUBLIC, HopKind.INTERNET),
        ("2606:4700::1", HopKind.INTERNET),
        ("168.63.129.16", HopKind.PLATFORM),
        ("169.254.169.254", HopKind.PLATFORM),
    ],
)
def test_azure_makes_routes_by_itself(destination: str, kind: HopKind) -> None:
    assert next_hop(evidence(CONNECTED, subnet()), SUBNET, destination).kind is kind


@pytest.mark.parametrize(
    ("destination", "kind"),
    [
        ("10.1.200.9", HopKind.LOCAL),
        ("10.0.200.9", HopKind.PEERING),
        ("10.2.0.9", HopKind.APPLIANCE),
        ("192.168.0.9", HopKind.APPLIANCE),
        (PUBLIC, HopKind.APPLIANCE),
        ("168.63.129.16", HopKind.PLATFORM),
    ],
)
def test_a_default_route_takes_what_the_network_and_its_peers_do_not_have(
    destination: str, kind: HopKind
) -> None:
    assert routed(FIREWALL, destination=destination).kind is kind


def test_the_deciding_route_is_named_with_its_numbers() -> None:
    hop = routed(FIREWALL)
    assert (hop.address, hop.by.kind, hop.by.name) == ("10.0.1.4", "RouteTable", "rt/default")
    assert hop.by.says == "sends 0.0.0.0/0 to the appliance 10.0.1.4"


def test_every_route_that_holds_the_address_is_considered_the_deciding_one_first() -> None:
    hop = routed(FIREWALL, destination="10.0.0.7")
    assert [one.name for one in hop.considered] == ["spoke/to-hub", "rt/default", "0.0.0.0/0"]


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("VnetLocal", HopKind.LOCAL),
        ("VNETLocal", HopKind.LOCAL),
        ("Internet", HopKind.INTERNET),
        ("VirtualNetworkGateway", HopKind.GATEWAY),
        ("None", HopKind.DROPPED),
        ("Teleport", HopKind.UNKNOWN),
    ],
)
def test_a_next_hop_type_is_known_in_any_case(kind: str, found: HopKind) -> None:
    assert routed(route("r", "0.0.0.0/0", kind)).kind is found


def test_a_route_of_the_user_wins_over_the_same_prefix_of_the_network() -> None:
    hop = routed(
        route("within", "10.1.0.0/16", "VirtualAppliance", "10.0.1.4"), destination="10.1.7.7"
    )
    assert hop.by.name == "rt/within"


def test_a_route_that_drops_blocks() -> None:
    decision = routed(route("hole", f"{PUBLIC}/32", "None")).decision
    assert (decision.verdict, decision.by[0].name) == (Verdict.BLOCKED, "rt/hole")


def test_a_route_to_a_node_is_one_to_its_pods_and_no_firewall() -> None:
    pods = route("n1", "10.244.1.0/24", "VirtualAppliance", "10.1.0.5")
    documents = (CONNECTED, subnet(table=TABLE), table(FIREWALL, pods), node("n1", "10.1.0.5"))
    assert next_hop(evidence(*documents), SUBNET, "10.244.1.9").node == "n1"


@pytest.mark.parametrize("space", ["10.0.0.0/8", "10.0.0.0/7"])
def test_an_address_space_that_holds_a_reserved_prefix_takes_its_place(space: str) -> None:
    hop = next_hop(evidence(network(space), subnet()), SUBNET, "10.200.0.1")
    assert hop.kind is HopKind.LOCAL


@pytest.mark.parametrize("state", ["Disconnected", "Initiated"])
def test_a_peering_that_is_not_connected_leads_nowhere(state: str) -> None:
    severed = network("10.1.0.0/16", peerings=(peering("10.0.0.0/16", state=state),))
    hop = next_hop(evidence(severed, subnet()), SUBNET, "10.0.3.3")
    assert (hop.kind, hop.by.name) == (HopKind.DROPPED, "spoke/to-hub")
    assert state in hop.by.says


def test_an_appliance_behind_a_severed_peering_cannot_be_reached() -> None:
    severed = network("10.1.0.0/16", peerings=(peering("10.0.0.0/16", state="Disconnected"),))
    snapshot = evidence(severed, subnet(table=TABLE), table(FIREWALL))
    hop = next_hop(snapshot, SUBNET, PUBLIC)
    assert hop.kind is HopKind.DROPPED
    assert "10.0.1.4 of rt/default" in hop.by.says


def test_peering_is_not_transitive() -> None:
    other = resource(f"{NETWORK}/virtualNetworks/other", addressSpace={"addressPrefixes": []})
    beyond = resource(
        f"{HUB}/virtualNetworkPeerings/to-other",
        peeringState="Connected",
        remoteVirtualNetwork={"id": other["id"]},
        remoteAddressSpace={"addressPrefixes": ["10.3.0.0/16"]},
    )
    hub = network("10.0.0.0/16", id=HUB, peerings=(beyond,))
    hop = next_hop(evidence(CONNECTED, hub, other, subnet()), SUBNET, "10.3.0.1")
    assert hop.kind is HopKind.DROPPED


def test_a_peering_alone_counts_as_one_inside_its_network() -> None:
    snapshot = evidence(network("10.1.0.0/16"), peering("10.0.0.0/16"), subnet())
    assert next_hop(snapshot, SUBNET, "10.0.3.3").kind is HopKind.PEERING


def test_the_space_behind_a_peering_is_taken_from_the_other_network() -> None:
    spoke = network("10.1.0.0/16", peerings=(peering(),))
    snapshot = evidence(spoke, network("10.0.0.0/16", id=HUB), subnet())
    assert next_hop(snapshot, SUBNET, "10.0.3.3").kind is HopKind.PEERING


def test_a_peering_of_unknown_space_leaves_private_addresses_open() -> None:
    snapshot = evidence(network("10.1.0.0/16", peerings=(peering(),)), subnet())
    hop = next_hop(snapshot, SUBNET, "10.0.3.3")
    assert hop.kind is HopKind.UNKNOWN
    assert "vnet peering show" in hop.gaps[0].to_open
    assert next_hop(snapshot, SUBNET, PUBLIC).kind is HopKind.INTERNET


def test_a_subnet_that_nobody_read_is_unseen_and_does_not_block() -> None:
    hop = next_hop(evidence(CONNECTED), SUBNET, PUBLIC)
    assert (hop.kind, hop.decision.verdict) == (HopKind.UNSEEN, Verdict.ALLOWED)
    assert hop.gaps[0].to_open == f"az network vnet subnet show --ids {SUBNET} -o json"


def test_a_route_table_that_is_there_and_unread_leaves_all_open() -> None:
    hop = next_hop(evidence(CONNECTED, subnet(table=TABLE)), SUBNET, PUBLIC)
    assert (hop.kind, hop.decision.verdict) == (HopKind.UNKNOWN, Verdict.UNKNOWN)
    assert hop.gaps[0].to_open == f"az network route-table show --ids {TABLE} -o json"


def test_routes_that_were_listed_alone_to_the_end_make_the_table() -> None:
    seen = ({"kind": "Microsoft.Network/routeTables/routes", "scope": TABLE},)
    snapshot = evidence(CONNECTED, subnet(table=TABLE), FIREWALL, seen=seen)
    assert next_hop(snapshot, SUBNET, PUBLIC).kind is HopKind.APPLIANCE


def test_the_case_of_ids_makes_no_difference() -> None:
    snapshot = evidence(CONNECTED, subnet(table=TABLE.upper()), table(FIREWALL))
    assert next_hop(snapshot, SUBNET.upper(), PUBLIC).kind is HopKind.APPLIANCE


def test_a_network_that_nobody_read_leaves_private_addresses_open() -> None:
    snapshot = evidence(subnet(table=TABLE), table(FIREWALL))
    assert next_hop(snapshot, SUBNET, "10.9.9.9").kind is HopKind.UNKNOWN
    assert next_hop(snapshot, SUBNET, "10.1.0.9").kind is HopKind.LOCAL
    assert next_hop(snapshot, SUBNET, PUBLIC).kind is HopKind.APPLIANCE


def test_a_gateway_may_announce_private_prefixes() -> None:
    snapshot = evidence(CONNECTED, subnet(), GATEWAY)
    hop = next_hop(snapshot, SUBNET, "10.50.0.1")
    assert hop.kind is HopKind.UNKNOWN
    assert "vpn" in hop.gaps[0].what
    assert next_hop(snapshot, SUBNET, "10.0.3.3").kind is HopKind.PEERING


def test_a_table_can_refuse_what_gateways_announce() -> None:
    own = table(FIREWALL, disableBgpRoutePropagation=True)
    snapshot = evidence(CONNECTED, subnet(table=TABLE), own, GATEWAY)
    assert next_hop(snapshot, SUBNET, "10.50.0.1").kind is HopKind.APPLIANCE


def test_a_gateway_of_the_peer_may_announce_too() -> None:
    remote = peering("10.0.0.0/16", useRemoteGateways=True)
    snapshot = evidence(network("10.1.0.0/16", peerings=(remote,)), subnet())
    assert next_hop(snapshot, SUBNET, "10.50.0.1").kind is HopKind.UNKNOWN


@pytest.mark.parametrize("text", ["", "mcr.microsoft.com", "10.0.0.0/8", "999.1.1.1"])
def test_what_is_no_address_is_unknown(text: str) -> None:
    assert next_hop(evidence(CONNECTED, subnet()), SUBNET, text).kind is HopKind.UNKNOWN


def test_a_route_by_service_tag_needs_the_ranges_of_the_tag() -> None:
    storage = route("storage", "Storage", "Internet")
    hop = routed(FIREWALL, storage, destination="20.60.1.1")
    assert hop.kind is HopKind.UNKNOWN
    assert "list-service-tags" in hop.gaps[0].to_open


def test_a_route_by_service_tag_that_leads_where_the_others_do_changes_nothing() -> None:
    storage = route("storage", "Storage", "VirtualAppliance", "10.0.1.4")
    assert routed(FIREWALL, storage, destination="20.60.1.1").kind is HopKind.APPLIANCE


@pytest.mark.parametrize(
    ("destination", "name"),
    [("20.60.1.1", "rt/regional"), ("20.70.1.1", "rt/cloud"), (PUBLIC, "rt/default")],
)
def test_the_narrower_service_tag_wins(destination: str, name: str) -> None:
    routes = (
        FIREWALL,
        route("cloud", "AzureCloud", "Internet"),
        route("storage", "Storage", "None"),
        route("regional", "Storage.WestEurope", "Internet"),
    )
    snapshot = evidence(CONNECTED, subnet(table=TABLE), table(*routes), TAGS)
    assert next_hop(snapshot, SUBNET, destination).by.name == name


def test_a_service_endpoint_goes_round_the_firewall() -> None:
    own = subnet(table=TABLE, serviceEndpoints=[{"service": "Microsoft.Storage"}])
    snapshot = evidence(CONNECTED, own, table(FIREWALL), TAGS)
    assert next_hop(snapshot, SUBNET, "20.60.1.1").kind is HopKind.SERVICE_ENDPOINT
    assert next_hop(snapshot, SUBNET, PUBLIC).kind is HopKind.APPLIANCE


def test_a_service_endpoint_of_unknown_ranges_is_a_doubt_only() -> None:
    own = subnet(table=TABLE, serviceEndpoints=[{"service": "Microsoft.Storage"}])
    hop = next_hop(evidence(CONNECTED, own, table(FIREWALL)), SUBNET, "20.60.1.1")
    assert (hop.kind, len(hop.gaps)) == (HopKind.APPLIANCE, 1)


def endpoint(policies: str) -> tuple[dict[str, Any], ...]:
    home = f"{SPOKE}/subnets/endpoints"
    return (
        resource(home, addressPrefix="10.1.9.0/24", privateEndpointNetworkPolicies=policies),
        resource(
            f"{NETWORK}/privateEndpoints/vault",
            subnet={"id": home},
            customDnsConfigs=[{"fqdn": "v.vault.azure.net", "ipAddresses": ["10.1.9.4"]}],
        ),
    )


@pytest.mark.parametrize(
    ("policies", "prefix", "kind"),
    [
        ("Disabled", "10.1.0.0/16", HopKind.PRIVATE_ENDPOINT),
        ("Enabled", "10.1.0.0/16", HopKind.APPLIANCE),
        ("RouteTableEnabled", "10.1.9.0/24", HopKind.APPLIANCE),
        ("Enabled", "10.0.0.0/8", HopKind.PRIVATE_ENDPOINT),
    ],
)
def test_a_private_endpoint_heeds_routes_only_where_its_subnet_says_so(
    policies: str, prefix: str, kind: HopKind
) -> None:
    to = table(route("r", prefix, "VirtualAppliance", "10.0.1.4"))
    snapshot = evidence(CONNECTED, subnet(table=TABLE), to, *endpoint(policies))
    assert next_hop(snapshot, SUBNET, "10.1.9.4").kind is kind


def test_an_answer_that_a_default_route_sends_to_a_firewall_is_lost() -> None:
    snapshot = evidence(CONNECTED, subnet(table=TABLE), table(FIREWALL))
    found = asymmetry(snapshot, SUBNET, PUBLIC)
    assert found
    assert found.decision.verdict is Verdict.BLOCKED
    assert found.decision.by[0].name == "rt/default"


def test_an_answer_that_goes_back_through_the_same_firewall_is_fine() -> None:
    snapshot = evidence(CONNECTED, subnet(table=TABLE), table(FIREWALL))
    assert asymmetry(snapshot, SUBNET, PUBLIC, through="10.0.1.4") is None


def test_an_answer_that_misses_the_firewall_of_its_request_is_lost() -> None:
    snapshot = evidence(CONNECTED, subnet(table=TABLE), table(FIREWALL))
    found = asymmetry(snapshot, SUBNET, "10.0.7.7", through="10.0.1.4")
    assert found
    assert found.reply.kind is HopKind.PEERING


@pytest.mark.parametrize("documents", [(CONNECTED, subnet()), (CONNECTED,)])
def test_an_answer_without_a_detour_is_fine(documents: tuple[Any, ...]) -> None:
    assert asymmetry(evidence(*documents), SUBNET, PUBLIC) is None


def test_an_answer_whose_routes_were_not_read_is_unknown() -> None:
    found = asymmetry(evidence(CONNECTED, subnet(table=TABLE)), SUBNET, PUBLIC)
    assert found
    assert found.decision.verdict is Verdict.UNKNOWN


def test_a_route_for_the_client_straight_to_the_internet_mends_it() -> None:
    direct = route("client", f"{PUBLIC}/32", "Internet")
    snapshot = evidence(CONNECTED, subnet(table=TABLE), table(FIREWALL, direct))
    assert asymmetry(snapshot, SUBNET, PUBLIC) is None


BITS = st.tuples(st.integers(0, 15), st.integers(0, 4))


def binary(number: int) -> str:
    return f"{number:04b}"


@settings(max_examples=60, deadline=None)
@given(users=st.lists(BITS, max_size=6, unique=True), wanted=st.integers(0, 15))
def test_the_longest_prefix_wins_and_among_equals_the_user(
    users: list[tuple[int, int]], wanted: int
) -> None:
    """A second reading of the law: prefixes of four bits, compared as strings of digits."""
    distinct = {binary(number)[:length] for number, length in users}
    routes = [
        route(f"r{bits}", f"50.{int(bits.ljust(4, '0'), 2) << 4}.0.0/{8 + len(bits)}", "None")
        for bits in sorted(distinct)
    ]
    spaces = {"0": "50.0.0.0/9", "11": "50.192.0.0/10"}
    own = network(*spaces.values())
    hop = next_hop(
        evidence(own, subnet(table=TABLE), table(*routes)), SUBNET, f"50.{wanted << 4}.1.1"
    )
    digits = binary(wanted)
    candidates = [(len(bits), 1, f"rt/r{bits}") for bits in distinct if digits.startswith(bits)]
    candidates += [(len(bits), 0, "spoke") for bits in spaces if digits.startswith(bits)]
    assert hop.by.name == max(candidates, default=(0, 0, "0.0.0.0/0"))[2]

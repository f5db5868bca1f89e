"""Routes as Azure itself lists them for a network interface."""

from typing import Any

import pytest
from routing_kit import (  # type: ignore[import-not-found]
    NETWORK,
    PUBLIC,
    SUBNET,
    TABLE,
    evidence,
    network,
    resource,
    route,
    subnet,
    table,
)

from sickbay.network.routes import HopKind, next_hop

NIC = f"{NETWORK}/networkInterfaces/node-0"


def row(prefix: str, kind: str, source: str = "Default", **more: Any) -> dict[str, Any]:
    return {
        "addressPrefix": [prefix],
        "nextHopType": kind,
        "source": source,
        "state": "Active",
        "nextHopIpAddress": [],
        **more,
    }


def effective(*rows: dict[str, Any], home: str = SUBNET) -> dict[str, Any]:
    told = {"subnet": {"id": home}} if home else {}
    return {"id": f"{NIC}/effectiveRoutes/all", "name": "all", "routes": list(rows), **told}


LOCAL = row("10.1.0.0/16", "VnetLocal")
INTERNET = row("0.0.0.0/0", "Internet")
ANNOUNCED = row("10.50.0.0/16", "VirtualNetworkGateway", "VirtualNetworkGateway")
DOCUMENTS = (network("10.1.0.0/16"), subnet())


@pytest.mark.parametrize(
    ("destination", "kind"),
    [
        ("10.1.4.4", HopKind.LOCAL),
        ("10.50.4.4", HopKind.GATEWAY),
        (PUBLIC, HopKind.INTERNET),
    ],
)
def test_what_azure_says_is_taken_as_it_is(destination: str, kind: HopKind) -> None:
    snapshot = evidence(*DOCUMENTS, effective(LOCAL, INTERNET, ANNOUNCED))
    assert next_hop(snapshot, SUBNET, destination).kind is kind


def test_they_answer_where_nothing_else_was_read() -> None:
    snapshot = evidence(effective(LOCAL, INTERNET))
    assert next_hop(snapshot, SUBNET, PUBLIC).by.name == "node-0/0.0.0.0/0"


def test_a_row_that_is_not_active_does_not_count() -> None:
    user = row("0.0.0.0/0", "VirtualAppliance", "User", nextHopIpAddress=["10.0.1.4"], name="fw")
    rows = (LOCAL, row("0.0.0.0/0", "Internet", state="Invalid"), user)
    hop = next_hop(evidence(effective(*rows)), SUBNET, PUBLIC)
    assert (hop.kind, hop.address) == (HopKind.APPLIANCE, "10.0.1.4")


def test_of_equal_prefixes_the_user_wins_over_the_gateway_and_that_over_azure() -> None:
    gateway = row("0.0.0.0/0", "VirtualNetworkGateway", "VirtualNetworkGateway")
    user = row("0.0.0.0/0", "None", "User", name="hole")
    two = evidence(effective(LOCAL, INTERNET, gateway))
    three = evidence(effective(LOCAL, INTERNET, gateway, user))
    kinds = [next_hop(one, SUBNET, PUBLIC).kind for one in (two, three)]
    assert kinds == [HopKind.GATEWAY, HopKind.DROPPED]


def test_the_network_wins_over_a_narrower_prefix_that_a_gateway_announces() -> None:
    narrow = row("10.1.4.0/24", "VirtualNetworkGateway", "VirtualNetworkGateway")
    snapshot = evidence(effective(LOCAL, INTERNET, narrow))
    assert next_hop(snapshot, SUBNET, "10.1.4.4").kind is HopKind.LOCAL


def test_an_address_without_any_row_is_dropped() -> None:
    assert next_hop(evidence(effective(LOCAL)), SUBNET, PUBLIC).kind is HopKind.DROPPED


def test_rows_of_another_subnet_say_nothing() -> None:
    other = effective(LOCAL, INTERNET, ANNOUNCED, home=f"{SUBNET}-2")
    assert next_hop(evidence(*DOCUMENTS, other), SUBNET, "10.50.4.4").kind is HopKind.DROPPED


def test_the_interface_tells_the_subnet() -> None:
    nic = resource(NIC, ipConfigurations=[{"name": "a", "properties": {"subnet": {"id": SUBNET}}}])
    snapshot = evidence(nic, effective(LOCAL, ANNOUNCED, home=""))
    assert next_hop(snapshot, SUBNET, "10.50.4.4").kind is HopKind.GATEWAY


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ((LOCAL, ANNOUNCED, row("0.0.0.0/0", "Internet", "User")), HopKind.GATEWAY),
        ((LOCAL, ANNOUNCED), HopKind.INTERNET),
        ((row("10.7.0.0/16", "VnetLocal"), ANNOUNCED), HopKind.INTERNET),
    ],
)
def test_rows_of_an_untold_interface_count_where_they_agree_with_the_documents(
    rows: tuple[dict[str, Any], ...], kind: HopKind
) -> None:
    own = table(route("default", "0.0.0.0/0", "Internet"))
    documents = (network("10.1.0.0/16"), subnet(table=TABLE), own)
    snapshot = evidence(*documents, effective(*rows, home=""))
    assert next_hop(snapshot, SUBNET, "10.50.4.4").kind is kind

"""Clients of public load balancers at the security groups of the nodes."""

from typing import Any

import pytest
from nsg_kit import group, network, rule  # type: ignore[import-not-found]
from services_kit import object_of, service, service_in  # type: ignore[import-not-found]

from sickbay.engine.casebook import snapshot_of
from sickbay.model.evidence import UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_clients import closed_at, public_address
from sickbay.network.traffic import Traffic

WEB = Traffic("TCP", 443)
ADDRESSES = {"addresses": [{"type": "InternalIP", "address": "10.1.0.4"}]}


def estate(*rules: dict[str, Any], address: str = "20.1.2.3", **spec: Any) -> Snapshot:
    made = service(type="LoadBalancer", ports=[{"port": 443}], **spec)
    made["status"] = {"loadBalancer": {"ingress": [{"ip": address}]}}
    node = object_of("v1", "Node", "n1", status=ADDRESSES)
    return snapshot_of({"documents": [made, node, network(), group(*rules)]})


def decider(snapshot: Snapshot) -> str:
    found = closed_at(snapshot, service_in(snapshot), WEB)
    return found.by[0].name if found else ""


def allow(source: str) -> dict[str, Any]:
    made: dict[str, Any] = rule(
        "web", 100, "Allow Inbound", sourceAddressPrefix=source, destinationPortRange="443"
    )
    return made


def test_a_group_without_a_rule_for_the_port_closes_it() -> None:
    assert decider(estate()) == "web-nsg/DenyAllInBound"


def test_a_rule_for_the_internet_opens_it() -> None:
    assert decider(estate(allow("Internet"))) == ""


def test_a_rule_for_some_clients_leaves_it_open_who_is_meant() -> None:
    with pytest.raises(UnseenError):
        decider(estate(allow("198.51.100.0/24")))


def test_the_clients_are_those_that_the_service_admits() -> None:
    ranges = ["198.51.100.0/25"]
    assert decider(estate(allow("198.51.100.0/24"), loadBalancerSourceRanges=ranges)) == ""


def test_a_private_address_is_not_met_from_the_internet() -> None:
    snapshot = estate(address="10.1.0.9")
    assert public_address(snapshot, service_in(snapshot)) == ""

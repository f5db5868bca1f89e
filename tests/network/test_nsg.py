"""Rules of a network security group: each field, in each of its spellings."""

from typing import Any

import pytest
from nsg_kit import IN, NSG, OUT, SUBNET, WEB, decided, group, network, rule, seen  # type: ignore[import-not-found]

from sickbay.network.flow import Flow
from sickbay.network.nsg import Crossing, decide, ports_that_matter
from sickbay.network.traffic import Verdict

FROM_OUTSIDE = Flow("203.0.113.9", "10.1.0.4", "TCP", 443)
INSIDE = Flow("10.1.0.4", "10.1.0.5", "TCP", 443)


@pytest.mark.parametrize(
    ("crossing", "flow", "verdict", "by"),
    [
        (OUT, WEB, Verdict.ALLOWED, "AllowInternetOutBound"),
        (OUT, INSIDE, Verdict.ALLOWED, "AllowVnetOutBound"),
        (OUT, Flow("10.1.0.4", "192.168.7.7", "TCP", 443), Verdict.BLOCKED, "DenyAllOutBound"),
        (IN, FROM_OUTSIDE, Verdict.BLOCKED, "DenyAllInBound"),
        (IN, INSIDE, Verdict.ALLOWED, "AllowVnetInBound"),
        (IN, Flow("168.63.129.16", "10.1.0.4", "TCP", 80), Verdict.ALLOWED, "AllowVnetInBound"),
        (
            IN,
            Flow("168.63.129.16", "20.50.1.1", "TCP", 80),
            Verdict.ALLOWED,
            "AllowAzureLoadBalancerInBound",
        ),
    ],
)
def test_a_group_without_rules_follows_the_default_ones(
    crossing: Crossing, flow: Flow, verdict: Verdict, by: str
) -> None:
    decision = decided(flow=flow, crossing=crossing)
    assert decision.verdict is verdict
    assert [one.name for one in decision.by] == [f"web-nsg/{by}"]


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({}, Verdict.BLOCKED),
        ({"protocol": "Tcp"}, Verdict.BLOCKED),
        ({"protocol": "TCP"}, Verdict.BLOCKED),
        ({"protocol": "tcp"}, Verdict.BLOCKED),
        ({"protocol": "Udp"}, Verdict.ALLOWED),
        ({"protocol": "Icmp"}, Verdict.ALLOWED),
        ({"protocol": "Esp"}, Verdict.ALLOWED),
        ({"protocol": "Ah"}, Verdict.ALLOWED),
        ({"protocol": "All"}, Verdict.BLOCKED),
        ({"protocol": None}, Verdict.UNKNOWN),
        ({"destinationPortRange": "443"}, Verdict.BLOCKED),
        ({"destinationPortRange": 443}, Verdict.BLOCKED),
        ({"destinationPortRange": "444"}, Verdict.ALLOWED),
        ({"destinationPortRange": "400-443"}, Verdict.BLOCKED),
        ({"destinationPortRange": "443-500"}, Verdict.BLOCKED),
        ({"destinationPortRange": "444-500"}, Verdict.ALLOWED),
        ({"destinationPortRange": "500-400"}, Verdict.UNKNOWN),
        ({"destinationPortRange": "80,443"}, Verdict.BLOCKED),
        ({"destinationPortRange": "80, 8080"}, Verdict.ALLOWED),
        ({"destinationPortRange": "0-65535"}, Verdict.BLOCKED),
        ({"destinationPortRange": "https"}, Verdict.UNKNOWN),
        ({"destinationPortRange": "99999999999999999999"}, Verdict.UNKNOWN),
        ({"destinationPortRange": None, "destinationPortRanges": ["80", "443"]}, Verdict.BLOCKED),
        ({"destinationPortRange": "", "destinationPortRanges": ["80-90"]}, Verdict.ALLOWED),
        ({"destinationPortRange": "80", "destinationPortRanges": ["443"]}, Verdict.BLOCKED),
        ({"destinationAddressPrefix": "93.184.216.34"}, Verdict.BLOCKED),
        ({"destinationAddressPrefix": "93.184.216.0/24"}, Verdict.BLOCKED),
        ({"destinationAddressPrefix": "93.184.217.0/24"}, Verdict.ALLOWED),
        ({"destinationAddressPrefix": "0.0.0.0/0"}, Verdict.BLOCKED),
        ({"destinationAddressPrefix": "::/0"}, Verdict.ALLOWED),
        ({"destinationAddressPrefix": "Any"}, Verdict.BLOCKED),
        ({"destinationAddressPrefix": "Internet"}, Verdict.BLOCKED),
        ({"destinationAddressPrefix": "INTERNET"}, Verdict.BLOCKED),
        ({"destinationAddressPrefix": "VirtualNetwork"}, Verdict.ALLOWED),
        ({"destinationAddressPrefix": "93.184.216.34/99"}, Verdict.UNKNOWN),
        ({"destinationAddressPrefix": "8.8.8.8,93.184.216.34"}, Verdict.BLOCKED),
        (
            {
                "destinationAddressPrefix": "",
                "destinationAddressPrefixes": ["8.8.8.8", "93.184.0.0/16"],
            },
            Verdict.BLOCKED,
        ),
        ({"destinationAddressPrefix": None}, Verdict.UNKNOWN),
        ({"sourceAddressPrefix": "10.1.0.0/16"}, Verdict.BLOCKED),
        ({"sourceAddressPrefix": "10.2.0.0/16"}, Verdict.ALLOWED),
        ({"sourceAddressPrefix": "VirtualNetwork"}, Verdict.BLOCKED),
        ({"sourcePortRange": "53"}, Verdict.UNKNOWN),
        ({"sourcePortRange": "1024-65535"}, Verdict.BLOCKED),
        ({"sourcePortRange": "0-65535"}, Verdict.BLOCKED),
        ({"sourcePortRange": None}, Verdict.BLOCKED),
        ({"direction": "Inbound"}, Verdict.ALLOWED),
        ({"direction": "outbound"}, Verdict.BLOCKED),
        ({"access": "deny"}, Verdict.BLOCKED),
        ({"access": "Perhaps"}, Verdict.UNKNOWN),
    ],
)
def test_a_rule_that_denies_decides_where_it_applies(
    fields: dict[str, Any], verdict: Verdict
) -> None:
    assert decided(rule("r", 100, "Deny Outbound", **fields)).verdict is verdict


def test_the_rule_of_the_lowest_priority_number_decides_whatever_the_order() -> None:
    rules = [rule("later", 300, "Deny Outbound"), rule("first", 200, "Allow Outbound")]
    assert decided(*rules) == decided(*reversed(rules))
    assert [one.name for one in decided(*rules).by] == ["web-nsg/first"]


def test_the_deciding_rule_says_what_it_does_with_its_numbers() -> None:
    denies = rule(
        "no-web",
        200,
        "Deny Outbound",
        protocol="Tcp",
        destinationPortRange="443",
        destinationAddressPrefix="Internet",
    )
    (by,) = decided(denies).by
    assert (by.kind, by.name) == ("NetworkSecurityGroup", "web-nsg/no-web")
    assert by.says == (
        "denies TCP to port 443 of Internet at priority 200 (outbound, subnet aks-subnet)"
    )
    assert by.ref is not None
    assert by.ref.id == f"{NSG}/securityRules/no-web"


def test_a_long_list_of_addresses_is_not_told_to_its_end() -> None:
    many = [f"93.184.{n}.0/24" for n in range(256)]
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefixes=many)
    denies["properties"]["destinationAddressPrefix"] = None
    assert "93.184.2.0/24 and 253 more at priority 100" in decided(denies).by[0].says


def test_every_rule_up_to_the_deciding_one_is_considered_in_order() -> None:
    decision = decided(
        rule("other-way", 100, "Deny Inbound"),
        rule("udp", 110, "Deny Outbound", protocol="Udp"),
        rule("all", 120, "Allow Outbound"),
        rule("never", 130, "Deny Outbound"),
    )
    assert [one.name for one in decision.considered] == ["web-nsg/udp", "web-nsg/all"]
    assert decision.considered[0].says.startswith("does not apply: denies UDP")


@pytest.mark.parametrize(
    ("protocol", "port", "verdict"),
    [
        ("TCP", None, Verdict.UNKNOWN),
        ("UDP", 443, Verdict.BLOCKED),
        ("ICMP", None, Verdict.UNKNOWN),
        ("ICMP", 443, Verdict.UNKNOWN),
        ("SCTP", 443, Verdict.BLOCKED),
    ],
)
def test_ports_of_a_rule_count_for_protocols_that_have_ports(
    protocol: str, port: int | None, verdict: Verdict
) -> None:
    flow = Flow("10.1.0.4", "93.184.216.34", protocol, port)
    denies = rule("r", 100, "Deny Outbound", destinationPortRange="443")
    assert decided(denies, flow=flow).verdict is verdict


def test_ipv6_addresses_match_ipv6_prefixes_alone() -> None:
    flow = Flow("fd00::4", "2606:2800:220:1::", "TCP", 443)
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefix="2606:2800:220::/48")
    assert decided(denies, flow=flow).verdict is Verdict.BLOCKED
    assert decided(denies).verdict is Verdict.ALLOWED


def test_a_rule_that_may_apply_changes_nothing_where_it_says_the_same() -> None:
    decision = decided(rule("maybe", 100, "Allow Outbound", sourcePortRange="53"))
    assert decision.verdict is Verdict.ALLOWED
    assert decision.gaps == ()


def test_a_rule_that_may_turn_the_outcome_is_named_with_what_would_tell() -> None:
    decision = decided(rule("maybe", 100, "Deny Outbound", destinationAddressPrefix="Storage"))
    assert [one.name for one in decision.by] == ["web-nsg/maybe", "web-nsg/AllowInternetOutBound"]
    (gap,) = decision.gaps
    assert gap.what == "whether web-nsg/maybe applies: the ranges of Storage were not read"
    assert gap.to_open == "az network list-service-tags -l {location} -o json"


def test_default_rules_in_the_document_count_instead_of_the_implied_ones() -> None:
    open_door = rule("Open", 65000, "Allow Inbound")
    decision = decided(flow=FROM_OUTSIDE, crossing=IN, defaultSecurityRules=[open_door])
    assert decision.verdict is Verdict.ALLOWED


def test_a_group_whose_default_rules_are_cut_short_is_unknown() -> None:
    cut = rule("AllowVnetInBound", 65000, "Allow Inbound", sourceAddressPrefix="VirtualNetwork")
    decision = decided(flow=FROM_OUTSIDE, crossing=IN, defaultSecurityRules=[cut])
    assert decision.verdict is Verdict.UNKNOWN
    assert decision.gaps[0].to_open == f"az network nsg show --ids {NSG} -o json"


def test_ports_that_matter_are_one_of_each_stretch_that_is_treated_alike() -> None:
    rules = [
        rule("a", 100, "Deny Outbound", protocol="Tcp", destinationPortRange="443"),
        rule("b", 110, "Allow Outbound", destinationPortRange="8000-8100"),
        rule("c", 120, "Deny Outbound", protocol="Udp", destinationPortRange="53"),
        rule("d", 130, "Deny Inbound", destinationPortRange="22"),
    ]
    snapshot = seen(network(), group(*rules))
    assert ports_that_matter(snapshot, OUT, "TCP") == (1, 443, 444, 8000, 8101)


def test_nobody_saved_the_crossing_so_nothing_is_said() -> None:
    assert decide(seen(), Crossing("Outbound", SUBNET), WEB) is None
    assert decide(seen(), Crossing("Outbound", ""), WEB) is None

"""Subnet and interface: which groups a flow meets, in which order, and what nobody read."""

from typing import Any

import pytest
from nsg_kit import (  # type: ignore[import-not-found]
    IN,
    NETWORK,
    NIC,
    NODE_NSG,
    NSG,
    OUT,
    SCALE_SET,
    SUBNET,
    WEB,
    group,
    interface,
    network,
    rule,
    seen,
    subnet,
)

from sickbay.bundle.build import Builder
from sickbay.bundle.foreign.effective_rules import is_effective, take_effective
from sickbay.model.evidence import Origin, Text
from sickbay.model.snapshot import Snapshot
from sickbay.network.flow import Flow
from sickbay.network.nsg import Crossing, decide
from sickbay.network.traffic import Decision, Verdict

BOTH_OUT = Crossing("Outbound", SUBNET, NIC)
BOTH_IN = Crossing("Inbound", SUBNET, NIC)
INSIDE = Flow("10.1.0.4", "10.1.0.5", "TCP", 443)
DENY = rule("none", 100, "Deny Outbound")
DENY_IN = rule("none", 100, "Deny Inbound")
AT_NIC = interface("10.1.0.4") | {"networkSecurityGroup": {"id": NODE_NSG}}
ENDPOINT = f"{NETWORK}/networkInterfaces/pe-nic"


def asked(snapshot: Snapshot, crossing: Crossing, flow: Flow = WEB) -> Decision:
    found = decide(snapshot, crossing, flow)
    assert found is not None
    return found


def names(decision: Decision) -> list[str]:
    return [one.name for one in decision.by]


def both(at_subnet: dict[str, Any], at_nic: dict[str, Any]) -> Snapshot:
    snapshot: Snapshot = seen(network(), at_subnet, at_nic, AT_NIC)
    return snapshot


def test_outbound_the_interface_is_asked_first_and_both_must_allow() -> None:
    decision = asked(both(group(), group(id=NODE_NSG)), BOTH_OUT)
    assert decision.verdict is Verdict.ALLOWED
    assert names(decision) == [
        "aks-agentpool-1-nsg/AllowInternetOutBound",
        "web-nsg/AllowInternetOutBound",
    ]


def test_inbound_the_subnet_is_asked_first() -> None:
    decision = asked(both(group(), group(id=NODE_NSG)), BOTH_IN, INSIDE)
    assert names(decision) == ["web-nsg/AllowVnetInBound", "aks-agentpool-1-nsg/AllowVnetInBound"]


@pytest.mark.parametrize(
    ("at_subnet", "at_nic", "by"),
    [
        (group(DENY), group(id=NODE_NSG), "web-nsg/none"),
        (group(), group(DENY, id=NODE_NSG), "aks-agentpool-1-nsg/none"),
        (group(DENY), group(DENY, id=NODE_NSG), "aks-agentpool-1-nsg/none"),
    ],
)
def test_one_group_that_denies_is_enough(
    at_subnet: dict[str, Any], at_nic: dict[str, Any], by: str
) -> None:
    decision = asked(both(at_subnet, at_nic), BOTH_OUT)
    assert decision.verdict is Verdict.BLOCKED
    assert names(decision) == [by]


def test_a_group_behind_one_that_denies_is_not_asked() -> None:
    decision = asked(both(group(DENY_IN), group(id=NODE_NSG)), BOTH_IN, INSIDE)
    assert [one.name for one in decision.considered] == ["web-nsg/none"]


def test_traffic_within_one_subnet_is_filtered_too() -> None:
    decision = asked(seen(network(), group(DENY_IN)), IN, INSIDE)
    assert decision.verdict is Verdict.BLOCKED


def test_a_subnet_without_a_group_lets_everything_pass() -> None:
    decision = asked(seen(network(subnet(nsg=""))), OUT)
    assert decision.verdict is Verdict.ALLOWED
    (considered,) = decision.considered
    assert (considered.kind, considered.name) == ("Subnet", "aks-subnet")
    assert considered.says == "has no network security group"


def test_a_group_that_was_not_read_is_unknown_and_named() -> None:
    decision = asked(seen(network()), OUT)
    assert decision.verdict is Verdict.UNKNOWN
    assert names(decision) == ["web-nsg"]
    assert decision.gaps[0].to_open == f"az network nsg show --ids {NSG} -o json"


def test_a_group_that_was_not_read_does_not_hide_one_that_denies() -> None:
    decision = asked(seen(network(), AT_NIC, group(DENY, id=NODE_NSG)), BOTH_OUT)
    assert decision.verdict is Verdict.BLOCKED


def test_a_group_without_any_list_of_rules_was_not_read() -> None:
    row = {"id": NSG, "name": "web-nsg", "location": "westeurope"}
    assert asked(seen(network(), row), OUT).verdict is Verdict.UNKNOWN


def test_a_subnet_of_which_only_the_name_is_known_was_not_read() -> None:
    assert decide(seen({"id": SUBNET, "name": "aks-subnet"}), OUT, WEB) is None


def test_default_rules_are_asked_once_where_users_wrote_none() -> None:
    default = rule("DenyAllOutBound", 65500, "Deny Outbound")
    first = rule("AllowUdp", 65000, "Allow Outbound", protocol="Udp")
    decision = asked(seen(network(), group(defaultSecurityRules=[default, first])), OUT)
    assert [one.name for one in decision.considered] == [
        "web-nsg/AllowUdp",
        "web-nsg/DenyAllOutBound",
    ]


def test_an_interface_that_nobody_saved_is_a_gap_and_no_doubt() -> None:
    decision = asked(seen(network(), group()), BOTH_OUT)
    assert decision.verdict is Verdict.ALLOWED
    assert [gap.what for gap in decision.gaps] == [
        "the security group of network interface aks-pool-vmss"
    ]


def test_a_subnet_that_nobody_saved_is_a_gap_and_no_doubt() -> None:
    decision = asked(seen(AT_NIC, group(DENY, id=NODE_NSG)), BOTH_OUT)
    assert decision.verdict is Verdict.BLOCKED


def test_a_group_tells_which_subnet_it_stands_at() -> None:
    told = group(DENY, subnets=[{"id": SUBNET.upper()}])
    assert asked(seen(told), OUT).verdict is Verdict.BLOCKED


def test_a_group_at_one_instance_of_a_scale_set_stands_at_all() -> None:
    nic = f"{SCALE_SET}/virtualMachines/7/networkInterfaces/aks-pool-vmss"
    told = group(DENY, id=NODE_NSG, networkInterfaces=[{"id": NIC}])
    decision = asked(seen(network(), group(), told), Crossing("Outbound", SUBNET, nic))
    assert names(decision) == ["aks-agentpool-1-nsg/none"]


def test_ids_compare_without_case() -> None:
    snapshot = seen(network(subnet(nsg=NSG.upper())), group(DENY))
    decision = asked(snapshot, Crossing("Outbound", SUBNET.upper()))
    assert decision.verdict is Verdict.BLOCKED


def test_rules_in_documents_of_their_own_belong_to_their_group() -> None:
    alone = DENY | {"id": f"{NSG.upper()}/securityRules/none"}
    assert asked(seen(network(), group(), alone), OUT).verdict is Verdict.BLOCKED


def test_a_complete_list_of_rules_stands_for_its_group() -> None:
    rules = [
        DENY | {"id": f"{NSG}/securityRules/none", "name": "none"},
        rule("a", 200, "Allow Outbound") | {"id": f"{NSG}/securityRules/a"},
    ]
    kind = "Microsoft.Network/networkSecurityGroups/securityRules"
    snapshot = seen(network(), *rules)
    assert asked(snapshot, OUT).verdict is Verdict.UNKNOWN
    assert asked(snapshot.with_seen([(kind, NSG)]), OUT).verdict is Verdict.BLOCKED


@pytest.mark.parametrize(
    ("policies", "verdict"),
    [
        ("Disabled", Verdict.ALLOWED),
        (None, Verdict.ALLOWED),
        ("RouteTableEnabled", Verdict.ALLOWED),
        ("Enabled", Verdict.BLOCKED),
        ("NetworkSecurityGroupEnabled", Verdict.BLOCKED),
    ],
)
def test_a_private_endpoint_meets_the_group_where_its_subnet_says_so(
    policies: str | None, verdict: Verdict
) -> None:
    nic = interface("10.1.0.9", id=ENDPOINT) | {"privateEndpoint": {"id": f"{NETWORK}/x/pe"}}
    at = subnet(privateEndpointNetworkPolicies=policies)
    snapshot = seen(network(at), group(DENY_IN), nic)
    assert asked(snapshot, IN, INSIDE._replace(destination="10.1.0.9")).verdict is verdict
    assert asked(snapshot, IN, INSIDE).verdict is Verdict.BLOCKED


class Deaf:
    def add(self, text: Text) -> None: ...
    def scan_blocks(self, blocks: object, frame: object) -> None: ...


def effective(association: dict[str, Any], **fields: Any) -> dict[str, Any]:
    opened = {
        "name": "securityRules/web",
        "priority": 100,
        "direction": "Inbound",
        "access": "Allow",
        "protocol": "All",
        "sourceAddressPrefix": "Storage",
        "expandedSourceAddressPrefix": ["203.0.113.0/24"],
        "sourcePortRanges": ["0-65535"],
        "destinationAddressPrefix": "0.0.0.0/0",
        "destinationPortRanges": ["443-443"],
    }
    closed = opened | {
        "name": "defaultSecurityRules/DenyAllInBound",
        "priority": 65500,
        "access": "Deny",
        "sourceAddressPrefix": "0.0.0.0/0",
        "expandedSourceAddressPrefix": None,
        "destinationPortRanges": ["0-65535"],
    }
    return {
        "association": association,
        "networkSecurityGroup": {"id": NODE_NSG},
        "effectiveSecurityRules": [closed, opened | fields],
    }


def taken(*groups: dict[str, Any]) -> Snapshot:
    builder = Builder(Deaf())
    for number, one in enumerate(groups):
        assert is_effective(one)
        take_effective(one, Origin("effective.json", f"$.value[{number}]"), builder)
    return builder.finish()


@pytest.mark.parametrize(
    ("source", "verdict"), [("203.0.113.9", Verdict.ALLOWED), ("8.8.8.8", Verdict.BLOCKED)]
)
@pytest.mark.parametrize(
    "association", [{"networkInterface": {"id": NIC}}, {"subnet": {"id": SUBNET}}]
)
def test_what_the_platform_says_that_it_does_needs_no_list_of_tags(
    association: dict[str, Any], source: str, verdict: Verdict
) -> None:
    decision = asked(taken(effective(association)), BOTH_IN, INSIDE._replace(source=source))
    assert decision.verdict is verdict


def test_effective_rules_of_an_interface_say_nothing_of_its_subnet() -> None:
    association = {"networkInterface": {"id": NIC}, "subnet": {"id": SUBNET}}
    assert decide(taken(effective(association)), IN, INSIDE) is None


def test_an_effective_rule_is_named_as_the_rule_that_it_is() -> None:
    snapshot = taken(effective({"networkInterface": {"id": NIC}}))
    decision = asked(snapshot, BOTH_IN, INSIDE._replace(source="203.0.113.9"))
    (by,) = decision.by
    assert by.name == "aks-agentpool-1-nsg/web"
    assert by.ref is not None
    assert by.ref.id == f"{NODE_NSG}/securityRules/web"


def test_a_member_of_a_wrong_type_in_effective_rules_is_a_gap() -> None:
    snapshot = taken(effective({"networkInterface": {"id": NIC}}, priority="high"))
    assert "priority" in snapshot.gaps[0].what


@pytest.mark.parametrize("other", [{}, {"effectiveSecurityRules": 1, "association": {}}])
def test_other_documents_are_not_taken_for_effective_rules(other: dict[str, Any]) -> None:
    assert not is_effective(other)

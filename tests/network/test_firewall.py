"""What an Azure Firewall says of a flow."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_kit import NETWORK, Document, evidence, resource  # type: ignore[import-not-found]

from sickbay.network.firewall import decide, is_firewall
from sickbay.network.firewall_match import fits
from sickbay.network.flow import Flow
from sickbay.network.traffic import Decision, Verdict

ADDRESS = "10.0.1.4"
POLICY = f"{NETWORK}/firewallPolicies/egress"
PARENT = f"{NETWORK}/firewallPolicies/base"
GROUPS = "Microsoft.Network/firewallPolicies/ruleCollectionGroups"
HTTPS = [{"protocolType": "Https", "port": 443}]
ALLOWED, BLOCKED, UNKNOWN = Verdict.ALLOWED, Verdict.BLOCKED, Verdict.UNKNOWN


def firewall(policy: str = POLICY, **more: Any) -> Document:
    if policy:
        more["firewallPolicy"] = {"id": policy}
    front = {"name": "a", "properties": {"privateIPAddress": ADDRESS}}
    body = resource(f"{NETWORK}/azureFirewalls/fw", ipConfigurations=[front], **more)
    return {**body, "location": "westeurope"}


def policy(*groups: Document, id: str = POLICY, **more: Any) -> Document:
    return resource(id, ruleCollectionGroups=[{"id": group["id"]} for group in groups], **more)


def group(
    *collections: Document, name: str = "main", priority: int = 200, of: str = POLICY
) -> Document:
    return resource(
        f"{of}/ruleCollectionGroups/{name}", priority=priority, ruleCollections=list(collections)
    )


def collection(
    *rules: Document, action: str = "Allow", priority: int = 100, name: str = "c"
) -> Document:
    return {
        "ruleCollectionType": "FirewallPolicyFilterRuleCollection",
        "name": name,
        "priority": priority,
        "action": {"type": action},
        "rules": list(rules),
    }


def network_rule(name: str = "n", **more: Any) -> Document:
    return {
        "ruleType": "NetworkRule",
        "name": name,
        "ipProtocols": ["TCP"],
        "sourceAddresses": ["*"],
        "destinationAddresses": ["*"],
        "destinationPorts": ["443"],
        **more,
    }


def application_rule(*fqdns: str, name: str = "a", **more: Any) -> Document:
    return {
        "ruleType": "ApplicationRule",
        "name": name,
        "protocols": HTTPS,
        "sourceAddresses": ["*"],
        "targetFqdns": list(fqdns),
        **more,
    }


def to(
    fqdn: str = "", address: str = "20.1.2.3", port: int | None = 443, protocol: str = "TCP"
) -> Flow:
    return Flow("10.1.0.5", address, protocol, port, destination_fqdn=fqdn)


def asked(flow: Flow, *collections: Document, more: tuple[Document, ...] = ()) -> Decision:
    groups = group(*collections)
    return decide(evidence(firewall(), policy(groups), groups, *more), ADDRESS, flow)


def verdict(flow: Flow, *rules: Document, more: tuple[Document, ...] = ()) -> Verdict:
    return asked(flow, collection(*rules), more=more).verdict


def test_what_no_rule_matches_is_denied() -> None:
    decision = asked(to("example.com"), collection(application_rule("mcr.microsoft.com")))
    assert decision.verdict is BLOCKED
    (by,) = decision.by
    assert (by.kind, by.name) == ("AzureFirewall", "fw")
    assert by.says == ("denies TCP 443 to example.com by default: none of its 1 rules matches")


def test_the_deciding_rule_is_named_with_its_place_and_priorities() -> None:
    (by,) = asked(to(), collection(network_rule())).by
    assert (by.kind, by.name) == ("FirewallPolicy", "egress/main/c/n")
    assert by.says == "allows TCP 443 to 20.1.2.3 at group priority 200, priority 100"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ALLOWED),
        ({"ipProtocols": ["UDP"]}, BLOCKED),
        ({"ipProtocols": ["Any"]}, ALLOWED),
        ({"destinationPorts": ["*"]}, ALLOWED),
        ({"destinationPorts": ["400-500"]}, ALLOWED),
        ({"destinationPorts": ["80", "8443"]}, BLOCKED),
        ({"destinationPorts": ["rubbish"]}, BLOCKED),
        ({"destinationPorts": ["1-rubbish"]}, BLOCKED),
        ({"destinationPorts": ["9" * 9999]}, BLOCKED),
        ({"sourceAddresses": ["10.1.0.0/16"]}, ALLOWED),
        ({"sourceAddresses": ["10.2.0.0/16"]}, BLOCKED),
        ({"sourceAddresses": ["10.1.0.1-10.1.0.9"]}, ALLOWED),
        ({"destinationAddresses": ["20.1.2.3"]}, ALLOWED),
        ({"destinationAddresses": ["20.1.0.0/16"]}, ALLOWED),
        ({"destinationAddresses": ["20.2.0.0/16"]}, BLOCKED),
        ({"destinationAddresses": ["20.1.2.1-20.1.2.9"]}, ALLOWED),
    ],
)
def test_a_network_rule_matches_by_all_its_parts(change: Document, expected: Verdict) -> None:
    assert verdict(to(), network_rule(**change)) is expected


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("mcr.microsoft.com", "mcr.microsoft.com", ALLOWED),
        ("MCR.microsoft.com", "mcr.Microsoft.com.", ALLOWED),
        ("*.data.mcr.microsoft.com", "eu.data.mcr.microsoft.com", ALLOWED),
        ("*.microsoft.com", "a.b.microsoft.com", ALLOWED),
        ("*.microsoft.com", "microsoft.com", BLOCKED),
        ("*.microsoft.com", "evilmicrosoft.com", BLOCKED),
        ("*", "anything.example", ALLOWED),
        ("mcr.microsoft.com", "", UNKNOWN),
        ("*", "", ALLOWED),
    ],
)
def test_an_application_rule_matches_by_name(pattern: str, name: str, expected: Verdict) -> None:
    assert verdict(to(name), application_rule(pattern)) is expected


@pytest.mark.parametrize(
    ("flow", "expected"),
    [
        (to("a.example", port=80), BLOCKED),
        (to("a.example", port=443, protocol="UDP"), BLOCKED),
        (to("a.example", port=None), UNKNOWN),
    ],
)
def test_an_application_rule_holds_for_its_ports_of_tcp(flow: Flow, expected: Verdict) -> None:
    assert verdict(flow, application_rule("*")) is expected


def test_network_rules_come_before_application_rules_whatever_their_priority() -> None:
    deny = collection(network_rule(), action="Deny", priority=65000, name="late")
    allow = collection(application_rule("*"), priority=100, name="early")
    decision = asked(to("a.example"), allow, deny)
    assert (decision.verdict, decision.by[0].name) == (BLOCKED, "egress/main/late/n")
    assert [one.name for one in decision.considered] == ["egress/main/late/n"]


def test_the_lower_priority_of_a_collection_is_asked_first() -> None:
    deny = collection(network_rule(), action="Deny", priority=300, name="deny")
    allow = collection(network_rule(), priority=200, name="allow")
    assert asked(to(), deny, allow).verdict is ALLOWED


def test_the_priority_of_the_group_comes_before_that_of_the_collection() -> None:
    first = group(collection(network_rule(), action="Deny", priority=900), name="z", priority=100)
    second = group(collection(network_rule(), priority=100), name="a", priority=200)
    snapshot = evidence(firewall(), policy(first, second), first, second)
    assert decide(snapshot, ADDRESS, to()).verdict is BLOCKED


def test_the_parent_policy_comes_before_its_child() -> None:
    own = group(collection(network_rule()), priority=100)
    above = group(collection(network_rule(), action="Deny"), priority=60000, of=PARENT)
    child = policy(own, basePolicy={"id": PARENT})
    snapshot = evidence(firewall(), child, own, policy(above, id=PARENT), above)
    decision = decide(snapshot, ADDRESS, to())
    assert (decision.verdict, decision.by[0].name) == (BLOCKED, "base/main/c/n")


def test_policies_that_inherit_in_a_ring_end() -> None:
    own = group(collection(network_rule()))
    snapshot = evidence(firewall(), policy(own, basePolicy={"id": POLICY}), own)
    assert decide(snapshot, ADDRESS, to()).verdict is ALLOWED


def test_a_parent_policy_that_was_not_read_leaves_all_open() -> None:
    own = group(collection(network_rule()))
    decision = decide(
        evidence(firewall(), policy(own, basePolicy={"id": PARENT}), own), ADDRESS, to()
    )
    assert decision.verdict is UNKNOWN
    assert decision.gaps[0].to_open == f"az network firewall policy show --ids {PARENT} -o json"


@pytest.mark.parametrize("documents", [(), (policy(group()),)])
def test_groups_that_were_not_read_leave_all_open(documents: tuple[Document, ...]) -> None:
    decision = decide(evidence(firewall(), *documents), ADDRESS, to())
    assert decision.verdict is UNKNOWN
    assert "rule-collection-group list -g net --policy-name egress" in decision.gaps[0].to_open


def test_groups_that_were_listed_to_the_end_need_no_policy() -> None:
    seen = ({"kind": GROUPS, "scope": POLICY},)
    snapshot = evidence(firewall(), group(collection(network_rule())), seen=seen)
    assert decide(snapshot, ADDRESS, to()).verdict is ALLOWED


def test_a_firewall_without_a_policy_has_rules_of_its_own() -> None:
    own = {
        "name": "c",
        "properties": {
            "priority": 100,
            "action": {"type": "Allow"},
            "rules": [
                {
                    "name": "n",
                    "protocols": ["UDP"],
                    "sourceAddresses": ["*"],
                    "destinationAddresses": ["*"],
                    "destinationPorts": ["123"],
                }
            ],
        },
    }
    snapshot = evidence(firewall("", networkRuleCollections=[own]))
    ntp = decide(snapshot, ADDRESS, to("ntp.ubuntu.com", port=123, protocol="UDP"))
    assert (ntp.verdict, ntp.by[0].name) == (ALLOWED, "fw/c/n")
    assert decide(snapshot, ADDRESS, to("mcr.microsoft.com")).verdict is BLOCKED


def test_a_firewall_without_any_rule_denies_all() -> None:
    assert decide(evidence(firewall("")), ADDRESS, to()).verdict is BLOCKED


def test_nat_rules_come_first_and_let_pass_what_they_translate() -> None:
    nat = {
        "ruleCollectionType": "FirewallPolicyNatRuleCollection",
        "name": "in",
        "priority": 60000,
        "action": {"type": "DNAT"},
        "rules": [
            network_rule("web", destinationAddresses=["20.9.9.9"], translatedAddress="10.1.0.7")
            | {"ruleType": "NatRule"}
        ],
    }
    deny = collection(network_rule(), action="Deny", name="deny")
    assert asked(to(address="20.9.9.9"), nat, deny).verdict is ALLOWED


@pytest.mark.parametrize(
    ("name", "expected"),
    [("mcr.microsoft.com", ALLOWED), ("www.example.com", BLOCKED)],
)
def test_the_tag_of_aks_stands_for_the_names_that_aks_needs(name: str, expected: Verdict) -> None:
    rule = application_rule(fqdnTags=["AzureKubernetesService"])
    assert verdict(to(name), rule) is expected


def test_another_tag_can_be_told_and_is_open_otherwise() -> None:
    groups = group(collection(application_rule(fqdnTags=["WindowsUpdate"])))
    snapshot = evidence(firewall(), policy(groups), groups)
    flow = to("update.example")
    told = decide(snapshot, ADDRESS, flow, lambda _: frozenset({"*.example"}))
    assert told.verdict is ALLOWED
    assert decide(snapshot, ADDRESS, flow).verdict is UNKNOWN


def test_a_web_category_is_not_guessed() -> None:
    decision = asked(to("a.example"), collection(application_rule(webCategories=["News"])))
    assert decision.verdict is UNKNOWN
    assert "web category" in decision.gaps[0].source


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("a.example/*", ALLOWED),
        ("https://a.example", ALLOWED),
        ("a.example/only/this", UNKNOWN),
        ("b.example/*", BLOCKED),
    ],
)
def test_a_rule_for_a_part_of_a_site_is_open(url: str, expected: Verdict) -> None:
    assert verdict(to("a.example"), application_rule(targetUrls=[url])) is expected


@pytest.mark.parametrize(("proxy", "expected"), [(True, ALLOWED), (False, UNKNOWN)])
def test_a_name_in_a_network_rule_needs_the_dns_proxy(proxy: bool, expected: Verdict) -> None:
    rule = network_rule(destinationAddresses=[], destinationFqdns=["ntp.ubuntu.com"])
    own = group(collection(rule))
    snapshot = evidence(firewall(), policy(own, dnsSettings={"enableProxy": proxy}), own)
    assert decide(snapshot, ADDRESS, to("ntp.ubuntu.com", "")).verdict is expected
    assert decide(snapshot, ADDRESS, to("time.example", "")).verdict is BLOCKED


GROUP_ID = f"{NETWORK}/ipGroups/nodes"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ((resource(GROUP_ID, ipAddresses=["10.1.0.0/24"]),), ALLOWED),
        ((resource(GROUP_ID, ipAddresses=["10.2.0.0/24"]),), BLOCKED),
        ((), UNKNOWN),
    ],
)
def test_a_group_of_addresses_counts_as_its_members(
    more: tuple[Document, ...], expected: Verdict
) -> None:
    rule = network_rule(sourceAddresses=[], sourceIpGroups=[GROUP_ID])
    assert verdict(to(), rule, more=more) is expected


TAGS = {
    "id": "/subscriptions/s/providers/Microsoft.Network/serviceTags/public",
    "name": "public",
    "values": [{"name": "AzureMonitor", "properties": {"addressPrefixes": ["20.1.0.0/16"]}}],
}


@pytest.mark.parametrize(
    ("flow", "more", "expected"),
    [
        (to(), (TAGS,), ALLOWED),
        (to(address="20.2.0.1"), (TAGS,), BLOCKED),
        (to(), (), UNKNOWN),
        (to(address="10.9.9.9"), (), BLOCKED),
        (to("x.ods.opinsights.azure.com", ""), (), ALLOWED),
    ],
)
def test_a_service_tag_counts_by_its_ranges_or_by_the_name(
    flow: Flow, more: tuple[Document, ...], expected: Verdict
) -> None:
    assert verdict(flow, network_rule(destinationAddresses=["AzureMonitor"]), more=more) is expected


def test_an_open_rule_that_would_change_nothing_leaves_the_answer_known() -> None:
    maybe = network_rule(destinationAddresses=["AzureMonitor"])
    decision = asked(to(), collection(maybe, network_rule("all")))
    assert (decision.verdict, decision.by[0].name) == (ALLOWED, "egress/main/c/all")


def test_an_appliance_of_another_make_is_unknown_by_its_address() -> None:
    decision = decide(evidence(), "10.0.9.9", to())
    assert decision.verdict is UNKNOWN
    assert (decision.by[0].kind, decision.by[0].name) == ("VirtualAppliance", "10.0.9.9")
    assert decision.gaps[0].to_open == "az network firewall list -o json"


def test_an_appliance_behind_a_load_balancer_is_named_by_it() -> None:
    front = {"name": "f", "properties": {"privateIPAddress": "10.0.9.9"}}
    balancer = resource(f"{NETWORK}/loadBalancers/nva", frontendIPConfigurations=[front])
    decision = decide(evidence(balancer), "10.0.9.9", to())
    assert "behind the load balancer nva" in decision.by[0].says


def test_a_firewall_of_a_virtual_hub_has_its_address_elsewhere() -> None:
    hub = resource(
        f"{NETWORK}/azureFirewalls/hub", hubIPAddresses={"privateIPAddress": "10.9.0.132"}
    )
    assert is_firewall(evidence(hub), "10.9.0.132")


def test_two_firewalls_of_one_address_that_disagree_leave_it_open() -> None:
    own = group(collection(network_rule()))
    other = firewall("") | {"id": f"{NETWORK}/azureFirewalls/other", "name": "other"}
    snapshot = evidence(firewall(), policy(own), own, other)
    assert decide(snapshot, ADDRESS, to()).verdict is UNKNOWN


@pytest.mark.parametrize(
    ("source", "expected"), [("*", ALLOWED), ("10.0.0.0/8", BLOCKED), ("20.0.0.0/8", UNKNOWN)]
)
def test_the_internet_as_a_sender_is_every_public_address(source: str, expected: Verdict) -> None:
    flow = Flow("", "10.1.0.7", "TCP", 443, source_is_internet=True)
    assert verdict(flow, network_rule(sourceAddresses=[source])) is expected


@settings(max_examples=200, deadline=None)
@given(pattern=st.text("ab*", max_size=6), name=st.text("ab", max_size=6))
def test_a_pattern_fits_as_one_that_tries_everything_says(pattern: str, name: str) -> None:
    def brute(want: str, have: str) -> bool:
        if not want:
            return not have
        if want[0] == "*":
            return any(brute(want[1:], have[at:]) for at in range(len(have) + 1))
        return bool(have) and want[0] == have[0] and brute(want[1:], have[1:])

    assert fits(pattern, name) == brute(pattern, name)

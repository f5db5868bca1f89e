"""Custom DNS servers of a network: strangers, private resolvers, firewalls, forwarding rules."""

from typing import Any

import pytest
from names_kit import (  # type: ignore[import-not-found]
    API_NAME,
    API_ZONE,
    HUB,
    NETWORK,
    RECORDS,
    SPOKE,
    Document,
    a_record,
    evidence,
    link,
    network,
    resource,
    zone,
)

from sickbay.network.names import resolve
from sickbay.network.names_answers import Resolution
from sickbay.network.traffic import Verdict

ALLOWED, BLOCKED, UNKNOWN = Verdict.ALLOWED, Verdict.BLOCKED, Verdict.UNKNOWN
RESOLVER = f"{NETWORK}/dnsResolvers/res"
FIREWALL = f"{NETWORK}/azureFirewalls/fw"
POLICY = f"{NETWORK}/firewallPolicies/fp"
RULESET = f"{NETWORK}/dnsForwardingRulesets/rules"
RECORD = a_record(API_ZONE, "prod-1.guid", "10.1.0.4")


def api_zone_linked_to(to: str) -> tuple[Document, ...]:
    return (zone(API_ZONE, 1), link(API_ZONE, to), RECORD)


def asked(*documents: Document, servers: tuple[str, ...], name: str = API_NAME) -> Resolution:
    hub = network(HUB, "10.0.0.0/24")
    spoke = network(SPOKE, "10.1.0.0/24", servers=servers)
    return resolve(evidence(hub, spoke, *documents, seen=RECORDS), name, SPOKE)


def test_a_server_that_no_evidence_describes_leaves_the_answer_open() -> None:
    found = asked(*api_zone_linked_to(SPOKE), servers=("10.0.0.53",))
    assert found.verdict is UNKNOWN
    assert found.gaps[0].to_open == f"nslookup {API_NAME} 10.0.0.53"


def test_the_network_of_a_stranger_tells_whether_the_zone_would_reach_it() -> None:
    found = asked(*api_zone_linked_to(SPOKE), servers=("10.0.0.53",))
    assert found.answered_by is not None
    assert "stands in network hub" in found.answered_by.says
    assert any(one.says == "is not linked to hub, only to spoke" for one in found.considered)


def test_azure_dns_among_the_servers_of_a_network_is_what_it_is_by_default() -> None:
    found = asked(*api_zone_linked_to(SPOKE), servers=("168.63.129.16",))
    assert found.addresses == ("10.1.0.4",)


def test_servers_that_disagree_leave_the_answer_open() -> None:
    found = asked(*api_zone_linked_to(SPOKE), servers=("168.63.129.16", "10.0.0.53"))
    assert found.verdict is UNKNOWN


def resolver() -> tuple[Document, ...]:
    entrance = resource(
        f"{RESOLVER}/inboundEndpoints/in", ipConfigurations=[{"privateIpAddress": "10.0.0.4"}]
    )
    return (resource(RESOLVER, virtualNetwork={"id": HUB}), entrance)


def test_a_private_resolver_answers_for_its_own_network() -> None:
    found = asked(*resolver(), *api_zone_linked_to(HUB), servers=("10.0.0.4",))
    assert (found.verdict, found.addresses) == (ALLOWED, ("10.1.0.4",))


def test_a_zone_that_only_the_spoke_has_is_unknown_to_the_resolver_in_the_hub() -> None:
    found = asked(*resolver(), *api_zone_linked_to(SPOKE), servers=("10.0.0.4",))
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert found.answered_by.says == "is not linked to hub, only to spoke"


def test_a_resolver_of_which_only_the_entrance_was_read_stands_in_its_subnet() -> None:
    part = {"privateIpAddress": "10.0.0.4", "subnet": {"id": f"{HUB}/subnets/in"}}
    entrance = resource(f"{RESOLVER}/inboundEndpoints/in", ipConfigurations=[part])
    found = asked(entrance, *api_zone_linked_to(HUB), servers=("10.0.0.4",))
    assert found.addresses == ("10.1.0.4",)


def firewall(policy: str = POLICY, **more: Any) -> Document:
    part = {"privateIPAddress": "10.0.0.68", "subnet": {"id": f"{HUB}/subnets/AzureFirewallSubnet"}}
    return resource(
        FIREWALL,
        ipConfigurations=[{"name": "c", "properties": part}],
        firewallPolicy={"id": policy} if policy else None,
        **more,
    )


def test_a_firewall_with_a_proxy_answers_for_its_own_network() -> None:
    policy = resource(POLICY, dnsSettings={"enableProxy": True})
    found = asked(firewall(), policy, *api_zone_linked_to(HUB), servers=("10.0.0.68",))
    assert found.addresses == ("10.1.0.4",)


def test_a_firewall_without_a_proxy_answers_nobody() -> None:
    policy = resource(POLICY, dnsSettings={"enableProxy": False})
    found = asked(firewall(), policy, *api_zone_linked_to(HUB), servers=("10.0.0.68",))
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert "its DNS proxy is off" in found.answered_by.says


def test_a_firewall_whose_policy_nobody_read_leaves_the_answer_open() -> None:
    found = asked(firewall(), *api_zone_linked_to(HUB), servers=("10.0.0.68",))
    assert found.verdict is UNKNOWN
    assert found.gaps[0].to_open == "az network firewall policy list -o json"


@pytest.mark.parametrize(("value", "verdict"), [("true", ALLOWED), ("false", BLOCKED)])
def test_a_firewall_without_a_policy_has_the_setting_itself(value: str, verdict: Verdict) -> None:
    settings = {"Network.DNS.EnableProxy": value}
    made = firewall("", additionalProperties=settings)
    assert asked(made, *api_zone_linked_to(HUB), servers=("10.0.0.68",)).verdict is verdict


def test_a_proxy_that_asks_a_stranger_leaves_the_answer_open() -> None:
    policy = resource(POLICY, dnsSettings={"enableProxy": True, "servers": ["192.168.0.53"]})
    found = asked(firewall(), policy, *api_zone_linked_to(HUB), servers=("10.0.0.68",))
    assert found.verdict is UNKNOWN
    assert found.gaps[0].to_open == f"nslookup {API_NAME} 192.168.0.53"


def test_a_proxy_that_asks_itself_resolves_nothing() -> None:
    policy = resource(POLICY, dnsSettings={"enableProxy": True, "servers": ["10.0.0.68"]})
    found = asked(firewall(), policy, servers=("10.0.0.68",))
    assert found.verdict is BLOCKED


def ruleset(domain: str, *targets: str, state: str = "Enabled") -> tuple[Document, ...]:
    servers = [{"ipAddress": one, "port": 53} for one in targets]
    rule = resource(
        f"{RULESET}/forwardingRules/corp",
        domainName=domain,
        targetDnsServers=servers,
        forwardingRuleState=state,
    )
    tie = resource(f"{RULESET}/virtualNetworkLinks/spoke", virtualNetwork={"id": SPOKE})
    return (rule, tie)


def test_a_forwarding_rule_sends_its_domain_to_its_targets() -> None:
    found = asked(*ruleset("corp.example.", "192.168.0.53"), servers=(), name="db.corp.example")
    assert found.verdict is UNKNOWN
    assert found.considered[0].name == "rules/corp"
    assert found.gaps[0].to_open == "nslookup db.corp.example 192.168.0.53"


def test_a_private_zone_comes_before_forwarding_rules() -> None:
    documents = (*ruleset(".", "192.168.0.53"), *api_zone_linked_to(SPOKE))
    assert asked(*documents, servers=()).addresses == ("10.1.0.4",)


def test_a_rule_that_is_switched_off_forwards_nothing() -> None:
    documents = ruleset("contoso.com.", "192.168.0.53", state="Disabled")
    assert asked(*documents, servers=(), name="www.contoso.com").verdict is ALLOWED

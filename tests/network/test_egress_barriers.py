"""Who blocks what the nodes of a cluster must reach."""

from typing import Any

import pytest
from routing_kit import (  # type: ignore[import-not-found]
    CLUSTER,
    NETWORK,
    NODE_NETWORK,
    SUBNET,
    TABLE,
    Document,
    cluster,
    evidence,
    network,
    node,
    resource,
    route,
    subnet,
    table,
)

from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import UnseenError
from sickbay.model.ids import arm
from sickbay.network.egress_barriers import (
    FIREWALL,
    GROUPS,
    ROUTES,
    Barrier,
    barrier_at,
    lesser_barrier,
)

GROUP = f"{NETWORK}/networkSecurityGroups/nsg"
WALL = f"{NETWORK}/azureFirewalls/fw"
SPACE = network("10.1.0.0/16")
TO_WALL = route("default", "0.0.0.0/0", "VirtualAppliance", "10.0.1.4")
NAMES = (
    "*.hcp.westeurope.azmk8s.io",
    "mcr.microsoft.com",
    "*.data.mcr.microsoft.com",
    "management.azure.com",
    "login.microsoftonline.com",
    "packages.microsoft.com",
    "packages.aks.azure.com",
)
ENDPOINTS = "Microsoft.Network/privateEndpoints"


def shop(outbound: str = "userDefinedRouting", **more: Any) -> Document:
    named = {"fqdn": "prod-1.hcp.westeurope.azmk8s.io", **more}
    return {**cluster(outbound, **named), "location": "westeurope"}


def wall(*fqdns: str, source: str = "*", deny: str = "") -> Document:
    allowed = _collection("allow", 200, source, fqdns)
    denied = [_collection("deny", 100, source, (deny,), "Deny")] if deny else []
    front = {"name": "a", "properties": {"privateIPAddress": "10.0.1.4"}}
    rules = [*denied, allowed]
    made = resource(WALL, ipConfigurations=[front], applicationRuleCollections=rules)
    return {**made, "location": "westeurope"}


def _collection(
    name: str, priority: int, source: str, fqdns: tuple[str, ...], action: str = "Allow"
) -> Document:
    ports = [{"protocolType": "Https", "port": 443}, {"protocolType": "Http", "port": 80}]
    rule = {"name": "r", "protocols": ports, "sourceAddresses": [source], "targetFqdns": fqdns}
    body = {"priority": priority, "action": {"type": action}, "rules": [rule]}
    return {"name": name, "properties": body}


def behind(firewall: Document, *more: Document, seen: tuple[Any, ...] = ()) -> Any:
    rows = table(TO_WALL)
    return evidence(shop(), SPACE, subnet(table=TABLE), rows, firewall, *more, seen=seen)


def at_wall(snapshot: Any) -> Barrier | None:
    return barrier_at(snapshot, arm(WALL), FIREWALL, ROUTES)


def blocked(snapshot: Any) -> list[str]:
    found = at_wall(snapshot)
    return [one.fqdn for one in found.endpoints] if found else []


def test_what_is_left_out_of_the_rules_is_told_by_name() -> None:
    rest = [name for name in NAMES if "login" not in name]
    found = at_wall(behind(wall(*rest, "*.ubuntu.com")))
    assert found
    assert found.listed == "login.microsoftonline.com:443"
    assert found.says.startswith("fw denies TCP 443 to login.microsoftonline.com by default")


def test_the_api_server_is_told_by_the_name_that_it_has() -> None:
    assert blocked(behind(wall(*NAMES[1:], "*.ubuntu.com"))) == ["prod-1.hcp.westeurope.azmk8s.io"]


def test_a_rule_that_denies_is_the_one_that_is_named() -> None:
    found = at_wall(behind(wall(*NAMES, deny="mcr.microsoft.com")))
    assert found
    assert found.by[0].name == "fw/deny/r"


@pytest.mark.parametrize(
    "names",
    [
        NAMES,
        ("prod-1.hcp.westeurope.azmk8s.io", *NAMES[1:]),
        (*NAMES[:2], "westeurope.data.mcr.microsoft.com", *NAMES[3:]),
        (*NAMES[:-1], "acs-mirror.azureedge.net"),
        ("*",),
    ],
    ids=["required", "own name", "own region", "older name", "all"],
)
def test_a_firewall_that_allows_what_is_required_is_no_barrier(names: tuple[str, ...]) -> None:
    assert blocked(behind(wall(*names))) == []


def test_of_two_names_for_one_thing_neither_allowed_is_a_barrier() -> None:
    found = blocked(behind(wall(*NAMES[:-1])))
    assert found[:2] == ["packages.aks.azure.com", "acs-mirror.azureedge.net"]


def test_rules_for_the_first_node_alone_are_no_proof() -> None:
    assert at_wall(behind(wall(*NAMES, source="10.1.0.4"))) is None


def test_rules_for_other_senders_do_not_count() -> None:
    found = blocked(behind(wall(*NAMES, source="10.1.0.4"), node("n1", "10.1.0.9")))
    assert found[0] == "prod-1.hcp.westeurope.azmk8s.io"


def test_a_route_past_the_firewall_leaves_it_open() -> None:
    rows = table(TO_WALL, route("server", "20.50.2.7/32", "Internet"))
    snapshot = evidence(shop(), SPACE, subnet(table=TABLE), rows, wall())
    with pytest.raises(UnseenError, match="rt/server"):
        at_wall(snapshot)


def test_an_appliance_of_another_make_leaves_it_open() -> None:
    other = resource(f"{NETWORK}/azureFirewalls/other", ipConfigurations=[])
    with pytest.raises(UnseenError):
        barrier_at(behind(other), arm(other["id"]), FIREWALL)


def test_a_stopped_cluster_needs_nothing() -> None:
    stopped = shop(powerState={"code": "Stopped"})
    snapshot = evidence(stopped, SPACE, subnet(table=TABLE), table(TO_WALL), wall())
    assert at_wall(snapshot) is None


def test_nodes_that_bootstrap_from_their_own_registry_need_no_other() -> None:
    cached = shop(bootstrapProfile={"artifactSource": "Cache"})
    rest = [name for name in NAMES if "mcr" not in name and "packages.aks" not in name]
    snapshot = evidence(cached, SPACE, subnet(table=TABLE), table(TO_WALL), wall(*rest))
    assert at_wall(snapshot) is None


VAULT = {"azureKeyvaultSecretsProvider": {"enabled": True}}


@pytest.mark.parametrize(
    ("seen", "names"), [((), []), ((ENDPOINTS,), ["*.vault.azure.net"])], ids=["unread", "none"]
)
def test_a_vault_counts_only_if_no_private_endpoint_can_lead_to_it(
    seen: tuple[Any, ...], names: list[str]
) -> None:
    documents = [SPACE, subnet(table=TABLE), table(TO_WALL), wall(*NAMES, "*.ubuntu.com")]
    snapshot = evidence(shop(addonProfiles=VAULT), *documents, seen=seen)
    owner = snapshot.find(arm(CLUSTER))
    assert isinstance(owner, ManagedCluster)
    found = lesser_barrier(snapshot, owner)
    assert [one.fqdn for one in (found.endpoints if found else ())] == names


def test_the_tag_of_aks_stands_for_the_region_of_the_cluster() -> None:
    ports = [{"protocolType": "Https", "port": 443}, {"protocolType": "Http", "port": 80}]
    rule = {"name": "r", "protocols": ports, "fqdnTags": ["AzureKubernetesService"]}
    body = {"priority": 100, "action": {"type": "Allow"}, "rules": [rule]}
    front = {"name": "a", "properties": {"privateIPAddress": "10.0.1.4"}}
    rules = [{"name": "c", "properties": body}]
    far = resource(WALL, ipConfigurations=[front], applicationRuleCollections=rules)
    assert blocked(behind({**far, "location": "northeurope"})) == []


def test_a_route_past_one_that_drops_leaves_it_open() -> None:
    rows = table(route("hole", "0.0.0.0/0", "None"), route("server", "20.0.0.0/8", "Internet"))
    snapshot = evidence(shop("loadBalancer"), SPACE, subnet(table=TABLE), rows)
    with pytest.raises(UnseenError, match="rt/server"):
        barrier_at(snapshot, arm(TABLE), ROUTES)


def test_a_cluster_that_was_given_no_way_out_needs_none() -> None:
    own = subnet(networkSecurityGroup={"id": GROUP})
    rules = resource(GROUP, securityRules=[deny("no-internet", "Internet")])
    snapshot = evidence(shop("none"), SPACE, own, rules)
    assert barrier_at(snapshot, arm(GROUP), GROUPS) is None


def proxied(address: str, *rules: Document) -> Any:
    proxy = {"httpsProxy": f"http://{address}:3128/"}
    served = private(httpProxyConfig=proxy)
    own = subnet(networkSecurityGroup={"id": GROUP})
    return evidence(served, SPACE, own, resource(GROUP, securityRules=list(rules)))


def private(**more: Any) -> Document:
    access = {"enablePrivateCluster": True}
    return shop("loadBalancer", apiServerAccessProfile=access, **more)


def deny(name: str, to: str, direction: str = "Outbound") -> Document:
    body = {"priority": 200, "direction": direction, "access": "Deny", "protocol": "*"}
    ends = {"sourceAddressPrefix": "*", "destinationAddressPrefix": to}
    ports = {"sourcePortRange": "*", "destinationPortRange": "*"}
    return {"name": name, "properties": {**body, **ends, **ports}}


def test_a_proxy_at_an_address_is_asked_for_by_it() -> None:
    snapshot = proxied("10.1.9.9", deny("no-proxy", "10.1.9.0/24"))
    found = barrier_at(snapshot, arm(GROUP), GROUPS)
    assert found
    assert (found.listed, found.by[0].name) == ("10.1.9.9:3128", "nsg/no-proxy")


def test_a_proxy_whose_address_is_not_known_leaves_it_open() -> None:
    with pytest.raises(UnseenError, match=r"proxy\.corp"):
        barrier_at(proxied("proxy.corp"), arm(GROUP), GROUPS)


@pytest.mark.parametrize(
    ("policies", "is_blocked"), [("Disabled", False), ("NetworkSecurityGroupEnabled", True)]
)
def test_the_group_of_the_private_endpoint_counts_where_it_is_applied(
    policies: str, is_blocked: bool
) -> None:
    own = subnet(networkSecurityGroup={"id": GROUP}, privateEndpointNetworkPolicies=policies)
    nic = resource(
        f"{NODE_NETWORK}/networkInterfaces/pe",
        privateEndpoint={"id": f"{NODE_NETWORK}/privateEndpoints/kube-apiserver"},
        ipConfigurations=[
            {"name": "a", "properties": {"privateIPAddress": "10.1.0.4", "subnet": {"id": SUBNET}}}
        ],
    )
    endpoint = resource(
        f"{NODE_NETWORK}/privateEndpoints/kube-apiserver",
        subnet={"id": SUBNET},
        networkInterfaces=[{"id": nic["id"]}],
    )
    rules = resource(GROUP, securityRules=[deny("no-entry", "10.1.0.4/32", "Inbound")])
    snapshot = evidence(private(), SPACE, own, nic, endpoint, rules)
    found = barrier_at(snapshot, arm(GROUP), GROUPS)
    assert bool(found) is is_blocked


def test_two_objects_that_block_are_two_barriers() -> None:
    own = subnet(table=TABLE, networkSecurityGroup={"id": GROUP})
    rules = resource(GROUP, securityRules=[deny("no-internet", "Internet")])
    snapshot = evidence(shop(), SPACE, own, table(TO_WALL), rules, wall())
    at_group = barrier_at(snapshot, arm(GROUP), GROUPS)
    assert at_group
    assert at_group.by[0].name == "nsg/no-internet"
    assert blocked(snapshot)


def test_a_cluster_without_pools_is_no_crash() -> None:
    bare = {**resource(CLUSTER, nodeResourceGroup="mc"), "location": "westeurope"}
    with pytest.raises(UnseenError):
        barrier_at(evidence(bare, wall()), arm(GROUP), GROUPS)

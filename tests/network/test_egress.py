"""Which endpoints a cluster needs, by its features, its cloud and its nodes."""

from typing import Any

import pytest
from names_kit import (  # type: ignore[import-not-found]
    CLUSTER,
    SUBNET,
    Document,
    cluster,
    evidence,
    pool,
    private_cluster,
    resource,
    the_cluster,
)

from sickbay.network.egress import (
    Endpoint,
    behind_tag,
    blocked,
    cloud_of,
    is_isolated,
    judged,
    required,
    required_by_arc,
)
from sickbay.network.traffic import ALLOWED, Decider, Decision, Traffic, Verdict

BASE = {
    "*.hcp.westeurope.azmk8s.io",
    "mcr.microsoft.com",
    "*.data.mcr.microsoft.com",
    "mcr-0001.mcr-msedge.net",
    "management.azure.com",
    "login.microsoftonline.com",
    "packages.microsoft.com",
    "packages.aks.azure.com",
    "acs-mirror.azureedge.net",
}


def endpoints(document: Document, *more: Document) -> tuple[Endpoint, ...]:
    return required(the_cluster(evidence(document, *more)))


def needed(document: Document) -> set[str]:
    return {one.fqdn for one in endpoints(document) if one.is_required}


def elsewhere(location: str, **properties: Any) -> Document:
    return {**cluster(**properties), "location": location}


def test_every_cluster_needs_the_base() -> None:
    assert needed(cluster()) == BASE


def test_updates_and_time_are_better_and_not_required() -> None:
    better = {(one.fqdn, one.port, one.protocol) for one in endpoints(cluster())}
    assert ("ntp.ubuntu.com", 123, "UDP") in better
    assert ("security.ubuntu.com", 80, "TCP") in better


@pytest.mark.parametrize(
    "document", [private_cluster(), cluster({"enableVnetIntegration": True})], ids=["pl", "vnet"]
)
def test_a_private_api_server_is_not_reached_through_the_internet(document: Document) -> None:
    assert needed(document) == BASE - {"*.hcp.westeurope.azmk8s.io"}


@pytest.mark.parametrize(("version", "count"), [("1.21.7", 2), ("1.22.0", 0), ("1.33", 0)])
def test_the_old_tunnel_is_of_old_versions(version: str, count: int) -> None:
    found = endpoints(cluster(kubernetesVersion=version))
    assert len([one for one in found if one.port in {1194, 9000}]) == count


def addon(name: str, *, enabled: bool = True) -> Document:
    return cluster(addonProfiles={name: {"enabled": enabled}})


@pytest.mark.parametrize(
    ("document", "fqdn"),
    [
        (addon("azurepolicy"), "data.policy.core.windows.net"),
        (addon("omsAgent"), "*.ods.opinsights.azure.com"),
        (addon("omsagent"), "westeurope.handler.control.monitor.azure.com"),
        (addon("azureKeyvaultSecretsProvider"), "*.vault.azure.net"),
        (
            cluster(azureMonitorProfile={"metrics": {"enabled": True}}),
            "*.ingest.monitor.azure.com",
        ),
        (
            cluster(securityProfile={"defender": {"securityMonitoring": {"enabled": True}}}),
            "*.oms.opinsights.azure.com",
        ),
        (cluster(agentPoolProfiles=[pool(osType="Windows")]), "onegetcdn.azureedge.net"),
        (cluster(agentPoolProfiles=[pool(vmSize="Standard_NC6s_v3")]), "nvidia.github.io"),
    ],
)
def test_a_feature_needs_its_endpoint(document: Document, fqdn: str) -> None:
    assert fqdn in needed(document)


def test_a_feature_that_is_off_needs_nothing() -> None:
    assert needed(addon("azurepolicy", enabled=False)) == BASE


@pytest.mark.parametrize(
    ("location", "cloud", "fqdn"),
    [
        ("westeurope", "public", "management.azure.com"),
        ("West Europe", "public", "*.hcp.westeurope.azmk8s.io"),
        ("chinanorth3", "china", "*.hcp.chinanorth3.cx.prod.service.azk8s.cn"),
        ("chinaeast2", "china", "management.chinacloudapi.cn"),
        ("usgovvirginia", "government", "login.microsoftonline.us"),
        ("usdodeast", "government", "*.hcp.usdodeast.cx.aks.containerservice.azure.us"),
    ],
)
def test_each_cloud_has_its_own_hosts(location: str, cloud: str, fqdn: str) -> None:
    assert cloud_of(location) == cloud
    assert fqdn in needed(elsewhere(location))


@pytest.mark.parametrize("location", ["chinanorth3", "usgovvirginia"])
def test_other_clouds_need_no_host_of_the_public_one(location: str) -> None:
    assert "management.azure.com" not in needed(elsewhere(location))


def test_a_cluster_without_a_way_out_by_design_needs_nothing() -> None:
    document = cluster(
        networkProfile={"outboundType": "none"}, bootstrapProfile={"artifactSource": "Cache"}
    )
    assert is_isolated(the_cluster(evidence(document)))
    assert endpoints(document) == ()


def test_every_endpoint_is_told_once_and_says_what_breaks() -> None:
    document = cluster(
        addonProfiles={"omsagent": {"enabled": True}},
        azureMonitorProfile={"metrics": {"enabled": True}},
        agentPoolProfiles=[pool(), pool(name="win", osType="Windows")],
    )
    found = endpoints(document)
    assert len({(one.fqdn, one.port, one.protocol) for one in found}) == len(found)
    assert all(one.purpose and one.breaks and one.feature for one in found)


@pytest.mark.parametrize(
    ("name", "is_covered"),
    [
        ("prod-1.hcp.westeurope.azmk8s.io", True),
        ("PROD-1.hcp.westeurope.azmk8s.io.", True),
        (".hcp.westeurope.azmk8s.io", False),
        ("prod-1.hcp.northeurope.azmk8s.io", False),
        ("hcp.westeurope.azmk8s.io", False),
    ],
)
def test_a_pattern_covers_what_lies_below_it(name: str, is_covered: bool) -> None:
    server = endpoints(cluster())[0]
    assert server.covers(name) is is_covered
    assert server.covers(server.example)


def test_with_a_proxy_the_web_is_reached_through_it_alone() -> None:
    proxy = {"httpsProxy": "http://user@proxy.corp:3128/", "noProxy": ["packages.microsoft.com"]}
    found = endpoints(cluster(httpProxyConfig=proxy))
    direct = {one.fqdn for one in found if one.is_required}
    assert direct == {"proxy.corp", "*.hcp.westeurope.azmk8s.io", "packages.microsoft.com"}
    assert found[0].traffic == Traffic("TCP", 3128)


def test_agents_of_arc_need_their_own() -> None:
    found = {(one.fqdn, one.port) for one in required_by_arc("westeurope")}
    assert {("gbl.his.arc.azure.com", 443), ("westeurope.obo.arc.azure.com", 8084)} <= found


def test_the_tag_of_the_firewall_stands_for_web_hosts() -> None:
    found = behind_tag("westeurope")
    assert found >= BASE
    assert "ntp.ubuntu.com" not in found


NO = Decision(Verdict.BLOCKED, (Decider("RouteTable", "rt/default", "drops everything"),))


def but_for(*names: str) -> Any:
    return lambda endpoint, subnet: NO if endpoint.fqdn in names else ALLOWED  # noqa: ARG005


def test_what_is_blocked_is_told_with_its_subnet_required_first() -> None:
    snapshot = evidence(cluster(agentPoolProfiles=[pool()]))
    judge = but_for("mcr.microsoft.com", "security.ubuntu.com", "packages.aks.azure.com")
    found = blocked(snapshot, the_cluster(snapshot), judge)
    names = [one.endpoint.fqdn for one in found]
    assert names == ["mcr.microsoft.com", "packages.aks.azure.com", "security.ubuntu.com"]
    assert {(one.subnet, one.decision) for one in found} == {(SUBNET, NO)}


def test_every_subnet_with_running_nodes_is_asked() -> None:
    other = SUBNET.replace("nodes", "others")
    stopped = pool(name="off", vnetSubnetID="/gone", powerState={"code": "Stopped"})
    pools = [pool(), pool(name="pool2", vnetSubnetID=other), stopped]
    snapshot = evidence(cluster(agentPoolProfiles=pools))
    found = judged(snapshot, the_cluster(snapshot), but_for())
    assert {one.subnet for one in found} == {SUBNET, other}


def test_extensions_in_evidence_need_their_service() -> None:
    id = f"{CLUSTER}/providers/Microsoft.KubernetesConfiguration/extensions/flux"
    snapshot = evidence(cluster(), resource(id, extensionType="microsoft.flux"))
    wanted = "westeurope.dp.kubernetesconfiguration.azure.com"
    [found] = blocked(snapshot, the_cluster(snapshot), but_for(wanted))
    assert found.endpoint.fqdn == wanted

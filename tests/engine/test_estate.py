"""From resources to a tree: what belongs to what, and what stands on what."""

from typing import Any

import pytest

from sickbay.bundle.build import Builder, Deaf
from sickbay.engine.estate import Branch, Estate, Hearsay, Said, estate
from sickbay.model.evidence import Origin
from sickbay.model.snapshot import Snapshot
from sickbay.model.state_words import Standing

SUB = "/subscriptions/s"
GROUP = f"{SUB}/resourceGroups/rg/providers"
NODES = f"{SUB}/resourceGroups/MC_rg/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/prod"
VNET = f"{GROUP}/Microsoft.Network/virtualNetworks/hub"
SETS = "Microsoft.Compute/virtualMachineScaleSets"
FABRIC = f"{GROUP}/Microsoft.ManagedNetworkFabric"
CLOUD = f"{GROUP}/Microsoft.NetworkCloud"
NOTHING = Hearsay({}, {})


def resource(id: str, state: str = "Succeeded", **properties: Any) -> dict[str, Any]:
    tags = properties.pop("tags", {})
    members = {"provisioningState": state, **properties}
    return {"id": id, "name": id.rpartition("/")[2], "tags": tags, "properties": members}


def cluster(name: str = "prod", **properties: Any) -> dict[str, Any]:
    id = CLUSTER.replace("prod", name)
    return resource(id, nodeResourceGroup="MC_rg", **properties)


def scale_set(pool: str, name: str = "set1") -> dict[str, Any]:
    return resource(f"{NODES}/{SETS}/{name}", tags={"aks-managed-poolName": pool})


def instance(number: int, power: str = "running", name: str = "set1") -> dict[str, Any]:
    statuses = [{"code": f"PowerState/{power}", "level": "Info"}]
    id = f"{NODES}/{SETS}/{name}/virtualMachines/{number}"
    return resource(id, instanceView={"statuses": statuses})


def snapshot(*documents: dict[str, Any], gone: str = "") -> Snapshot:
    builder = Builder(Deaf())
    for document in documents:
        builder.arm(document, Origin("test"))
    if gone:
        builder.seen("Microsoft.Network/virtualNetworks/subnets", gone)
    return builder.finish()


def grown(*documents: dict[str, Any], **more: Any) -> Estate:
    return estate(snapshot(*documents, **more), NOTHING)


def names(branch: Branch) -> Any:
    return {child.ref.name: names(child) for child in branch.children}


def standing(found: Estate, name: str) -> Standing:
    every = [one for root in (*found.roots, *found.beside) for one in root.every()]
    return next(one.own for one in every if one.ref.name == name)


def test_a_cluster_has_pools_that_have_sets_that_have_instances() -> None:
    pool = resource(f"{CLUSTER}/agentPools/np1")
    found = grown(cluster(), pool, scale_set("np1"), instance(0), instance(1))
    assert names(found.roots[0]) == {"np1": {"set1": {"0": {}, "1": {}}}}


def test_a_set_belongs_to_the_cluster_of_its_own_group() -> None:
    other = {**cluster("other")}
    other["properties"] = {**other["properties"], "nodeResourceGroup": "MC_other"}
    pools = [resource(f"{one}/agentPools/np1") for one in (CLUSTER, other["id"])]
    found = grown(cluster(), other, *pools, scale_set("np1"))
    shown = {root.ref.name: names(root) for root in found.roots}
    assert shown == {"prod": {"np1": {"set1": {}}}, "other": {"np1": {}}}


def test_instances_whose_set_nobody_read_are_still_below_their_pool() -> None:
    name = "aks-np1-1234-vmss"
    pool = resource(f"{CLUSTER}/agentPools/np1")
    found = grown(cluster(), pool, instance(0, name=name))
    assert names(found.roots[0]) == {"np1": {name: {"0": {}}}}
    assert standing(found, name) is Standing.UNSEEN


def test_a_set_of_no_pool_is_shown_below_its_cluster() -> None:
    assert names(grown(cluster(), scale_set("lost")).roots[0]) == {"set1": {}}


def test_a_cluster_stands_on_the_subnets_that_it_uses_and_on_no_others() -> None:
    subnets = [resource(f"{VNET}/subnets/{one}") for one in ("nodes", "bastion")]
    pool = resource(f"{CLUSTER}/agentPools/np1", vnetSubnetID=f"{VNET}/subnets/nodes")
    found = grown(cluster(), pool, resource(VNET, subnets=subnets))
    assert names(found.roots[0]) == {"np1": {}, "hub": {"nodes": {}}}


def test_what_is_named_and_known_not_to_exist_is_gone() -> None:
    subnet = f"{VNET}/subnets/nodes"
    pool = resource(f"{CLUSTER}/agentPools/np1", vnetSubnetID=subnet)
    assert standing(grown(cluster(), pool, gone=subnet), "nodes") is Standing.UNHEALTHY


def test_what_is_named_and_was_not_read_is_not_healthy() -> None:
    pool = resource(f"{CLUSTER}/agentPools/np1", vnetSubnetID=f"{VNET}/subnets/nodes")
    assert standing(grown(cluster(), pool), "nodes") is Standing.UNSEEN


def test_an_identity_has_no_state_that_could_be_missed() -> None:
    id = f"{NODES}/Microsoft.ManagedIdentity/userAssignedIdentities/prod-agentpool"
    profile = {"kubeletidentity": {"resourceId": id}}
    assert names(grown(cluster(identityProfile=profile)).roots[0]) == {}


def test_a_machine_that_is_off_in_a_pool_that_runs_is_not_healthy() -> None:
    pool = resource(f"{CLUSTER}/agentPools/np1", powerState={"code": "Running"})
    found = grown(cluster(), pool, scale_set("np1"), instance(0, "deallocated"))
    assert standing(found, "0") is Standing.UNHEALTHY


def test_a_machine_may_be_off_where_it_is_meant_to_be() -> None:
    for meant in (
        {"powerState": {"code": "Stopped"}},
        {"scaleDownMode": "Deallocate"},
        {"scaleSetPriority": "Spot"},
    ):
        pool = resource(f"{CLUSTER}/agentPools/np1", **meant)
        found = grown(cluster(), pool, scale_set("np1"), instance(0, "deallocated"))
        assert standing(found, "0") is Standing.OFF


def test_a_stopped_cluster_keeps_its_machines_off() -> None:
    stopped = cluster(powerState={"code": "Stopped"})
    pool = resource(f"{CLUSTER}/agentPools/np1")
    found = grown(stopped, pool, scale_set("np1"), instance(0, "deallocated"))
    assert standing(found, "0") is Standing.OFF


def test_a_domain_that_carries_a_network_must_be_enabled() -> None:
    domain = resource(f"{FABRIC}/l3IsolationDomains/used", administrativeState="Disabled")
    spare = resource(f"{FABRIC}/l3IsolationDomains/spare", administrativeState="Disabled")
    network = resource(f"{CLOUD}/l3Networks/apps", l3IsolationDomainId=domain["id"])
    found = grown(domain, spare, network)
    assert standing(found, "used") is Standing.UNHEALTHY
    assert standing(found, "spare") is Standing.OFF


def test_a_hybrid_cluster_stands_on_vnets_networks_and_domains() -> None:
    domain = resource(f"{FABRIC}/l3IsolationDomains/l3", administrativeState="Enabled")
    network = resource(f"{CLOUD}/defaultCniNetworks/dcn", l3IsolationDomainId=domain["id"])
    vnet = resource(
        f"{GROUP}/Microsoft.HybridContainerService/virtualNetworks/vnet",
        infraVnetProfile={"networkCloud": {"networkId": network["id"]}},
    )
    root = resource(
        f"{GROUP}/Microsoft.HybridContainerService/provisionedClusters/apps",
        cloudProviderProfile={"infraNetworkProfile": {"vnetSubnetIds": [vnet["id"]]}},
    )
    pool = resource(f"{root['id']}/agentPools/np")
    found = grown(root, pool, vnet, network, domain)
    assert names(found.roots[0]) == {"np": {}, "vnet": {"dcn": {"l3": {}}}}


def test_a_connected_cluster_has_extensions_and_custom_locations() -> None:
    id = f"{GROUP}/Microsoft.Kubernetes/connectedClusters/plant"
    extension = f"{id}/providers/Microsoft.KubernetesConfiguration/extensions/flux"
    location = resource(
        f"{GROUP}/Microsoft.ExtendedLocation/customLocations/site", hostResourceId=id
    )
    root = resource(id, connectivityStatus="Connected")
    assert names(grown(root, resource(extension), location).roots[0]) == {"flux": {}, "site": {}}


def test_what_no_target_stands_on_is_not_lost() -> None:
    stray = resource(f"{GROUP}/Microsoft.Network/natGateways/stray", "Failed")
    found = grown(cluster(), stray)
    assert [one.ref.name for one in found.beside] == ["stray"]


def test_of_all_providers_only_those_that_are_needed_count() -> None:
    rows = [
        {"id": f"{SUB}/providers/{name}", "registrationState": "NotRegistered"}
        for name in ("Microsoft.Compute", "Microsoft.ResourceConnector")
    ]
    assert [one.ref.name for one in grown(cluster(), *rows).beside] == ["Microsoft.Compute"]


def test_two_things_that_name_each_other_do_not_grow_for_ever() -> None:
    one = resource(f"{CLOUD}/l3Networks/a", clusterId=f"{CLOUD}/l3Networks/b")
    two = resource(f"{CLOUD}/l3Networks/b", clusterId=f"{CLOUD}/l3Networks/a")
    root = resource(f"{CLOUD}/kubernetesClusters/naks", clusterId=one["id"])
    assert names(grown(root, one, two).roots[0]) == {"a": {"b": {}}}


def test_what_was_last_said_of_a_thing_is_kept_with_it() -> None:
    said = Said("SubnetIsFull: no addresses", "2026-01-01T00:00:00Z")
    found = estate(snapshot(cluster()), Hearsay({CLUSTER.casefold(): said}, {}))
    assert found.roots[0].said == said


def test_the_target_comes_first_and_has_what_stands_below_it() -> None:
    host = resource(f"{GROUP}/Microsoft.Kubernetes/connectedClusters/under")
    location = resource(
        f"{GROUP}/Microsoft.ExtendedLocation/customLocations/site-cl", hostResourceId=host["id"]
    )
    site = resource(f"{CLOUD}/clusters/site7", detailedStatus="Running")
    site["extendedLocation"] = {"name": location["id"]}
    documents = snapshot(host, location, site)
    assert [root.ref.name for root in estate(documents, NOTHING).roots] == ["under", "site7"]
    for wanted in ("SITE7", site["id"]):
        found = estate(documents, NOTHING, target=wanted)
        assert [root.ref.name for root in found.roots] == ["site7"]
        assert names(found.roots[0]) == {"site-cl": {"under": {}}}


@pytest.mark.parametrize(
    ("said", "power", "wanted"),
    [
        ("Unavailable: Host is down: Unplanned", "Running", Standing.UNHEALTHY),
        ("Degraded: Slow", "Running", Standing.UNHEALTHY),
        ("Unavailable: Stopped: Customer Initiated", "Running", Standing.OFF),
        ("Unavailable: Nobody knows", "Stopped", Standing.OFF),
    ],
)
def test_the_judgement_of_azure_is_a_state_too(said: str, power: str, wanted: Standing) -> None:
    documents = snapshot(cluster(powerState={"code": power}))
    heard = Hearsay({}, {CLUSTER.casefold(): Said(said)})
    assert estate(documents, heard).roots[0].own is wanted

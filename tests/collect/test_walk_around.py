"""Which way a walk goes: down to what the target stands on, and not up to what others do."""

from typing import Any

import pytest
from arm_server import Server, serve  # type: ignore[import-not-found]
from test_walk import (  # type: ignore[import-not-found]
    CLUSTER,
    GROUP,
    NODES,
    SUBNET,
    VNET,
    estate,
    resource,
    walked,
)

from sickbay.bundle.build import Builder, Deaf
from sickbay.collect.walk import Walk
from sickbay.model.arc import Appliance, ConnectedCluster, CustomLocation
from sickbay.model.azure import Subnet, VirtualMachine, VirtualNetwork
from sickbay.model.evidence import Reason
from sickbay.model.fabric import InternalNetwork, L3IsolationDomain, NetworkFabric
from sickbay.model.hybrid import HybridNetwork, ProvisionedCluster
from sickbay.model.nexus import L3Network, NexusCluster
from sickbay.model.routing import RuleCollectionGroup

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

NETWORK = f"{GROUP}/providers/Microsoft.Network"
HUB = f"{NETWORK}/virtualNetworks/far"
ELSEWHERE = f"{NETWORK}/virtualNetworks/farther"


def peering(of: str, to: str) -> dict[str, Any]:
    return {
        "id": f"{of}/virtualNetworkPeerings/p",
        "name": "p",
        "properties": {"remoteVirtualNetwork": {"id": to}, "peeringState": "Connected"},
    }


def network(id: str, *peers: str) -> dict[str, Any]:
    made: dict[str, Any] = resource(id, subnets=[])
    made["properties"]["virtualNetworkPeerings"] = [peering(id, to) for to in peers]
    return made


def spokes() -> list[dict[str, Any]]:
    """The network of the cluster, its hub, and another network of the hub."""
    others = [one for one in estate() if one["id"] != VNET]
    subnet = next(one for one in estate() if one["id"] == SUBNET)
    own = network(VNET, HUB)
    own["properties"]["subnets"] = [subnet]
    return [*others, own, network(HUB, VNET, ELSEWHERE), network(ELSEWHERE, HUB)]


def test_the_neighbour_of_a_network_is_read_and_its_neighbours_are_not() -> None:
    found = {one.id for one in walked(Server(*spokes())).some(VirtualNetwork)}
    assert found == {VNET, HUB}


def test_a_neighbour_that_is_also_a_network_of_a_target_is_walked_from() -> None:
    other = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/second"
    pool = resource(f"{other}/agentPools/np", vnetSubnetID=f"{HUB}/subnets/x", count=1)
    server = Server(*spokes(), resource(other), pool)
    found = {one.id for one in walked(server, CLUSTER, other).some(VirtualNetwork)}
    assert found == {VNET, HUB, ELSEWHERE}


def test_a_subnet_is_read_with_its_network() -> None:
    server = Server(*estate())
    assert walked(server).some(Subnet)
    assert not any(path.startswith(SUBNET) for path in server.asked)


def test_a_subnet_is_read_alone_where_its_network_is_refused() -> None:
    server = Server(*estate())
    server.refuse(VNET)
    snapshot = walked(server)
    assert [one.id for one in snapshot.some(Subnet)] == [SUBNET]
    assert any(gap.source == VNET for gap in snapshot.gaps)


def test_a_subnet_that_its_network_does_not_have_is_known_to_be_gone() -> None:
    documents = [one for one in estate() if one["id"] not in (SUBNET, VNET)]
    snapshot = walked(Server(*documents, resource(VNET, subnets=[])))
    assert snapshot.has_seen(Subnet.kind, SUBNET)


def test_a_machine_is_read_with_the_view_from_inside() -> None:
    machine = f"{NODES}/providers/Microsoft.Compute/virtualMachines/vm0"
    server = Server(*estate(), resource(machine, provisioningState="Succeeded"))
    assert walked(server).some(VirtualMachine)
    assert any(path.startswith(f"{machine}?") and "instanceView" in path for path in server.asked)


def test_the_rules_of_a_firewall_are_read_with_its_policy() -> None:
    policy = f"{NETWORK}/firewallPolicies/p"
    firewall = "/subscriptions/s/providers/Microsoft.Network/azureFirewalls"
    server = Server(
        *estate(),
        resource(f"{firewall}/fw", firewallPolicy={"id": policy}),
        resource(policy),
        resource(f"{policy}/ruleCollectionGroups/g", ruleCollections=[]),
    )
    assert walked(server).some(RuleCollectionGroup)


def test_events_are_asked_for_without_who_called() -> None:
    server = Server(*estate())
    walked(server)
    asked = [path for path in server.asked if "eventtypes" in path]
    assert len(asked) == 2
    assert not any(word in path for path in asked for word in ("claims", "httpRequest", "caller"))
    assert all("eventTimestamp%20ge" in path for path in asked)


def test_what_is_beyond_the_most_of_a_kind_is_told() -> None:
    zones = "/subscriptions/s/providers/Microsoft.Network/privateDnsZones"
    many = [resource(f"{zones}/z{at:03}.example") for at in range(201)]
    gaps = walked(Server(*estate(), *many, page=50)).gaps
    assert [gap.reason for gap in gaps if "privateDnsZones" in gap.what] == [Reason.TRUNCATED]


SITE = "/subscriptions/s/providers/Microsoft.NetworkCloud"
FABRIC = "/subscriptions/s/providers/Microsoft.ManagedNetworkFabric"
HYBRID = f"{GROUP}/providers/Microsoft.HybridContainerService/provisionedClusters/edge"


def site() -> list[dict[str, Any]]:
    """A hybrid cluster on a Nexus site, with its bridge and its fabric."""
    vnet = f"{GROUP}/providers/Microsoft.HybridContainerService/virtualNetworks/v"
    place = "/subscriptions/s/providers/Microsoft.ExtendedLocation/customLocations/cl"
    bridge = "/subscriptions/s/providers/Microsoft.ResourceConnector/appliances/bridge"
    net, domain = f"{SITE}/l3Networks/n", f"{FABRIC}/l3IsolationDomains/d"
    infra = {"infraNetworkProfile": {"vnetSubnetIds": [vnet]}}
    cluster = resource(HYBRID, cloudProviderProfile=infra)
    cluster["extendedLocation"] = {"name": place, "type": "CustomLocation"}
    return [
        cluster,
        resource(vnet, infraVnetProfile={"networkCloud": {"networkId": net}}),
        resource(place, hostResourceId=bridge),
        resource(bridge, status="Running"),
        resource(net, l3IsolationDomainId=domain, clusterId=f"{SITE}/clusters/site"),
        resource(f"{SITE}/clusters/site", networkFabricId=f"{FABRIC}/networkFabrics/f"),
        resource(domain, networkFabricId=f"{FABRIC}/networkFabrics/f"),
        resource(f"{domain}/internalNetworks/i", vlanId=500),
        resource(f"{FABRIC}/networkFabrics/f"),
        resource(f"{GROUP}/providers/Microsoft.Kubernetes/connectedClusters/edge"),
    ]


@pytest.mark.parametrize(
    "kind",
    [
        ProvisionedCluster,
        HybridNetwork,
        CustomLocation,
        Appliance,
        ConnectedCluster,
        L3Network,
        NexusCluster,
        L3IsolationDomain,
        InternalNetwork,
        NetworkFabric,
    ],
)
def test_a_hybrid_cluster_leads_to_its_bridge_its_site_and_its_fabric(kind: Any) -> None:
    assert len(walked(Server(*site()), HYBRID).some(kind)) == 1


def test_a_site_is_known_to_be_complete_in_its_subscription() -> None:
    snapshot = walked(Server(*site()), HYBRID)
    for kind in (ProvisionedCluster, L3Network, NetworkFabric):
        assert snapshot.has_seen(kind.kind, "/subscriptions/s")


def test_a_target_of_a_type_that_nobody_knows_is_a_gap() -> None:
    id = f"{GROUP}/providers/Microsoft.Cache/redis/r"
    [gap] = walked(Server(), id).gaps
    assert gap.reason is Reason.NOT_UNDERSTOOD


def test_a_type_that_its_version_no_longer_serves_is_read_with_another() -> None:
    server = Server(*estate())
    server.only_version("Microsoft.Compute/virtualMachineScaleSets", "2031-01-01")
    builder = Builder(Deaf())
    serve(server, lambda transport: Walk(transport, builder).start(CLUSTER))
    snapshot = builder.finish()
    assert [gap for gap in snapshot.gaps if "virtualMachineScaleSets" in gap.source] == []
    assert snapshot.has_seen("Microsoft.Compute/virtualMachineScaleSets", NODES)

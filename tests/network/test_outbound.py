"""How a cluster reaches the internet."""

from typing import Any

import pytest
from routing_kit import (  # type: ignore[import-not-found]
    CLUSTER,
    NETWORK,
    NODE_NETWORK,
    SPOKE,
    SUBNET,
    TABLE,
    Document,
    cluster,
    evidence,
    network,
    resource,
    route,
    subnet,
    table,
)

from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import arm
from sickbay.network.outbound import Egress, Way, egress_of, egresses_of
from sickbay.network.outbound_ports import addresses_needed, snat_ports

SPACE = network("10.1.0.0/16")
APPLIANCE = table(route("default", "0.0.0.0/0", "VirtualAppliance", "10.0.1.4"))
HOLE = table(route("default", "0.0.0.0/0", "None"))
BALANCER = f"{NODE_NETWORK}/loadBalancers/kubernetes"
NAT = f"{NETWORK}/natGateways/nat"


def public(name: str, address: str) -> Document:
    return resource(f"{NODE_NETWORK}/publicIPAddresses/{name}", ipAddress=address)


def front(name: str, address: str) -> Document:
    to = {"publicIPAddress": {"id": f"{NODE_NETWORK}/publicIPAddresses/{address}"}}
    return {"id": f"{BALANCER}/frontendIPConfigurations/{name}", "name": name, "properties": to}


def balancer(*fronts: str, ports: int = 0) -> Document:
    rule = {
        "name": "aksOutboundRule",
        "properties": {
            "allocatedOutboundPorts": ports,
            "frontendIPConfigurations": [
                {"id": f"{BALANCER}/frontendIPConfigurations/{name}"} for name in fronts
            ],
        },
    }
    return resource(
        BALANCER,
        frontendIPConfigurations=[front("out", "out"), front("more", "more"), front("svc", "svc")],
        outboundRules=[rule] if fronts else [],
    )


ADDRESSES = (public("out", "20.0.0.1"), public("more", "20.0.0.2"), public("svc", "20.0.0.9"))
NAT_DOCUMENTS = (
    subnet(natGateway={"id": NAT}),
    resource(NAT, publicIpAddresses=[{"id": f"{NODE_NETWORK}/publicIPAddresses/out"}]),
)


def egress(*documents: Document) -> Egress:
    snapshot = evidence(*documents)
    found = snapshot.find(arm(CLUSTER))
    assert isinstance(found, ManagedCluster)
    return egress_of(snapshot, found)


def test_a_load_balancer_lets_out_by_the_addresses_of_its_outbound_rules() -> None:
    found = egress(cluster(), SPACE, subnet(), balancer("out", "more"), *ADDRESSES)
    assert (found.kind, found.addresses) == (Way.LOAD_BALANCER, ("20.0.0.1", "20.0.0.2"))
    assert found.by.name == "kubernetes"
    assert not found.gaps


def test_a_load_balancer_without_outbound_rules_lets_nothing_out() -> None:
    found = egress(cluster(), SPACE, subnet(), balancer(), *ADDRESSES)
    assert (found.kind, found.by.kind) == (Way.NOTHING, "LoadBalancer")


def test_a_load_balancer_that_was_not_read_is_still_the_way() -> None:
    found = egress(cluster(), SPACE, subnet())
    assert (found.kind, found.addresses) == (Way.LOAD_BALANCER, ())
    assert found.gaps[0].to_open == "az network lb list -g {node_resource_group} -o json"


def test_an_address_that_was_not_read_is_a_gap() -> None:
    found = egress(cluster(), SPACE, subnet(), balancer("out"))
    assert "public-ip show --ids" in found.gaps[0].to_open


def test_a_nat_gateway_on_the_subnet_wins_over_the_load_balancer() -> None:
    found = egress(cluster(), SPACE, *NAT_DOCUMENTS, balancer("more"), *ADDRESSES)
    assert (found.kind, found.addresses) == (Way.NAT_GATEWAY, ("20.0.0.1",))


def test_a_default_route_wins_over_a_nat_gateway() -> None:
    own = subnet(table=TABLE, natGateway={"id": NAT})
    found = egress(cluster(), SPACE, own, APPLIANCE, NAT_DOCUMENTS[1], *ADDRESSES)
    assert (found.kind, found.next) == (Way.APPLIANCE, "10.0.1.4")
    assert found.by.name == "rt/default"


def test_a_firewall_lets_out_by_its_own_public_address() -> None:
    one = {
        "name": "a",
        "properties": {
            "privateIPAddress": "10.0.1.4",
            "publicIPAddress": {"id": f"{NODE_NETWORK}/publicIPAddresses/out"},
        },
    }
    wall = resource(f"{NETWORK}/azureFirewalls/fw", ipConfigurations=[one])
    routed = cluster("userDefinedRouting")
    found = egress(routed, SPACE, subnet(table=TABLE), APPLIANCE, wall, *ADDRESSES)
    assert (found.kind, found.addresses, found.gaps) == (Way.APPLIANCE, ("20.0.0.1",), ())


@pytest.mark.parametrize("rows", [table(), table(route("default", "0.0.0.0/0", "Internet"))])
def test_relying_on_a_route_that_is_not_there_lets_nothing_out(rows: Document) -> None:
    found = egress(cluster("userDefinedRouting"), SPACE, subnet(table=TABLE), rows)
    assert (found.kind, found.by.kind, found.by.name) == (Way.NOTHING, "Subnet", "nodes")
    assert "no route for 0.0.0.0/0" in found.by.says


def test_a_gateway_may_announce_the_route_that_is_relied_on() -> None:
    gateway = resource(
        f"{NETWORK}/virtualNetworkGateways/er",
        ipConfigurations=[{"name": "a", "subnet": {"id": f"{SPOKE}/subnets/GatewaySubnet"}}],
    )
    found = egress(cluster("userDefinedRouting"), SPACE, subnet(), gateway)
    assert found.kind is Way.UNKNOWN


def test_a_default_route_that_drops_lets_nothing_out() -> None:
    found = egress(cluster(), SPACE, subnet(table=TABLE), HOLE, balancer("out"), *ADDRESSES)
    assert (found.kind, found.by.name) == (Way.NOTHING, "rt/default")


def test_a_default_route_to_a_gateway_leads_away() -> None:
    rows = table(route("default", "0.0.0.0/0", "VirtualNetworkGateway"))
    assert egress(cluster(), SPACE, subnet(table=TABLE), rows).kind is Way.GATEWAY


def test_a_route_table_that_was_not_read_leaves_it_open() -> None:
    assert egress(cluster(), SPACE, subnet(table=TABLE)).kind is Way.UNKNOWN


@pytest.mark.parametrize("declared", ["none", "block", "userDefinedRouting"])
def test_a_cluster_that_was_given_no_way_out_has_none(declared: str) -> None:
    assert egress(cluster(declared), SPACE, subnet()).kind is Way.NOTHING


def test_relying_on_a_route_in_a_subnet_that_was_not_read_is_open() -> None:
    assert egress(cluster("userDefinedRouting")).kind is Way.UNKNOWN


@pytest.mark.parametrize(("access", "kind"), [(False, Way.NOTHING), (None, Way.UNKNOWN)])
def test_a_nat_gateway_that_is_not_on_the_subnet_does_not_serve_it(
    access: bool | None, kind: Way
) -> None:
    own = subnet(defaultOutboundAccess=access)
    found = egress(cluster("userAssignedNATGateway"), SPACE, own)
    assert (found.kind, found.by.name) == (kind, "nodes")
    assert "has no NAT gateway" in found.by.says


def test_the_nat_gateway_that_azure_manages_stands_beside_the_nodes() -> None:
    own = {"id": f"{NODE_NETWORK}/publicIPAddresses/out"}
    nat = resource(f"{NODE_NETWORK}/natGateways/aks", publicIpAddresses=[own])
    found = egress(cluster("managedNATGateway"), nat, *ADDRESSES)
    assert (found.kind, found.addresses) == (Way.NAT_GATEWAY, ("20.0.0.1",))


def test_a_nat_gateway_without_an_address_lets_nothing_out() -> None:
    found = egress(cluster(), SPACE, NAT_DOCUMENTS[0], resource(NAT))
    assert (found.kind, found.by.name) == (Way.NOTHING, "nat")


def test_a_prefix_of_a_nat_gateway_counts_as_its_addresses() -> None:
    prefix = f"{NETWORK}/publicIPPrefixes/p"
    nat = resource(NAT, publicIpPrefixes=[{"id": prefix}])
    found = egress(
        cluster(), SPACE, NAT_DOCUMENTS[0], nat, resource(prefix, ipPrefix="20.5.0.0/30")
    )
    assert found.addresses == ("20.5.0.0/30",)


def pooled(*pools: dict[str, Any]) -> Document:
    return resource(
        CLUSTER,
        nodeResourceGroup="mc",
        networkProfile={"outboundType": "loadBalancer"},
        agentPoolProfiles=list(pools),
    )


def test_nodes_with_public_addresses_of_their_own_leave_by_them() -> None:
    own = pooled({"name": "np1", "vnetSubnetID": SUBNET, "enableNodePublicIP": True})
    found = egress(own, SPACE, subnet(), balancer("out"), *ADDRESSES)
    assert (found.kind, found.by.name) == (Way.NODE_ADDRESS, "np1")


def test_of_two_subnets_the_one_that_is_worst_off_counts() -> None:
    other = resource(f"{SPOKE}/subnets/more", addressPrefix="10.1.1.0/24", routeTable={"id": TABLE})
    pools = [{"name": "a", "vnetSubnetID": SUBNET}, {"name": "b", "vnetSubnetID": other["id"]}]
    snapshot = evidence(pooled(*pools), SPACE, subnet(), other, HOLE, balancer("out"), *ADDRESSES)
    found = snapshot.find(arm(CLUSTER))
    assert isinstance(found, ManagedCluster)
    kinds = [one.kind for one in egresses_of(snapshot, found)]
    assert kinds == [Way.NOTHING, Way.LOAD_BALANCER]
    assert egress_of(snapshot, found).subnet == other["id"]


def test_the_ports_of_the_nodes_are_held_against_those_of_the_addresses() -> None:
    found = egress(cluster(), SPACE, subnet(), balancer("out", ports=32000), *ADDRESSES)
    assert found.ports
    assert (found.ports.needed, found.ports.available, found.ports.fits) == (96000, 64000, False)
    assert found.ports.most_nodes == 2


@pytest.mark.parametrize(
    ("nodes", "ports"), [(1, 1024), (50, 1024), (51, 512), (200, 256), (400, 128), (801, 32)]
)
def test_azure_gives_fewer_ports_to_more_nodes(nodes: int, ports: int) -> None:
    assert snat_ports(1, nodes).per_node == ports


@pytest.mark.parametrize(("nodes", "ports", "addresses"), [(100, 1280, 2), (101, 1280, 3)])
def test_more_nodes_need_more_addresses(nodes: int, ports: int, addresses: int) -> None:
    assert addresses_needed(nodes, ports) == addresses

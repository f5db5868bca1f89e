"""Where addresses, nodes and pods stand, and under which address the groups see them."""

from typing import Any

import pytest
from nsg_kit import (  # type: ignore[import-not-found]
    NIC,
    NODES,
    SCALE_SET,
    SUBNET,
    VNET,
    cluster,
    interface,
    network,
    seen,
    subnet,
)

from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_places import (
    Whereabouts,
    cluster_of,
    of_address,
    of_node,
    of_pod,
    source_seen,
)

MACHINE = f"{SCALE_SET}/virtualMachines/0"
OTHER = "/subscriptions/0000/resourceGroups/a/providers/Microsoft.Network/virtualNetworks/other"
POD_SUBNET = f"{VNET}/subnets/pods"


def node(**spec: Any) -> dict[str, Any]:
    addresses = [
        {"type": "Hostname", "address": "n0"},
        {"type": "InternalIP", "address": "10.1.0.4"},
    ]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n0", "labels": {"kubernetes.azure.com/agentpool": "pool"}},
        "spec": {"providerID": f"azure://{MACHINE}", **spec},
        "status": {"addresses": addresses},
    }


def pod(address: str = "10.244.0.9", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"nodeName": "n0", **spec},
        "status": {"podIP": address},
    }


def the_node(snapshot: Snapshot) -> Node:
    found = snapshot.find(kube("Node", "", "n0"))
    assert isinstance(found, Node)
    return found


def the_pod(snapshot: Snapshot) -> Pod:
    found = snapshot.find(kube("Pod", "shop", "web"))
    assert isinstance(found, Pod)
    return found


def test_an_address_stands_at_the_interface_that_has_it() -> None:
    snapshot = seen(network(), interface("10.1.0.4"))
    assert of_address(snapshot, "10.1.0.4") == Whereabouts(SUBNET, NIC, "10.1.0.4")


def test_an_address_stands_in_the_narrowest_subnet_that_holds_it() -> None:
    wide = {"name": "wide", "addressPrefix": "10.1.0.0/16"}
    found = of_address(seen(network(wide, subnet())), "10.1.0.77")
    assert found == Whereabouts(SUBNET, "", "10.1.0.77")


def test_an_address_of_no_subnet_stands_nowhere() -> None:
    assert of_address(seen(network()), "10.9.0.1") is None
    assert of_address(seen(network()), "no address") is None


def test_of_networks_that_overlap_the_clusters_own_comes_first() -> None:
    inner = {"name": "x", "addressPrefix": "10.1.0.0/28"}
    space = {"addressPrefixes": ["10.1.0.0/16"]}
    other = {"id": OTHER, "name": "other", "addressSpace": space, "subnets": [inner]}
    snapshot = seen(other, network(), cluster(), node())
    own = cluster_of(snapshot, the_node(snapshot))
    assert of_address(snapshot, "10.1.0.4", own) == Whereabouts(SUBNET, "", "10.1.0.4")
    assert of_address(snapshot, "10.1.0.4") == Whereabouts(f"{OTHER}/subnets/x", "", "10.1.0.4")


def test_a_node_stands_where_the_interface_of_its_machine_does() -> None:
    snapshot = seen(network(), interface("10.1.0.4"), node())
    assert of_node(snapshot, the_node(snapshot)) == Whereabouts(SUBNET, NIC, "10.1.0.4")


def test_a_node_stands_in_the_subnet_of_its_pool() -> None:
    snapshot = seen(cluster(), node())
    assert of_node(snapshot, the_node(snapshot)) == Whereabouts(SUBNET, NIC, "10.1.0.4")


def test_a_node_stands_in_the_pool_of_its_own_cluster() -> None:
    other = cluster(vnetSubnetID=f"{OTHER}/subnets/x") | {
        "id": f"{OTHER.partition('/providers/')[0]}/providers"
        "/Microsoft.ContainerService/managedClusters/other",
        "nodeResourceGroup": "MC_other",
    }
    snapshot = seen(other, cluster(), node())
    assert of_node(snapshot, the_node(snapshot)) == Whereabouts(SUBNET, NIC, "10.1.0.4")


def test_a_node_in_a_network_that_aks_made_is_found_by_its_address() -> None:
    managed = f"{NODES}/providers/Microsoft.Network/virtualNetworks/aks-vnet"
    body = network() | {"id": managed, "subnets": [{"name": "s", "addressPrefix": "10.1.0.0/24"}]}
    snapshot = seen(network(), body, cluster(vnetSubnetID=None), node())
    found = of_node(snapshot, the_node(snapshot))
    assert found is not None
    assert found.subnet == f"{managed}/subnets/s"


def test_a_node_of_which_nothing_is_known_stands_nowhere() -> None:
    snapshot = seen(node(providerID=None))
    assert of_node(snapshot, the_node(snapshot)) is None


def test_a_pod_stands_at_the_interface_of_its_node() -> None:
    snapshot = seen(network(), cluster(), interface("10.1.0.4"), node(), pod())
    assert of_pod(snapshot, the_pod(snapshot)) == Whereabouts(SUBNET, NIC, "10.244.0.9")


def test_a_pod_stands_in_the_pod_subnet_of_its_pool() -> None:
    documents = [network(), cluster("", podSubnetID=POD_SUBNET), node(), pod("10.1.4.9")]
    snapshot = seen(*documents)
    assert of_pod(snapshot, the_pod(snapshot)) == Whereabouts(POD_SUBNET, NIC, "10.1.4.9")


def test_a_pod_on_the_network_of_its_node_stands_where_the_node_does() -> None:
    documents = [network(), cluster("", podSubnetID=POD_SUBNET), node()]
    snapshot = seen(*documents, pod("10.1.0.4", hostNetwork=True))
    assert of_pod(snapshot, the_pod(snapshot)) == Whereabouts(SUBNET, NIC, "10.1.0.4")


def test_a_pod_whose_node_was_not_read_is_found_by_its_address() -> None:
    snapshot = seen(network(), pod("10.1.0.77"))
    assert of_pod(snapshot, the_pod(snapshot)) == Whereabouts(SUBNET, "", "10.1.0.77")


@pytest.mark.parametrize(
    ("mode", "destination", "address"),
    [
        ("overlay", "10.244.1.9", "10.244.0.9"),
        ("overlay", "10.1.0.5", "10.1.0.4"),
        ("overlay", "93.184.216.34", "10.1.0.4"),
        ("kubenet", "10.244.1.9", "10.244.0.9"),
        ("kubenet", "93.184.216.34", "10.1.0.4"),
        ("", "10.1.0.5", "10.244.0.9"),
        ("", "93.184.216.34", "10.1.0.4"),
    ],
)
def test_a_pod_keeps_its_address_where_the_plugin_routes_it(
    mode: str, destination: str, address: str
) -> None:
    snapshot = seen(network(), cluster(mode), interface("10.1.0.4"), node(), pod())
    assert source_seen(snapshot, the_pod(snapshot), destination) == address


def test_a_pod_on_the_network_of_its_node_has_the_nodes_address() -> None:
    snapshot = seen(network(), cluster(), node(), pod("10.1.0.4", hostNetwork=True))
    assert source_seen(snapshot, the_pod(snapshot), "10.244.1.9") == "10.1.0.4"

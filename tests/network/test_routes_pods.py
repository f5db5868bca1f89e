"""Routes to the pods of kubenet nodes."""

import pytest
from routing_kit import (  # type: ignore[import-not-found]
    CLUSTER,
    NODE_GROUP,
    NODE_NETWORK,
    SUBNET,
    TABLE,
    Document,
    cluster,
    evidence,
    node,
    resource,
    route,
    subnet,
    table,
)

from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import UnseenError
from sickbay.model.ids import arm
from sickbay.network.routes_pods import MissingPodRoute, missing_pod_routes

NODES = (node("n1", "10.1.0.4", "10.244.0.0/24"), node("n2", "10.1.0.5", "10.244.1.0/24"))
FIRST = route("n1", "10.244.0.0/24", "VirtualAppliance", "10.1.0.4")
SECOND = route("n2", "10.244.1.0/24", "VirtualAppliance", "10.1.0.5")
KUBENET = cluster(plugin="kubenet")


def missing(*documents: Document, seen: tuple[object, ...] = ()) -> tuple[MissingPodRoute, ...]:
    snapshot = evidence(*documents, seen=seen)
    found = snapshot.find(arm(CLUSTER))
    assert isinstance(found, ManagedCluster)
    return missing_pod_routes(snapshot, found)


def test_a_route_for_each_node_is_healthy() -> None:
    assert missing(KUBENET, *NODES, subnet(table=TABLE), table(FIRST, SECOND)) == ()


def test_a_node_without_a_route_is_named() -> None:
    (found,) = missing(KUBENET, *NODES, subnet(table=TABLE), table(FIRST))
    assert (found.node.name, found.says) == ("n2", "rt has no route for 10.244.1.0/24 of n2")


def test_a_route_to_another_node_is_named_with_where_it_leads() -> None:
    wrong = route("n2", "10.244.1.0/24", "VirtualAppliance", "10.1.0.99")
    (found,) = missing(KUBENET, *NODES, subnet(table=TABLE), table(FIRST, wrong))
    assert found.says == "rt sends 10.244.1.0/24 of n2 to 10.1.0.99"


def test_a_subnet_without_a_table_has_no_routes_at_all() -> None:
    found = missing(KUBENET, *NODES, subnet())
    assert [one.table for one in found] == ["", ""]


def test_a_default_route_is_no_route_to_pods() -> None:
    default = route("default", "0.0.0.0/0", "VirtualAppliance", "10.1.0.4")
    assert len(missing(KUBENET, *NODES, subnet(table=TABLE), table(default))) == 2


def test_other_networks_need_no_such_routes() -> None:
    assert missing(cluster(plugin="azure"), *NODES, subnet(table=TABLE), table()) == ()


@pytest.mark.parametrize(
    "documents", [(KUBENET, *NODES), (KUBENET, *NODES, subnet(table=TABLE)), (KUBENET,)]
)
def test_what_was_not_read_is_not_missing(documents: tuple[Document, ...]) -> None:
    with pytest.raises(UnseenError):
        missing(*documents)


def test_a_network_that_azure_manages_has_its_table_beside_the_nodes() -> None:
    managed = resource(
        CLUSTER,
        nodeResourceGroup="mc",
        networkProfile={"networkPlugin": "kubenet"},
        agentPoolProfiles=[{"name": "np1", "count": 2}],
    )
    own = f"{NODE_NETWORK}/routeTables/aks-agentpool-1-routetable"
    rows = resource(f"{own}/routes/n1", **FIRST["properties"])
    (found,) = missing(managed, *NODES, table(rows, id=own))
    assert (found.node.name, found.table) == ("n2", own)


def test_a_network_that_azure_manages_without_any_table_is_named_when_all_were_read() -> None:
    managed = resource(CLUSTER, nodeResourceGroup="mc", networkProfile={"networkPlugin": "kubenet"})
    seen = ({"kind": "Microsoft.Network/routeTables", "scope": NODE_GROUP},)
    assert len(missing(managed, *NODES, seen=seen)) == 2


def test_nodes_of_another_cluster_do_not_count() -> None:
    other = resource(
        CLUSTER,
        nodeResourceGroup="mc-other",
        networkProfile={"networkPlugin": "kubenet"},
        agentPoolProfiles=[{"name": "np1", "vnetSubnetID": SUBNET}],
    )
    assert missing(other, *NODES, subnet(table=TABLE), table()) == ()

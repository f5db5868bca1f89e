"""What a diagnosis is about."""

from sickbay.engine.target import facts_of_target, target_of
from sickbay.model.aks import ManagedCluster
from sickbay.model.arc import Appliance, ConnectedCluster
from sickbay.model.diagnosis import Target
from sickbay.model.entity import Entity
from sickbay.model.snapshot import Snapshot

GROUP = "/subscriptions/s/resourceGroups/g"


def aks(name: str, group: str = GROUP) -> ManagedCluster:
    return ManagedCluster(id=f"{group}/providers/Microsoft.ContainerService/managedClusters/{name}")


def target(*entities: Entity) -> Target:
    return target_of(Snapshot(entities), "folder")


CONNECTED = ConnectedCluster(id=f"{GROUP}/providers/Microsoft.Kubernetes/connectedClusters/c")
BRIDGE = Appliance(id=f"{GROUP}/providers/Microsoft.ResourceConnector/appliances/b")


def test_the_one_cluster_is_the_patient() -> None:
    one = aks("prod")
    assert target(one) == Target(one.kind, one.id, f"https://portal.azure.com/#resource{one.id}")


def test_a_cluster_tells_more_than_a_bridge() -> None:
    assert target(BRIDGE, CONNECTED).id == CONNECTED.id
    assert target(BRIDGE, CONNECTED, aks("prod")).id == aks("prod").id


def test_several_clusters_of_a_group_are_that_group() -> None:
    assert target(aks("one"), aks("two")) == Target("scope", GROUP)


def test_clusters_of_several_groups_are_what_was_handed_in() -> None:
    other = aks("two", f"{GROUP}2")
    assert target(aks("one"), other) == Target("scope", "folder")


def test_without_a_patient_it_is_the_evidence_itself() -> None:
    assert target() == Target("evidence", "folder")


def test_the_target_lends_its_names_to_remedies() -> None:
    facts = facts_of_target(target(aks("prod")))
    assert facts == {"subscription": "s", "resource_group": "g", "cluster": "prod"}


def test_a_bridge_is_no_cluster() -> None:
    assert "cluster" not in facts_of_target(target(BRIDGE))


def test_a_folder_lends_no_names() -> None:
    assert facts_of_target(target()) == {}

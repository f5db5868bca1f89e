"""What a diagnosis is about."""

import msgspec

from sickbay.engine.kinship import Kinship
from sickbay.engine.target import facts_of_target, target_of, with_targets
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.arc import Appliance, ConnectedCluster
from sickbay.model.azure import ScaleSet, Subnet
from sickbay.model.diagnosis import Cause, Certainty, Target
from sickbay.model.entity import Entity
from sickbay.model.finding import Severity
from sickbay.model.ids import Ref, arm
from sickbay.model.snapshot import TARGET, Seen, Snapshot

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


def asked(*entities: Entity, about: tuple[ManagedCluster, ...]) -> Target:
    seen = [Seen(TARGET, one.id.upper()) for one in about]
    return target_of(Snapshot(entities, seen=seen), "folder")


def test_what_a_run_was_asked_about_is_its_target_whatever_else_it_read() -> None:
    one = aks("one")
    assert asked(one, aks("two"), about=(one,)).id == one.id


def test_several_targets_of_a_subscription_are_that_subscription() -> None:
    both = (aks("one"), aks("two", f"{GROUP}2"))
    assert asked(*both, about=both) == Target("scope", "/subscriptions/s")


NODES = "/subscriptions/s/resourceGroups/nodes"


def pooled(name: str) -> tuple[Entity, ...]:
    """A cluster with a pool, its scale set, and the subnet of the pool."""
    cluster = msgspec.structs.replace(aks(name), node_resource_group=f"nodes-{name}")
    subnet = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/{name}"
    sets = f"{NODES}-{name}/providers/Microsoft.Compute/virtualMachineScaleSets"
    return (
        cluster,
        AgentPool(id=f"{cluster.id}/agentPools/np", name="np", vnet_subnet_id=subnet),
        ScaleSet(id=f"{sets}/np", tags={"aks-managed-poolName": "np"}),
        Subnet(id=subnet),
    )


def targets_of(*subjects: Ref) -> list[str]:
    snapshot = Snapshot((*pooled("one"), *pooled("two")))
    causes = [
        Cause("a.b", "t", Severity.ERROR, Certainty.PROVEN, subject, "says", "why")
        for subject in subjects
    ]
    found = with_targets(causes, target_of(snapshot, "folder"), Kinship(snapshot))
    return [cause.target.id if cause.target else "" for cause in found]


def test_each_cause_says_which_of_several_targets_it_is_about() -> None:
    one, two = pooled("one"), pooled("two")
    for number in range(4):
        subjects = one[number].ref, two[number].ref
        assert targets_of(*subjects) == [aks("one").id, aks("two").id]


def test_a_thing_in_the_group_of_the_nodes_is_about_their_cluster() -> None:
    disk = arm(f"{NODES}-two/providers/Microsoft.Compute/disks/d")
    assert targets_of(disk) == [aks("two").id]


def test_what_all_share_is_about_the_scope() -> None:
    assert targets_of(arm("/subscriptions/s")) == [GROUP]


def test_the_cause_of_one_target_needs_no_word_about_it() -> None:
    snapshot = Snapshot(pooled("one"))
    cause = Cause("a.b", "t", Severity.ERROR, Certainty.PROVEN, aks("one").ref, "says", "why")
    assert with_targets([cause], target_of(snapshot, ""), Kinship(snapshot))[0].target is None


def test_a_scale_set_is_of_the_pool_of_its_own_cluster() -> None:
    snapshot = Snapshot((*pooled("one"), *pooled("two")))
    assert list(snapshot.links(pooled("two")[2].ref)) == [pooled("two")[1].ref]

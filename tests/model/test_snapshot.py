"""Three-valued truth: what is there, what is known not to be there, and what nobody read."""

import pytest

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.entity import Entity, Metadata
from sickbay.model.evidence import Origin, UnseenError
from sickbay.model.ids import arm, kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import ANY_ARM, Seen, Snapshot
from sickbay.model.workloads import Deployment, Workload

SUBSCRIPTION = "/subscriptions/s"
GROUP = f"{SUBSCRIPTION}/resourceGroups/g"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/prod"
POOL = f"{CLUSTER}/agentPools/np1"
ELSEWHERE = f"{SUBSCRIPTION}/resourceGroups/other"


def pod(namespace: str, name: str, **labels: str) -> Pod:
    return Pod(metadata=Metadata(name=name, namespace=namespace, labels=labels))


def snapshot(*entities: Entity, seen: tuple[Seen, ...] = ()) -> Snapshot:
    return Snapshot(entities, seen=seen)


WEB = pod("shop", "web-0", app="web", tier="front")
DATABASE = pod("shop", "db-0", app="db", tier="back")
OTHER = pod("kube-system", "dns-0", app="web")
PODS = (WEB, DATABASE, OTHER)


class TestSome:
    def test_what_is_there_is_given_without_a_complete_look(self) -> None:
        assert snapshot(*PODS).some(Pod) == PODS

    def test_nothing_of_a_kind_that_nobody_read_raises(self) -> None:
        with pytest.raises(UnseenError) as raised:
            snapshot(*PODS).some(Node)
        assert raised.value.gap.to_open == Node.look

    def test_nothing_of_a_kind_that_was_read_is_nothing(self) -> None:
        assert snapshot(seen=(Seen("Node"),)).some(Node) == ()

    def test_a_shared_class_stands_for_all_of_its_kinds(self) -> None:
        deployment = Deployment(metadata=Metadata(name="web", namespace="shop"))
        assert snapshot(deployment, WEB).some(Workload) == (deployment,)


class TestAll:
    def test_everything_needs_a_look_at_everything(self) -> None:
        with pytest.raises(UnseenError):
            snapshot(*PODS, seen=(Seen("Pod", "shop"),)).all(Pod)

    def test_a_namespace_needs_a_look_at_that_namespace(self) -> None:
        assert snapshot(*PODS, seen=(Seen("Pod", "shop"),)).all(Pod, "shop") == (WEB, DATABASE)

    def test_a_look_at_one_namespace_says_nothing_of_another(self) -> None:
        with pytest.raises(UnseenError) as raised:
            snapshot(*PODS, seen=(Seen("Pod", "shop"),)).all(Pod, "kube-system")
        assert raised.value.gap.what == "Pod of kube-system"

    def test_a_look_at_everything_covers_each_namespace(self) -> None:
        assert snapshot(*PODS, seen=(Seen("Pod"),)).all(Pod, "kube-system") == (OTHER,)

    def test_a_namespace_is_not_covered_by_one_whose_name_it_begins_with(self) -> None:
        with pytest.raises(UnseenError):
            snapshot(*PODS, seen=(Seen("Pod", "shop"),)).all(Pod, "shop/eu")

    def test_a_look_at_a_group_covers_a_cluster_in_it_in_any_case(self) -> None:
        pool = AgentPool(id=POOL, name="np1")
        seen = (Seen(AgentPool.kind.upper(), f"{GROUP.upper()}/"),)
        assert snapshot(pool, seen=seen).all(AgentPool, CLUSTER) == (pool,)

    def test_a_look_at_a_group_says_nothing_of_a_group_whose_name_is_longer(self) -> None:
        with pytest.raises(UnseenError):
            snapshot(seen=(Seen(AgentPool.kind, GROUP),)).all(AgentPool, f"{GROUP}2")

    def test_what_is_outside_the_scope_is_left_out(self) -> None:
        inside, outside = Subnet(id=f"{GROUP}/x/y"), Subnet(id=f"{ELSEWHERE}/x/y")
        found = snapshot(inside, outside, seen=(Seen(Subnet.kind),)).all(Subnet, GROUP)
        assert found == (inside,)


class TestGet:
    def test_what_is_there_is_given(self) -> None:
        cluster = ManagedCluster(id=CLUSTER, name="prod")
        assert snapshot(cluster).get(arm(CLUSTER.upper()), ManagedCluster) is cluster

    def test_what_nobody_read_raises(self) -> None:
        with pytest.raises(UnseenError):
            snapshot(WEB).get(arm(CLUSTER), ManagedCluster)

    def test_what_a_complete_look_did_not_show_does_not_exist(self) -> None:
        seen = (Seen(ManagedCluster.kind, GROUP),)
        assert snapshot(seen=seen).get(arm(CLUSTER), ManagedCluster) is None

    def test_a_look_at_another_group_says_nothing(self) -> None:
        seen = (Seen(ManagedCluster.kind, ELSEWHERE),)
        with pytest.raises(UnseenError):
            snapshot(seen=seen).get(arm(CLUSTER), ManagedCluster)

    def test_a_namespaced_object_is_known_by_a_look_at_its_namespace(self) -> None:
        seen = (Seen("Pod", "shop"),)
        assert snapshot(seen=seen).get(kube("Pod", "shop", "gone"), Pod) is None


class TestRequire:
    def test_an_inventory_counts_for_every_azure_kind_of_its_scope(self) -> None:
        inventory = snapshot(seen=(Seen(ANY_ARM, GROUP),))
        assert inventory.has_seen(AgentPool.kind, CLUSTER)
        assert not inventory.has_seen(AgentPool.kind, ELSEWHERE)

    def test_an_inventory_of_azure_says_nothing_of_kubernetes(self) -> None:
        assert not snapshot(seen=(Seen(ANY_ARM),)).has_seen("Pod")

    def test_taking_the_look_away_brings_the_third_value_back(self) -> None:
        full = snapshot(*PODS, seen=(Seen("Pod"),))
        with pytest.raises(UnseenError):
            full.with_seen([]).all(Pod)

    def test_finding_nothing_says_nothing(self) -> None:
        assert snapshot().find(arm(CLUSTER)) is None


class TestLookups:
    def test_entities_are_grouped_by_what_they_say(self) -> None:
        assert snapshot(*PODS).grouped(Pod, "namespace", "shop") == (WEB, DATABASE)
        assert snapshot(*PODS).grouped(Pod, "namespace", "nowhere") == ()

    def test_labels_must_all_be_there_and_in_the_namespace(self) -> None:
        assert snapshot(*PODS).labelled(Pod, "shop", {"app": "web", "tier": "front"}) == (WEB,)
        assert snapshot(*PODS).labelled(Pod, "shop", {"app": "web", "tier": "back"}) == ()
        assert snapshot(*PODS).labelled(Pod, "kube-system", {"app": "web"}) == (OTHER,)

    def test_no_labels_select_the_whole_namespace(self) -> None:
        assert snapshot(*PODS).labelled(Pod, "shop", {}) == (WEB, DATABASE)

    def test_what_is_computed_of_a_snapshot_is_computed_once(self) -> None:
        calls: list[int] = []

        def count(world: Snapshot) -> int:
            calls.append(1)
            return len(world)

        world = snapshot(*PODS)
        assert (world.once(count), world.once(count), len(calls)) == (3, 3, 1)

    def test_dependents_are_links_read_backwards(self) -> None:
        cluster = ManagedCluster(id=CLUSTER, name="prod")
        pool = AgentPool(id=POOL, name="np1")
        world = snapshot(cluster, pool)
        assert world.dependents(cluster.ref) == (pool.ref,)
        assert world.dependents(pool.ref) == ()

    def test_a_thing_without_a_document_is_still_linked_to_its_parent(self) -> None:
        assert list(snapshot().links(arm(POOL))) == [arm(CLUSTER)]

    def test_a_resource_of_a_group_stands_on_no_other_resource(self) -> None:
        assert list(snapshot().links(arm(CLUSTER))) == []

    def test_an_extension_is_linked_to_what_it_extends(self) -> None:
        lock = arm(f"{CLUSTER}/providers/Microsoft.Authorization/locks/keep")
        assert list(snapshot().links(lock)) == [arm(CLUSTER)]

    def test_without_a_known_origin_the_name_itself_is_the_source(self) -> None:
        assert snapshot(WEB).origin(WEB.ref) == Origin("pod/shop/web-0")

"""Whether a fault here can be felt there."""

from sickbay.engine.kinship import Kinship, namespace_of
from sickbay.model.entity import Metadata
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Node, Pod, PodSpec
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import AutoscalerSpec, HorizontalPodAutoscaler, ScaleTarget


def pod(name: str, node: str = "") -> Pod:
    return Pod(metadata=Metadata(name=name, namespace="shop"), spec=PodSpec(node_name=node))


NODE = Node(metadata=Metadata(name="n1"))
ONE, OTHER, LONE = pod("one", "n1"), pod("other", "n1"), pod("lone")
KINSHIP = Kinship(Snapshot([NODE, ONE, OTHER, LONE]))


def test_a_thing_is_its_own_kin() -> None:
    assert KINSHIP.related(LONE.ref, LONE.ref)
    assert KINSHIP.stands_on(LONE.ref) == {LONE.ref}


def test_kinship_holds_in_both_directions() -> None:
    assert KINSHIP.related(ONE.ref, NODE.ref)
    assert KINSHIP.related(NODE.ref, ONE.ref)


def test_it_does_not_go_across_a_hub_and_down_again() -> None:
    assert not KINSHIP.related(ONE.ref, OTHER.ref)


def test_what_is_linked_to_nothing_is_no_kin() -> None:
    assert not KINSHIP.related(LONE.ref, NODE.ref)


def test_only_what_has_a_document_is_placed() -> None:
    assert KINSHIP.is_placed(NODE.ref)
    assert not KINSHIP.is_placed(kube("Node", "", "n2"))


def test_what_has_no_document_is_not_excluded() -> None:
    assert KINSHIP.related(kube("Service", "shop", "unheard-of"), NODE.ref)


def test_a_chain_longer_than_any_estate_is_deep_is_not_followed_to_its_end() -> None:
    chain = [
        HorizontalPodAutoscaler(
            metadata=Metadata(name=str(number), namespace="shop"),
            spec=AutoscalerSpec(ScaleTarget("HorizontalPodAutoscaler", str(number + 1))),
        )
        for number in range(30)
    ]
    assert len(Kinship(Snapshot(chain)).stands_on(chain[0].ref)) == 11


def test_a_file_in_two_folders_has_no_namespace() -> None:
    assert namespace_of(Ref("text", "logs/today/app.log")) == ""
    assert namespace_of(kube("Pod", "shop", "web-1")) == "shop"
    assert namespace_of(kube("Node", "", "n1")) == ""

"""Names of things: ARM ids compare without case and keep their spelling."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.model.ids import Ref, arm, arm_part, arm_type, kube

GROUP = "/subscriptions/S1/resourceGroups/Shop"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/prod"
SUBNET = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"
LOCK = f"{CLUSTER}/providers/Microsoft.Authorization/locks/keep"

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,12}", fullmatch=True)
arm_ids = st.builds(
    lambda group, parts: (
        f"/subscriptions/s/resourceGroups/{group}/providers/Microsoft.Shop/" + "/".join(parts)
    ),
    names,
    st.lists(names, min_size=2, max_size=6).filter(lambda parts: len(parts) % 2 == 0),
)


def test_an_arm_id_is_one_name_in_any_case() -> None:
    assert arm(CLUSTER) == arm(CLUSTER.upper())
    assert hash(arm(CLUSTER)) == hash(arm(CLUSTER.upper()))


def test_an_arm_id_keeps_its_spelling() -> None:
    assert str(arm(CLUSTER)) == CLUSTER
    assert arm(CLUSTER).name == "prod"


def test_a_slash_at_the_end_names_nothing_else() -> None:
    assert arm(f"{CLUSTER}/") == arm(CLUSTER)
    assert arm(f"{CLUSTER}/").name == "prod"


def test_kubernetes_names_differ_by_case() -> None:
    assert kube("ConfigMap", "shop", "a") != kube("ConfigMap", "shop", "A")


def test_a_made_kubernetes_name_equals_a_written_one() -> None:
    assert kube("Pod", "shop", "web-0") == Ref("Pod", "pod/shop/web-0")


def test_things_of_one_name_and_two_kinds_are_two() -> None:
    assert kube("Pod", "shop", "web") != kube("Service", "shop", "web")


@pytest.mark.parametrize(
    ("id", "type"),
    [
        (CLUSTER, "Microsoft.ContainerService/managedClusters"),
        (f"{CLUSTER}/agentPools/np1", "Microsoft.ContainerService/managedClusters/agentPools"),
        (SUBNET, "Microsoft.Network/virtualNetworks/subnets"),
        (LOCK, "Microsoft.Authorization/locks"),
        ("/subscriptions/s/providers/Microsoft.Compute", "Microsoft.Resources/providers"),
        (GROUP, "Microsoft.Resources/resourceGroups"),
        (GROUP.lower(), "Microsoft.Resources/resourceGroups"),
        ("/subscriptions/s", "Microsoft.Resources/subscriptions"),
        (f"{GROUP}/PROVIDERS/Microsoft.Web/sites/v", "Microsoft.Web/sites"),
    ],
)
def test_the_type_is_what_the_id_spells(id: str, type: str) -> None:
    assert arm_type(id) == type


@pytest.mark.parametrize(
    ("id", "parent"),
    [
        (SUBNET, SUBNET.removesuffix("/subnets/nodes")),
        (f"{CLUSTER}/agentPools/np1", CLUSTER),
        (CLUSTER, GROUP),
        (LOCK, CLUSTER),
        (f"{LOCK}/", CLUSTER),
        (f"{GROUP}/Providers/Microsoft.Authorization/locks/keep", GROUP),
    ],
)
def test_the_parent_is_one_level_up(id: str, parent: str) -> None:
    assert arm(id).parent == parent


def test_the_group_and_subscription_are_read_in_any_case() -> None:
    assert arm(CLUSTER.upper()).group == "SHOP"
    assert arm(CLUSTER.lower()).subscription == "s1"


def test_a_segment_that_is_not_there_is_empty() -> None:
    assert arm_part(GROUP, "managedclusters") == ""
    assert arm_part("/subscriptions", "subscriptions") == ""


def test_a_cluster_scoped_object_has_no_namespace() -> None:
    assert kube("Node", "", "n1").namespace == ""
    assert kube("Pod", "shop", "web-0").namespace == "shop"


def test_an_arm_id_has_no_namespace() -> None:
    assert arm(CLUSTER).namespace == ""


def test_a_path_of_a_file_is_no_arm_id() -> None:
    assert not Ref("text", "/var/log/subscriptions/kubelet.log").is_arm


@settings(max_examples=60)
@given(arm_ids)
def test_any_two_spellings_of_an_id_are_one_name(id: str) -> None:
    assert arm(id) == arm(id.swapcase())
    assert arm(id).key == arm(id.upper()).key


@settings(max_examples=60)
@given(arm_ids)
def test_a_child_of_an_id_has_that_id_as_its_parent(id: str) -> None:
    assert arm(f"{id}/parts/one").parent == id
    assert arm_type(f"{id}/parts/one") == f"{arm_type(id)}/parts"


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_can_be_a_name(text: str) -> None:
    ref = arm(text)
    assert ref == Ref("text", text)
    assert isinstance(ref.name + ref.group + ref.parent + ref.namespace, str)


@settings(max_examples=30)
@given(st.lists(arm_ids, max_size=3))
def test_the_order_of_names_does_not_depend_on_that_of_their_coming(ids: list[str]) -> None:
    assert sorted(map(arm, ids)) == sorted(map(arm, reversed(ids)))

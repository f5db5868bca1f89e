"""A member of a wrong type is left out; the rest counts."""

import copy
from typing import Any

import pytest

from sickbay.bundle.tolerant import convert
from sickbay.model import fabric, hybrid, kinds, nexus  # noqa: F401 - for their classes
from sickbay.model.aks import ManagedCluster
from sickbay.model.entity import ArmEntity, KubeEntity

CLASSES = sorted(
    (*kinds.descendants(ArmEntity), *kinds.descendants(KubeEntity)), key=lambda cls: cls.__name__
)
VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1.5, "x", "", 10**30, float("nan"), [], {}, [None], [1], ["a"], [{}]),
    *({"a": None}, {"a": {"b": [1]}}, [[[]]], {"id": 5}, {"name": []}),
)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_each_field_may_have_any_type(cls: type[Any]) -> None:
    for field in cls.__struct_encode_fields__:
        for value in VALUES:
            body = {"id": "/subscriptions/s", "metadata": {"name": "n"}}
            entity = convert({**body, field: copy.deepcopy(value)}, cls).value
            assert entity is not None
            assert isinstance(entity.is_unwell, bool)
            assert all(child.ref for child in entity.children())
            assert all(said.text is not None for said in entity.said())


def test_the_rest_is_decoded_however_many_members_are_wrong() -> None:
    wrong: dict[str, Any] = {field: [{"x": 1}] for field in ManagedCluster.__struct_encode_fields__}
    entity, problems = convert({**wrong, "id": "/subscriptions/s", "fqdn": "f"}, ManagedCluster)
    assert (entity.id, entity.fqdn) == ("/subscriptions/s", "f")
    assert len(problems) > 8


def test_many_wrong_members_in_a_list_cost_the_list_alone() -> None:
    pools = [{"name": f"p{n}", "count": "many"} for n in range(50)]
    entity = convert(
        {"provisioningstate": "Failed", "agentpoolprofiles": pools}, ManagedCluster
    ).value
    assert entity.provisioning_state == "Failed"


def test_a_null_is_no_problem() -> None:
    assert convert({"id": "/subscriptions/s", "name": None}, ManagedCluster).problems == ()

"""Which class decodes a document."""

from importlib import import_module
from pathlib import Path

import pytest

import sickbay.model
from sickbay.model import kinds
from sickbay.model.aks import AgentPool
from sickbay.model.arc import ApplianceInfra
from sickbay.model.aso import AsoObject
from sickbay.model.entity import ArmResource, Entity, KubeObject, spelled
from sickbay.model.kinds import arm_class, class_named, descendants, kube_class
from sickbay.model.kubernetes import Pod

MODULES = sorted(path.stem for path in Path(sickbay.model.__path__[0]).glob("[a-z]*.py"))


def test_an_azure_type_is_known_in_any_case() -> None:
    assert arm_class("microsoft.containerservice/MANAGEDCLUSTERS/agentpools") is AgentPool


def test_an_azure_resource_of_another_type_is_still_a_resource() -> None:
    assert arm_class("Microsoft.Shop/carts") is ArmResource


def test_a_kubernetes_kind_is_known_by_its_name() -> None:
    assert kube_class("Pod", "v1") is Pod


def test_a_kubernetes_object_of_another_kind_is_still_an_object() -> None:
    assert kube_class("Cart", "shop.example/v1") is KubeObject


def test_a_kind_of_the_service_operator_is_told_by_its_group() -> None:
    assert kube_class("ResourceGroup", "resources.azure.com/v1api20200601") is AsoObject


def test_a_written_down_entity_finds_its_class_again() -> None:
    assert class_named("ApplianceInfra") is ApplianceInfra


@pytest.mark.parametrize("module", MODULES)
def test_every_module_with_entities_is_known_here(module: str) -> None:
    """A class that nobody imported cannot be found by its name, and its documents are lost."""
    name = f"sickbay.model.{module}"
    found = [one for one in vars(import_module(name)).values() if isinstance(one, type)]
    own = [one for one in found if issubclass(one, Entity) and one.__module__ == name]
    assert not own or module == "entity" or hasattr(kinds, module)


def test_no_two_entities_share_a_name_or_a_kind() -> None:
    classes = descendants(Entity)
    types = [one.kind.casefold() for one in classes if one.kind]
    assert len({one.__name__ for one in classes}) == len(classes)
    assert len(set(types)) == len(types)


@pytest.mark.parametrize("one", descendants(Entity), ids=lambda one: one.__name__)
def test_a_kind_names_the_look_that_reads_it(one: type[Entity]) -> None:
    assert bool(one.look) == bool(one.kind)


def test_a_field_is_spelled_as_kubernetes_spells_it() -> None:
    names = ("pod_ip", "provider_id", "pod_cidrs", "external_ips", "node_name", "uid")
    spelt = ["podIP", "providerID", "podCIDRs", "externalIPs", "nodeName", "uid"]
    assert [spelled(name) for name in names] == spelt

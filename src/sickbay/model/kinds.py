"""Which class decodes a document: by ARM type, or by Kubernetes kind."""

from functools import cache
from typing import TypeVar

# Imported for their classes: a kind is known by being a subclass, and is registered nowhere else.
from sickbay.model import (  # noqa: F401
    access,
    addons,
    aks,
    applications,
    arc,
    aso,
    azure,
    azure_policy,
    disks,
    egress,
    exposure,
    fabric,
    governance,
    guards,
    host,
    host_vcenter,
    hybrid,
    installed,
    kubernetes,
    naming,
    nexus,
    node,
    policies,
    privatecloud,
    probe,
    registries,
    reservations,
    routing,
    rows,
    security,
    storage,
    vaults,
    vmsize,
    workloads,
)
from sickbay.model.entity import ArmEntity, ArmResource, Entity, KubeEntity, KubeObject

E = TypeVar("E", bound=Entity)


def arm_class(type: str) -> type[ArmEntity]:
    """The class of an ARM type, compared without case.

    Resources of other types are still resources.
    """
    return _arm_classes().get(type.casefold(), ArmResource)


def kube_class(kind: str, api_version: str = "") -> type[KubeEntity]:
    """The class of a Kubernetes kind.

    ASO kinds share their names with others and are told by their group.
    """
    classes = _kube_classes()
    group = api_version.partition("/")[0] if "/" in api_version else ""
    if group.endswith(".azure.com") and not group.endswith(".kubernetes.azure.com"):
        return classes.get("aso", KubeObject)
    of_group = classes.get(f"{kind}.{group}")
    if of_group is not None:
        return of_group
    cls = classes.get(kind, KubeObject)
    return KubeObject if cls.group and group and cls.group != group else cls


def class_named(name: str) -> type[Entity]:
    """The class of this name, for entities that were written down."""
    return {cls.__name__: cls for cls in descendants(Entity)}[name]


@cache
def _arm_classes() -> dict[str, type[ArmEntity]]:
    return {cls.kind.casefold(): cls for cls in descendants(ArmEntity) if cls.kind}


@cache
def _kube_classes() -> dict[str, type[KubeEntity]]:
    return {cls.kind: cls for cls in descendants(KubeEntity) if cls.kind}


def descendants(cls: type[E]) -> list[type[E]]:
    """Every class below one."""
    found: list[type[E]] = []
    for child in cls.__subclasses__():
        found += [child, *descendants(child)]
    return found

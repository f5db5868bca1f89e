"""Typed views of what Azure and Kubernetes return; the class is also the decoder.

A class declares the fields that rules read and ignores the others. Azure documents are decoded from
a flat form with lower-case keys (see `bundle.shape`), because `az` and REST spell and nest the same
field differently; Kubernetes has one spelling.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

import msgspec

from sickbay.model.finding import Cite
from sickbay.model.ids import Ref, arm, arm_of, kube

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


_ABBREVIATIONS: Final = {
    **{word: word.upper() for word in ("ip", "id", "cidr", "ttl", "asn")},
    **{f"{word}s": f"{word.upper()}s" for word in ("ip", "id", "cidr", "url")},
}


def spelled(name: str) -> str:
    """How Kubernetes spells a field: `pod_ip` is `podIP`, `provider_id` is `providerID`."""
    first, *rest = name.split("_")
    return first + "".join(_ABBREVIATIONS.get(word, word.capitalize()) for word in rest)


class Shape(msgspec.Struct, frozen=True, gc=False, rename=spelled):
    """A part of a Kubernetes document."""


class AzureShape(msgspec.Struct, frozen=True, gc=False, rename=lambda name: name.replace("_", "")):
    """A part of an Azure document, in the flat lower-case form."""


class Said(msgspec.Struct, frozen=True):
    """A message that a document carries: where, what, and when."""

    path: str
    text: str
    at: str = ""


class Metadata(Shape, frozen=True, gc=False):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    owner_references: list["OwnerReference"] | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    finalizers: list[str] | None = None
    generation: int | None = None
    resource_version: str | None = None


class OwnerReference(Shape, frozen=True, gc=False):
    kind: str = ""
    name: str = ""
    controller: bool | None = None


class Entity:
    """What every kind has in common.

    `kind` is its API type; `look` is the command that reads it.
    """

    __slots__ = ()

    kind: ClassVar[str] = ""
    look: ClassVar[str] = ""

    @property
    def ref(self) -> Ref:
        raise NotImplementedError

    @property
    def is_unwell(self) -> bool:
        """Whether this document alone shows a bad state.

        Of two that contradict, the worse counts.
        """
        return False

    @property
    def modified_at(self) -> str:
        """The newest time inside the document, or an empty string."""
        return ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002 - selectors need it
        """What this thing stands on or belongs to.

        A pod its node, a node its instance, a pool its subnet.
        """
        return iter(())

    def said(self) -> Iterator[Said]:
        """The messages that the document carries."""
        return iter(())

    def children(self) -> Iterator["Entity"]:
        """Entities that the document holds inside itself.

        A cluster its pools, a network its subnets.
        """
        return iter(())

    def cite(self, path: str, value: object) -> Cite:
        return Cite(self.ref, path, f"{path.rpartition('.')[2]}: {_plain(value)}")


class KubeEntity(Entity, Shape, frozen=True, gc=False):
    """A Kubernetes object.

    `group` is its API group where other groups have a kind of the same name; `kind` then ends in
    the group, as kubectl spells it, unless it is the one that users mean by the bare name.
    """

    group: ClassVar[str] = ""

    metadata: Metadata = Metadata()

    @property
    def name(self) -> str:
        return self.metadata.name

    @property
    def namespace(self) -> str:
        return self.metadata.namespace

    @property
    def ref(self) -> Ref:
        return kube(self.kind, self.metadata.namespace, self.metadata.name)

    @property
    def labels(self) -> dict[str, str]:
        return self.metadata.labels or {}

    @property
    def annotations(self) -> dict[str, str]:
        return self.metadata.annotations or {}

    @property
    def modified_at(self) -> str:
        return self.metadata.resource_version or ""

    @property
    def owner(self) -> OwnerReference | None:
        owners = self.metadata.owner_references or []
        return next((owner for owner in owners if owner.controller), owners[0] if owners else None)


class SystemData(AzureShape, frozen=True, gc=False):
    last_modified_at: str | None = None
    created_at: str | None = None


class ErrorDetail(AzureShape, frozen=True, gc=False):
    code: str | None = None
    message: str | None = None
    target: str | None = None
    details: list["ErrorDetail"] | None = None


class ArmEntity(Entity, AzureShape, frozen=True, gc=False):
    """An Azure resource."""

    id: str = ""
    name: str = ""
    type: str | None = None
    location: str | None = None
    tags: dict[str, str | None] | None = None
    provisioning_state: str | None = None
    system_data: SystemData | None = None
    extended_location: "ExtendedLocation | None" = None

    @property
    def ref(self) -> Ref:
        return arm_of(self.kind, self.id) if self.kind else arm(self.id)

    @property
    def parent_key(self) -> str:
        """What the ids of all children of one parent have in common."""
        return self.ref.parent.casefold()

    @property
    def is_unwell(self) -> bool:
        return (self.provisioning_state or "").casefold() in {"failed", "canceled"}

    @property
    def modified_at(self) -> str:
        return (self.system_data and self.system_data.last_modified_at) or ""


class ExtendedLocation(AzureShape, frozen=True, gc=False):
    name: str | None = None
    type: str | None = None


class ArmResource(ArmEntity, frozen=True, gc=False):
    """An Azure resource of a type that no rule knows by name."""


class KubeObject(KubeEntity, frozen=True, gc=False):
    """A Kubernetes object of a kind that no rule knows by name."""

    api_version: str = ""
    object_kind: str = msgspec.field(default="", name="kind")

    @property
    def ref(self) -> Ref:
        return kube(self.object_kind, self.metadata.namespace, self.metadata.name)


def _plain(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)

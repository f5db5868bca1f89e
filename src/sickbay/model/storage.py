"""Kubernetes storage: claims, the volumes that they are bound to, and what makes volumes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.affinity import NodeTerms
from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Condition, conditions_said

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class ClaimSpec(Shape, frozen=True, gc=False):
    volume_name: str | None = None
    storage_class_name: str | None = None
    access_modes: list[str] | None = None


class ClaimStatus(Shape, frozen=True, gc=False):
    phase: str | None = None
    conditions: list[Condition] | None = None


class PersistentVolumeClaim(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "PersistentVolumeClaim"
    look: ClassVar[str] = "kubectl get pvc -A -o json"

    spec: ClaimSpec = ClaimSpec()
    status: ClaimStatus = ClaimStatus()

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.spec.volume_name:
            yield kube("PersistentVolume", "", self.spec.volume_name)
        if self.spec.storage_class_name:
            yield kube("StorageClass", "", self.spec.storage_class_name)

    def said(self) -> Iterator[Said]:
        return conditions_said(self.status.conditions)


class StorageClass(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "StorageClass"
    look: ClassVar[str] = "kubectl get storageclass -o json"

    provisioner: str | None = None
    parameters: dict[str, str] | None = None
    volume_binding_mode: str | None = None

    @property
    def waits_for_pod(self) -> bool:
        """Whether a claim of this class stays Pending, in good health, until a pod uses it."""
        return self.volume_binding_mode == "WaitForFirstConsumer"

    @property
    def is_default(self) -> bool:
        return self.annotations.get("storageclass.kubernetes.io/is-default-class") == "true"


class VolumeAffinity(Shape, frozen=True, gc=False):
    required: NodeTerms | None = None


class ClaimReference(Shape, frozen=True, gc=False):
    namespace: str = ""
    name: str = ""


class VolumeSpec(Shape, frozen=True, gc=False):
    node_affinity: VolumeAffinity | None = None
    claim_ref: ClaimReference | None = None
    storage_class_name: str | None = None


class PersistentVolume(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "PersistentVolume"
    look: ClassVar[str] = "kubectl get pv -o json"

    spec: VolumeSpec = VolumeSpec()

    @property
    def required(self) -> NodeTerms | None:
        return self.spec.node_affinity.required if self.spec.node_affinity else None

"""Kubernetes storage: claims, the volumes behind them, what makes volumes and what holds them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.affinity import LabelSelector, NodeTerms
from sickbay.model.aks import AgentPool
from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.kubernetes import Condition, Pod, conditions_said
from sickbay.model.vaults import KeyVault, StorageAccount

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

DISK_DRIVER: Final = "disk.csi.azure.com"
FILE_DRIVER: Final = "file.csi.azure.com"
BLOB_DRIVER: Final = "blob.csi.azure.com"


class ClaimResources(Shape, frozen=True, gc=False):
    requests: dict[str, str | int | float] | None = None


class ClaimSpec(Shape, frozen=True, gc=False):
    resources: ClaimResources | None = None
    volume_name: str | None = None
    storage_class_name: str | None = None
    access_modes: list[str] | None = None
    volume_mode: str | None = None
    selector: LabelSelector | None = None


class ClaimStatus(Shape, frozen=True, gc=False):
    phase: str | None = None
    capacity: dict[str, str | int | float] | None = None
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
    mount_options: list[str] | None = None
    allow_volume_expansion: bool | None = None

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


class CsiSource(Shape, frozen=True, gc=False):
    driver: str = ""
    volume_handle: str = ""
    volume_attributes: dict[str, str] | None = None


class VolumeSpec(Shape, frozen=True, gc=False):
    node_affinity: VolumeAffinity | None = None
    claim_ref: ClaimReference | None = None
    storage_class_name: str | None = None
    access_modes: list[str] | None = None
    persistent_volume_reclaim_policy: str | None = None
    mount_options: list[str] | None = None
    capacity: dict[str, str | int | float] | None = None
    csi: CsiSource | None = None


class VolumeStatus(Shape, frozen=True, gc=False):
    phase: str | None = None
    reason: str | None = None
    message: str | None = None


class PersistentVolume(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "PersistentVolume"
    look: ClassVar[str] = "kubectl get pv -o json"

    spec: VolumeSpec = VolumeSpec()
    status: VolumeStatus = VolumeStatus()

    @property
    def required(self) -> NodeTerms | None:
        return self.spec.node_affinity.required if self.spec.node_affinity else None

    @property
    def driver(self) -> str:
        return self.spec.csi.driver if self.spec.csi else ""

    @property
    def is_nfs(self) -> bool:
        """Whether an Azure file or blob volume is mounted by NFS instead of SMB or FUSE."""
        attributes = (self.spec.csi and self.spec.csi.volume_attributes) or {}
        return attributes.get("protocol", "").casefold() == "nfs"

    @property
    def is_keyless(self) -> bool:
        """Whether an Azure file or blob volume signs in with an identity instead of a key."""
        attributes = (self.spec.csi and self.spec.csi.volume_attributes) or {}
        ways = ("mountwithmanagedidentity", "mountwithworkloadidentitytoken")
        return any(k.casefold() in ways and v == "true" for k, v in attributes.items())

    @property
    def account(self) -> str:
        """The storage account of an Azure file or blob volume, or an empty string."""
        csi = self.spec.csi
        if csi is None or csi.driver not in (FILE_DRIVER, BLOB_DRIVER):
            return ""
        attributes = csi.volume_attributes or {}
        # A handle made by the driver is group#account#share#….
        parts = csi.volume_handle.split("#")
        named = attributes.get("storageAccount") or attributes.get("storageaccount", "")
        return named or (parts[1] if len(parts) > 2 else "")  # noqa: PLR2004

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        if account := self.account:
            for found in snapshot.grouped(StorageAccount, "key", account.casefold()):
                yield found.ref

    def said(self) -> Iterator[Said]:
        status = self.status
        if status.message:
            yield Said("status.message", f"{status.reason or status.phase}: {status.message}")


class AttachmentSource(Shape, frozen=True, gc=False):
    persistent_volume_name: str | None = None


class AttachmentSpec(Shape, frozen=True, gc=False):
    attacher: str = ""
    node_name: str = ""
    source: AttachmentSource = AttachmentSource()


class AttachmentError(Shape, frozen=True, gc=False):
    message: str | None = None
    time: str | None = None


class AttachmentStatus(Shape, frozen=True, gc=False):
    attached: bool | None = None
    attach_error: AttachmentError | None = None
    detach_error: AttachmentError | None = None


class VolumeAttachment(KubeEntity, frozen=True, gc=False):
    """That a volume hangs on a node, or shall."""

    kind: ClassVar[str] = "VolumeAttachment"
    look: ClassVar[str] = "kubectl get volumeattachments -o json"

    spec: AttachmentSpec = AttachmentSpec()
    status: AttachmentStatus = AttachmentStatus()

    @property
    def volume(self) -> str:
        return self.spec.source.persistent_volume_name or ""

    @property
    def node(self) -> str:
        return self.spec.node_name

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.volume:
            yield kube("PersistentVolume", "", self.volume)
        if self.spec.node_name:
            yield kube("Node", "", self.spec.node_name)

    def said(self) -> Iterator[Said]:
        for name, verb, error in (
            ("attachError", "AttachVolume.Attach", self.status.attach_error),
            ("detachError", "DetachVolume.Detach", self.status.detach_error),
        ):
            if error and error.message:
                text = f'{verb} failed for volume "{self.volume}" : {error.message}'
                yield Said(f"status.{name}.message", text, error.time or "")


class DriverLimit(Shape, frozen=True, gc=False):
    count: int | None = None


class NodeDriver(Shape, frozen=True, gc=False):
    name: str = ""
    allocatable: DriverLimit | None = None


class NodeDrivers(Shape, frozen=True, gc=False):
    drivers: list[NodeDriver] | None = None


class CSINode(KubeEntity, frozen=True, gc=False):
    """The CSI drivers that have registered on a node, and how many volumes each may hold there."""

    kind: ClassVar[str] = "CSINode"
    look: ClassVar[str] = "kubectl get csinodes -o json"

    spec: NodeDrivers = NodeDrivers()

    def most(self, driver: str) -> int | None:
        """The volumes of a driver that the node may hold, or None when nothing says so."""
        found = next((d for d in self.spec.drivers or () if d.name == driver), None)
        return found.allocatable.count if found and found.allocatable else None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield kube("Node", "", self.name)


class ProviderSpec(Shape, frozen=True, gc=False):
    provider: str | None = None
    parameters: dict[str, str] | None = None


class SecretProviderClass(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "SecretProviderClass"
    look: ClassVar[str] = "kubectl get secretproviderclasses -A -o json"

    spec: ProviderSpec = ProviderSpec()

    @property
    def vault(self) -> str:
        """The Key Vault that it reads, or an empty string."""
        parameters = self.spec.parameters or {}
        return next((v for k, v in parameters.items() if k.casefold() == "keyvaultname"), "")

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        if vault := self.vault:
            for found in snapshot.grouped(KeyVault, "key", vault.casefold()):
                yield found.ref


def subnets_of_nodes(snapshot: "Snapshot") -> dict[str, str]:
    """The subnets that node pools were given, by key; in a managed network there are none."""
    pools = snapshot.some(AgentPool)
    return {
        arm(pool.vnet_subnet_id).key: pool.vnet_subnet_id for pool in pools if pool.vnet_subnet_id
    }


def pods_by_claim(snapshot: "Snapshot") -> dict[tuple[str, str], list[Pod]]:
    """The pods in evidence that use each claim, by its namespace and name."""
    users: dict[tuple[str, str], list[Pod]] = {}
    if not snapshot.holds(Pod.kind):
        return users
    for pod in snapshot.some(Pod):
        for volume in pod.spec.volumes or ():
            if volume.persistent_volume_claim:
                key = (pod.namespace, volume.persistent_volume_claim.claim_name)
                users.setdefault(key, []).append(pod)
    return users


def has_waiting_pod(volume: PersistentVolume, snapshot: "Snapshot") -> bool:
    """Whether a pod has a node and still waits for a volume."""
    claim = volume.spec.claim_ref
    users = snapshot.once(pods_by_claim).get((claim.namespace, claim.name), ()) if claim else ()
    return any(pod.status.phase == "Pending" and pod.spec.node_name for pod in users)

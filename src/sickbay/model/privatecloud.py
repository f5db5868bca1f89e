"""What Azure knows of the private clouds behind resource bridges: vCenters, VMs, their storage."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_CONNECTED = "connected"


class PrivateCloud(ArmEntity, frozen=True, gc=False):
    """The management server of a private cloud, as Azure sees it over a bridge."""

    connection_status: str | None = None
    fqdn: str | None = None

    @property
    def is_connected(self) -> bool:
        return (self.connection_status or "").casefold() == _CONNECTED

    @property
    def is_unwell(self) -> bool:
        return super().is_unwell or bool(self.connection_status and not self.is_connected)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.extended_location and self.extended_location.name:
            yield arm(self.extended_location.name)


class VCenter(PrivateCloud, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/vCenters"
    look: ClassVar[str] = "az connectedvmware vcenter list -o json"


class VmmServer(PrivateCloud, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ScVmm/vmmServers"
    look: ClassVar[str] = "az scvmm vmmserver list -o json"


class StorageStatus(AzureShape, frozen=True, gc=False):
    available_size_mb: int | None = None
    container_size_mb: int | None = None


class StorageContainer(ArmEntity, frozen=True, gc=False):
    """A storage path of Azure Local."""

    kind: ClassVar[str] = "Microsoft.AzureStackHCI/storageContainers"
    look: ClassVar[str] = "az stack-hci-vm storagepath list -g {resource_group} -o json"

    path: str | None = None
    status: StorageStatus | None = None

    @property
    def free_gib(self) -> float | None:
        free = self.status.available_size_mb if self.status else None
        return None if free is None else free / 1024


class Identity(AzureShape, frozen=True, gc=False):
    type: str | None = None


class HybridMachine(ArmEntity, frozen=True, gc=False):
    """A machine that Arc manages, on its own or as a VM of a private cloud."""

    kind: ClassVar[str] = "Microsoft.HybridCompute/machines"
    look: ClassVar[str] = "az connectedmachine list -g {resource_group} -o json"

    identity: Identity | None = None

    @property
    def has_identity(self) -> bool:
        return "systemassigned" in ((self.identity and self.identity.type) or "").casefold()


class GuestAgent(ArmEntity, frozen=True, gc=False):
    """The state of guest management on a VM of a private cloud."""

    @property
    def machine(self) -> Ref:
        """The machine: agents hang below an instance, and that hangs below a machine."""
        return arm(self.id.rpartition("/providers/")[0])

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield self.machine


class AzureLocalGuestAgent(GuestAgent, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.AzureStackHCI/virtualMachineInstances/guestAgents"
    look: ClassVar[str] = "az stack-hci-vm list -g {resource_group} -o json"

"""What Azure knows of the private clouds behind resource bridges: vCenters, VMs, their storage."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_CONNECTED: Final = "connected"
_BAD_INSTANCES: Final = frozenset(
    "error deploymentfailed validationfailed disconnected notconnectedrecently".split()
)


class CloudStatus(AzureShape, frozen=True, gc=False):
    """What the operator in the bridge wrote of its last attempt (Azure Local)."""

    error_code: str | None = None
    error_message: str | None = None


class CloudCondition(AzureShape, frozen=True, gc=False):
    """One of several statuses, as Azure keeps them of VMware and VMM."""

    message: str | None = None
    reason: str | None = None
    status: str | None = None


class CloudResource(ArmEntity, frozen=True, gc=False):
    """A VM or a part of one in a private cloud: what Azure wants a bridge to make there."""

    status: CloudStatus | str | None = None
    statuses: list[CloudCondition] | None = None
    error_message: str | None = None

    @property
    def reason(self) -> str:
        """Why the last attempt failed, as far as the document says it."""
        if isinstance(self.status, CloudStatus):
            said = self.status.error_message or self.status.error_code
            if said:
                return said
        if self.error_message:
            return self.error_message
        bad = [state for state in self.statuses or () if state.status != "True"]
        return next((state.message for state in bad if state.message), "")

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.extended_location and self.extended_location.name:
            yield arm(self.extended_location.name)


class PrivateCloud(CloudResource, frozen=True, gc=False):
    """The management server of a private cloud, as Azure sees it over a bridge."""

    connection_status: str | None = None
    fqdn: str | None = None

    @property
    def is_connected(self) -> bool:
        return (self.connection_status or "").casefold() == _CONNECTED

    @property
    def is_unwell(self) -> bool:
        return super().is_unwell or bool(self.connection_status and not self.is_connected)


class VCenter(PrivateCloud, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/vCenters"
    look: ClassVar[str] = "az connectedvmware vcenter list -o json"


class VmmServer(PrivateCloud, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ScVmm/vmmServers"
    look: ClassVar[str] = "az scvmm vmmserver list -o json"


class AzureLocalVm(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.AzureStackHCI/virtualMachineInstances"
    look: ClassVar[str] = "az stack-hci-vm list -g {resource_group} -o json"


class AzureLocalImage(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.AzureStackHCI/galleryImages"
    look: ClassVar[str] = "az stack-hci-vm image list -g {resource_group} -o json"


class MarketplaceImage(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.AzureStackHCI/marketplaceGalleryImages"
    look: ClassVar[str] = "az stack-hci-vm image list -g {resource_group} -o json"


class AzureLocalNic(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.AzureStackHCI/networkInterfaces"
    look: ClassVar[str] = "az stack-hci-vm network nic list -g {resource_group} -o json"


class AzureLocalDisk(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.AzureStackHCI/virtualHardDisks"
    look: ClassVar[str] = "az stack-hci-vm disk list -g {resource_group} -o json"


class VmwareVm(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/virtualMachineInstances"
    look: ClassVar[str] = "az connectedvmware vm list -g {resource_group} -o json"


class VmwareTemplate(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/virtualMachineTemplates"
    look: ClassVar[str] = "az connectedvmware vm-template list -g {resource_group} -o json"


class VmwareNetwork(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/virtualNetworks"
    look: ClassVar[str] = "az connectedvmware virtual-network list -g {resource_group} -o json"


class VmwareDatastore(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/datastores"
    look: ClassVar[str] = "az connectedvmware datastore list -g {resource_group} -o json"


class VmwareCluster(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/clusters"
    look: ClassVar[str] = "az connectedvmware cluster list -g {resource_group} -o json"


class VmwareHost(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/hosts"
    look: ClassVar[str] = "az connectedvmware host list -g {resource_group} -o json"


class VmwarePool(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ConnectedVMwarevSphere/resourcePools"
    look: ClassVar[str] = "az connectedvmware resource-pool list -g {resource_group} -o json"


class VmmVm(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ScVmm/virtualMachineInstances"
    look: ClassVar[str] = "az scvmm vm list -g {resource_group} -o json"


class VmmCloud(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ScVmm/clouds"
    look: ClassVar[str] = "az scvmm cloud list -g {resource_group} -o json"


class VmmTemplate(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ScVmm/virtualMachineTemplates"
    look: ClassVar[str] = "az scvmm vm-template list -g {resource_group} -o json"


class VmmNetwork(CloudResource, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ScVmm/virtualNetworks"
    look: ClassVar[str] = "az scvmm virtual-network list -g {resource_group} -o json"


class AzureLocalInstance(CloudResource, frozen=True, gc=False):
    """A cluster of machines that runs Azure Local."""

    kind: ClassVar[str] = "Microsoft.AzureStackHCI/clusters"
    look: ClassVar[str] = "az stack-hci cluster list -g {resource_group} -o json"

    @property
    def word(self) -> str:
        """Its status in lower case, for comparison."""
        return self.status.casefold() if isinstance(self.status, str) else ""

    @property
    def is_unwell(self) -> bool:
        return super().is_unwell or self.word in _BAD_INSTANCES


class DeploymentSettings(CloudResource, frozen=True, gc=False):
    """What an instance of Azure Local is deployed with, and how far that went."""

    kind: ClassVar[str] = "Microsoft.AzureStackHCI/clusters/deploymentSettings"
    look: ClassVar[str] = "az stack-hci deployment-setting list -g {resource_group} -o json"


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

"""What vCenter itself says of the account and the places of a resource bridge."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.arc import VCENTER_PRIVILEGES, ApplianceInfra
from sickbay.model.entity import KubeEntity, Shape
from sickbay.model.ids import Ref, kube

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

ROOT: Final = "root folder"
FOLDER: Final = "folder"
RESOURCE_POOL: Final = "resourcepool"
DATASTORE: Final = "datastore"
NETWORK: Final = "network"
TEMPLATE: Final = "vmtemplate"
# On what a group of privileges must be held; what stands here for none is held on the VM folder.
_NEEDED_ON: Final = {
    "Datastore": DATASTORE,
    "Network": NETWORK,
    "Resource": RESOURCE_POOL,
    "VApp": RESOURCE_POOL,
    "InventoryService": ROOT,
    "Sessions": ROOT,
}


class HeldOn(Shape, frozen=True, gc=False):
    """The privileges of an account on one object, and what that object is to the bridge."""

    what: str = ""
    name: str = ""
    privileges: list[str] = []


class OfVcenter(KubeEntity, frozen=True, gc=False):
    """Something that vCenter told about a bridge."""

    appliance: str = ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.appliance:
            yield kube(ApplianceInfra.kind, "", self.appliance)


class VcenterAccount(OfVcenter, frozen=True, gc=False):
    """The account of a bridge, and what it may do on each object that the files name."""

    kind: ClassVar[str] = "VcenterAccount"
    look: ClassVar[str] = "sickbay diagnose --appliance <folder-of-the-files>"

    held: list[HeldOn] = []
    # Worked out from the account's own permissions: those of its groups are not known.
    is_worked_out: bool = False

    @property
    def missing(self) -> list[tuple[str, HeldOn]]:
        """Each privilege that the bridge needs and the account lacks, with the object."""
        found = []
        for privilege in sorted(VCENTER_PRIVILEGES):
            wanted = _NEEDED_ON.get(privilege.partition(".")[0], FOLDER)
            for held in self.held:
                known = {one.casefold() for one in held.privileges}
                if held.what == wanted and privilege.casefold() not in known:
                    found.append((privilege, held))
        return found


class VcenterPlace(OfVcenter, frozen=True, gc=False):
    """Something in vCenter that the files name: a folder, a pool, a datastore, a template."""

    kind: ClassVar[str] = "VcenterPlace"
    look: ClassVar[str] = "sickbay diagnose --appliance <folder-of-the-files>"

    setting: str = ""
    # What the files call it, and where it is; the path is empty when it is nowhere.
    named: str = ""
    path: str = ""
    # What a folder can hold.
    child_types: list[str] | None = None
    # Of a resource pool: whether it is the one that comes with a single host.
    is_host_pool: bool = False

    @property
    def is_there(self) -> bool:
        return bool(self.path)

    @property
    def holds_vms(self) -> bool:
        return "VirtualMachine" in (self.child_types or ())

    @property
    def folder_type(self) -> str:
        """What the vSphere client calls a folder, by what it can hold."""
        words = {
            "Datastore": "storage folder",
            "Network": "network folder",
            "DistributedVirtualSwitch": "network folder",
            "ComputeResource": "host and cluster folder",
            "Datacenter": "datacenter folder",
        }
        found = (words[kind] for kind in self.child_types or () if kind in words)
        return next(found, "folder of another type")

"""The privileges that a resource bridge needs in vCenter, as its guide lists them."""

from typing import Final

# As the vSphere client shows them, and as exports of roles name them.
_TABLE: Final = """
[Datastore]
Datastore.AllocateSpace Allocate space
Datastore.Browse Browse datastore
Datastore.FileManagement Low level file operations
[Folder]
Folder.Create Create folder
[vSphere Tagging]
InventoryService.Tagging.AttachTag Assign or Unassign vSphere Tag
[Network]
Network.Assign Assign network
[Resource]
Resource.AssignVMToPool Assign virtual machine to resource pool
Resource.ColdMigrate Migrate powered off virtual machine
Resource.HotMigrate Migrate powered on virtual machine
[Sessions]
Sessions.ValidateSession Validate session
[vApp]
VApp.AssignResourcePool Assign resource pool
VApp.Import Import
[Virtual machine, Change Configuration]
VirtualMachine.Config.DiskLease Acquire disk lease
VirtualMachine.Config.AddExistingDisk Add existing disk
VirtualMachine.Config.AddNewDisk Add new disk
VirtualMachine.Config.AddRemoveDevice Add or remove device
VirtualMachine.Config.AdvancedConfig Advanced configuration
VirtualMachine.Config.CPUCount Change CPU count
VirtualMachine.Config.Memory Change Memory
VirtualMachine.Config.Settings Change Settings
VirtualMachine.Config.Resource Change resource
VirtualMachine.Config.ManagedBy Configure managedBy
VirtualMachine.Config.MksControl Display connection settings
VirtualMachine.Config.DiskExtend Extend virtual disk
VirtualMachine.Config.EditDevice Modify device settings
VirtualMachine.Config.QueryFTCompatibility Query Fault Tolerance compatibility
VirtualMachine.Config.QueryUnownedFiles Query unowned files
VirtualMachine.Config.ReloadFromPath Reload from path
VirtualMachine.Config.RemoveDisk Remove disk
VirtualMachine.Config.Rename Rename
VirtualMachine.Config.ResetGuestInfo Reset guest information
VirtualMachine.Config.Annotation Set annotation
VirtualMachine.Config.ChangeTracking Toggle disk change tracking
VirtualMachine.Config.ToggleForkParent Toggle fork parent
VirtualMachine.Config.UpgradeVirtualHardware Upgrade virtual machine compatibility
[Virtual machine, Edit Inventory]
VirtualMachine.Inventory.CreateFromExisting Create from existing
VirtualMachine.Inventory.Create Create new
VirtualMachine.Inventory.Register Register
VirtualMachine.Inventory.Delete Remove
VirtualMachine.Inventory.Unregister Unregister
[Virtual machine, Guest operations]
VirtualMachine.GuestOperations.ModifyAliases Guest operation alias modification
VirtualMachine.GuestOperations.Modify Guest operation modifications
VirtualMachine.GuestOperations.Execute Guest operation program execution
VirtualMachine.GuestOperations.Query Guest operation queries
[Virtual machine, Interaction]
VirtualMachine.Interact.DeviceConnection Connect devices
VirtualMachine.Interact.ConsoleInteract Console interaction
VirtualMachine.Interact.GuestControl Guest operating system management by VIX API
VirtualMachine.Interact.ToolsInstall Install VMware Tools
VirtualMachine.Interact.PowerOff Power off
VirtualMachine.Interact.PowerOn Power on
VirtualMachine.Interact.Reset Reset
VirtualMachine.Interact.Suspend Suspend
[Virtual machine, Provisioning]
VirtualMachine.Provisioning.DiskRandomAccess Allow disk access
VirtualMachine.Provisioning.FileRandomAccess Allow file access
VirtualMachine.Provisioning.DiskRandomRead Allow read-only disk access
VirtualMachine.Provisioning.GetVmFiles Allow virtual machine download
VirtualMachine.Provisioning.PutVmFiles Allow virtual machine files upload
VirtualMachine.Provisioning.Clone Clone virtual machine
VirtualMachine.Provisioning.DeployTemplate Deploy template
VirtualMachine.Provisioning.MarkAsTemplate Mark as template
VirtualMachine.Provisioning.MarkAsVM Mark as virtual machine
[Virtual machine, Snapshot management]
VirtualMachine.State.CreateSnapshot Create snapshot
VirtualMachine.State.RemoveSnapshot Remove snapshot
VirtualMachine.State.RevertToSnapshot Revert to snapshot
"""


def _labels() -> dict[str, str]:
    labels: dict[str, str] = {}
    group = ""
    for line in _TABLE.strip().splitlines():
        if line.startswith("["):
            group = line.strip("[]")
            continue
        privilege, _, label = line.partition(" ")
        labels[privilege] = f"{group}: {label}"
    return labels


PRIVILEGE_LABELS: Final = _labels()

"""Machines that are well, taken at a glance.

An estate has machines by the ten thousand, nearly all of them well and all of one form. What is
known here by name, as Azure spells it, and reports nothing but success is decoded in one step; a
machine with any other member, spelling, code or level is read like every other document.
"""

from typing import Annotated, Any, Literal, TypeVar

import msgspec

from sickbay.model.azure import InstanceView, MachineExtension, ScaleSetInstance, StorageProfile

_T = TypeVar("_T")
# Too short to be a sentence.
_Word = Annotated[str, msgspec.Meta(max_length=11)]
_Settings = dict[str, _Word | bool | int | None] | None


class _Part(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """A part of a machine in the spelling of Azure."""


class _Status(_Part, frozen=True, gc=False):
    code: Literal[
        "ProvisioningState/succeeded",
        "PowerState/running",
        "HealthState/healthy",
        "ComponentStatus/StdOut/succeeded",
        "ComponentStatus/StdErr/succeeded",
    ]
    level: Literal["Info"]
    display_status: str | None = None
    message: str | None = None
    time: str | None = None


class _Handler(_Part, frozen=True, gc=False):
    type: str | None = None
    type_handler_version: str | None = None
    status: _Status | None = None


class _Agent(_Part, frozen=True, gc=False):
    vm_agent_version: str | None = None
    statuses: list[_Status] | None = None
    extension_handlers: list[_Handler] | None = None


class _Disk(_Part, frozen=True, gc=False):
    name: str | None = None
    statuses: list[_Status] | None = None


class _Extension(_Part, frozen=True, gc=False):
    name: str | None = None
    type: str | None = None
    type_handler_version: str | None = None
    statuses: list[_Status] | None = None
    substatuses: list[_Status] | None = None


class _Health(_Part, frozen=True, gc=False):
    status: _Status | None = None


class _Boot(_Part, frozen=True, gc=False):
    enabled: bool | None = None
    console_screenshot_blob_uri: str | None = None
    serial_console_log_blob_uri: str | None = None


class _Diagnostics(_Part, frozen=True, gc=False):
    boot_diagnostics: _Boot | None = None


class _View(_Part, frozen=True, gc=False):
    placement_group_id: str | None = None
    platform_update_domain: int | None = None
    platform_fault_domain: int | None = None
    computer_name: str | None = None
    os_name: str | None = None
    os_version: str | None = None
    hyper_v_generation: str | None = None
    boot_diagnostics: _Boot | None = None
    disks: list[_Disk] | None = None
    statuses: list[_Status] | None = None
    extensions: list[_Extension] | None = None
    vm_agent: _Agent | None = None
    vm_health: _Health | None = None


class _Storage(_Part, frozen=True, gc=False):
    image_reference: Any = None
    os_disk: Any = None
    disk_controller_type: str | None = None
    # Machines with disks of their own are read with care.
    data_disks: Annotated[list[Any], msgspec.Meta(max_length=0)] | None = None


class _Properties(_Part, frozen=True, gc=False):
    latest_model_applied: bool | None = None
    model_definition_applied: str | None = None
    provisioning_state: Literal["Succeeded"] | None = None
    deletion_status: str | None = msgspec.field(default=None, name="resilientVMDeletionStatus")
    vm_id: str | None = None
    time_created: str | None = None
    license_type: str | None = None
    instance_view: _View | None = None
    storage_profile: _Storage | None = None
    diagnostics_profile: _Diagnostics | None = None
    # What a machine is made of says nothing.
    hardware_profile: Any = None
    network_profile: Any = None
    network_profile_configuration: Any = None
    os_profile: Any = None
    security_profile: Any = None


class _ResourceProperties(_Part, frozen=True, gc=False):
    auto_upgrade_minor_version: bool | None = None
    enable_automatic_upgrade: bool | None = None
    suppress_failures: bool | None = None
    provisioning_state: Literal["Succeeded"] | None = None
    publisher: str | None = None
    type: str | None = None
    type_handler_version: str | None = None
    settings: _Settings = None


class _Resource(_Part, frozen=True, gc=False):
    name: str | None = None
    id: str | None = None
    type: str | None = None
    location: str | None = None
    tags: Any = None
    properties: _ResourceProperties | None = None


class _Machine(_Part, frozen=True, gc=False):
    id: str
    name: str
    properties: _Properties
    type: str | None = None
    location: str | None = None
    tags: dict[str, str | None] | None = None
    instance_id: str | None = None
    etag: str | None = None
    zones: list[_Word] | None = None
    resources: list[_Resource] | None = None
    identity: Any = None
    sku: Any = None


def well(body: dict[str, Any]) -> ScaleSetInstance | None:
    """The machine of a document that is wholly known and reports success; None for any other."""
    try:
        machine = msgspec.convert(body, _Machine)
    except msgspec.ValidationError:
        return None
    inner = machine.properties
    return ScaleSetInstance(
        machine.id,
        machine.name,
        machine.type,
        machine.location,
        machine.tags,
        inner.provisioning_state,
        instance_id=machine.instance_id,
        latest_model_applied=inner.latest_model_applied,
        instance_view=_as(InstanceView, inner.instance_view),
        storage_profile=_as(StorageProfile, inner.storage_profile),
        resources=None if (held := machine.resources) is None else list(map(_listed, held)),
    )


def _listed(one: _Resource) -> MachineExtension:
    return MachineExtension(one.name, one.properties.provisioning_state if one.properties else None)


def _as(cls: type[_T], part: _Part | None) -> _T | None:
    """The part as the class that rules read, whose members have the same names."""
    return None if part is None else msgspec.convert(part, cls, from_attributes=True)

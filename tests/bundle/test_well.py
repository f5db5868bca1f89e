"""A machine that is taken at a glance is the same as one that is read with care."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from sickbay.bundle.documents import _decoding
from sickbay.bundle.messages import messages
from sickbay.bundle.shape import flat
from sickbay.bundle.tolerant import convert
from sickbay.bundle.well import well
from sickbay.model.ids import arm

SET = (
    "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/MC_shop_shop_westeurope"
    "/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np-12345678-vmss"
)


def status(code: str, **more: str) -> dict[str, Any]:
    return {"code": code, "level": "Info", "displayStatus": "Ready", **more}


def machine() -> dict[str, Any]:
    good = "ProvisioningState/succeeded"
    handler = {"type": "CustomScript", "typeHandlerVersion": "2.1", "status": status(good)}
    enabled = status(good, message="Enable succeeded: all is well")
    nothing = status("ComponentStatus/StdErr/succeeded", message="")
    return {
        "id": f"{SET}/virtualMachines/0",
        "name": "aks-np-12345678-vmss_0",
        "type": "Microsoft.Compute/virtualMachineScaleSets/virtualMachines",
        "location": "westeurope",
        "tags": {"aks-managed-poolName": "np"},
        "identity": {"type": "UserAssigned", "userAssignedIdentities": {}},
        "instanceId": "0",
        "zones": ["1"],
        "sku": {"name": "Standard_D4s_v3", "tier": "Standard"},
        "properties": {
            "latestModelApplied": True,
            "provisioningState": "Succeeded",
            "hardwareProfile": {"vmSize": "Standard_D4s_v3"},
            "resilientVMDeletionStatus": "Disabled",
            "vmId": "dc2e8313-186a-55b7-948a-7146d42cde71",
            "storageProfile": {"osDisk": {"name": "os"}, "dataDisks": []},
            "diagnosticsProfile": {"bootDiagnostics": {"enabled": True}},
            "instanceView": {
                "platformUpdateDomain": 0,
                "computerName": "aks-np-12345678-vmss000000",
                "vmAgent": {
                    "vmAgentVersion": "2.12.0.2",
                    "statuses": [status(good, message="Guest Agent is running")],
                    "extensionHandlers": [handler],
                },
                "disks": [{"name": "os", "statuses": [status(good)]}],
                "extensions": [
                    {"name": "vmssCSE", "statuses": [enabled], "substatuses": [nothing]}
                ],
                "vmHealth": {"status": status("HealthState/healthy")},
                "statuses": [status(good), status("PowerState/running")],
            },
        },
        "resources": [
            {
                "name": "vmssCSE",
                "id": f"{SET}/virtualMachines/0/extensions/vmssCSE",
                "location": "westeurope",
                "properties": {
                    "provisioningState": "Succeeded",
                    "publisher": "Microsoft.Azure.Extensions",
                    "settings": {"disable-uu": "false"},
                },
            }
        ],
    }


def read_with_care(body: dict[str, Any]) -> Any:
    cls, form = _decoding(arm(machine()["id"]).kind)
    return convert(flat(body, form), cls).value


def holders(node: Any) -> Iterator[Any]:
    """Every object and list in a document, that of the whole first, always in the same order."""
    if isinstance(node, dict | list):
        yield node
        for member in node.values() if isinstance(node, dict) else node:
            yield from holders(member)


CHANGES: tuple[Any, ...] = (
    None,
    7,
    True,
    [],
    {},
    "Failed",
    {"code": "VMExtensionProvisioningError", "message": "VM has reported a failure."},
    [{"code": "ProvisioningState/failed/1", "level": "Error", "message": "It went wrong."}],
)


def changed() -> Iterator[dict[str, Any]]:
    """The machine with one thing dropped, changed, spelled in another way, or added."""
    for number, holder in enumerate(list(holders(machine()))):
        keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        for key in keys:
            for change in (*CHANGES, KeyError):
                other = machine()
                place = list(holders(other))[number]
                if change is KeyError:
                    del place[key]
                else:
                    place[key] = copy.deepcopy(change)
                yield other
        for name in ("note", *(str(key).upper() for key in keys if isinstance(holder, dict))):
            other = machine()
            place = list(holders(other))[number]
            if isinstance(place, dict):
                place[name] = "Something went wrong in here."
                yield other
                place[name] = place.pop(name.lower(), {"message": "Something went wrong."})
                yield other


def test_a_machine_that_is_well_is_taken_at_a_glance() -> None:
    assert well(machine()) == read_with_care(machine())
    assert list(messages(machine())) == []


def test_whatever_is_taken_at_a_glance_says_nothing_and_is_the_same() -> None:
    taken = 0
    for body in changed():
        found = well(copy.deepcopy(body))
        if found is not None:
            taken += 1
            assert list(messages(body)) == [], body
            assert found == read_with_care(body), body
    assert taken > 100


@pytest.mark.parametrize("code", ["ProvisioningState/failed/1", "PowerState/deallocated"])
@pytest.mark.parametrize("level", ["Info", "Warning", "Error"])
def test_a_machine_that_reports_anything_else_is_read_with_care(code: str, level: str) -> None:
    body = machine()
    body["properties"]["instanceView"]["statuses"][1] = {"code": code, "level": level}
    assert well(body) is None


def test_a_machine_with_disks_of_its_own_is_read_with_care() -> None:
    body = machine()
    body["properties"]["storageProfile"]["dataDisks"] = [{"name": "pvc-1", "toBeDetached": True}]
    assert well(body) is None

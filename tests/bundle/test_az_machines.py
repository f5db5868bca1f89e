"""Reserved machines and disks as `az` prints them."""

import json
from typing import Any

from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.disks import Disk
from sickbay.model.reservations import CapacityReservation, CapacityReservationGroup

PLACE = "/subscriptions/s/resourceGroups/HELD/providers/Microsoft.Compute"
GROUP = f"{PLACE}/capacityReservationGroups/crg"


def read(value: Any) -> Any:
    snapshot = made(json.dumps(value), "saved.json").snapshot
    assert not snapshot.gaps
    return snapshot


def test_what_is_reserved_and_in_use_is_understood() -> None:
    # `az capacity reservation group show --instance-view` and `az capacity reservation list`.
    group = {
        "id": GROUP,
        "instanceView": {
            "capacityReservations": [
                {"name": "r", "utilizationInfo": {"virtualMachinesAllocated": [{"id": "a"}]}}
            ]
        },
        "location": "westeurope",
        "name": "crg",
        "type": "Microsoft.Compute/CapacityReservationGroups",
        "zones": ["1"],
    }
    reservation = {
        "id": f"{GROUP}/capacityReservations/r",
        "name": "r",
        "provisioningState": "Succeeded",
        "sku": {"capacity": 2, "name": "Standard_D4s_v5", "tier": None},
        "type": "Microsoft.Compute/CapacityReservationGroups/CapacityReservations",
        "virtualMachinesAssociated": [{"id": "a"}, {"id": "b"}],
        "zones": ["1"],
    }
    snapshot = read([group, reservation])
    [found] = snapshot.some(CapacityReservation)
    [around] = snapshot.some(CapacityReservationGroup)
    assert (found.in_words, found.used(around)) == ("2 x Standard_D4s_v5 in zone 1", 1)
    assert found.used(CapacityReservationGroup(id=GROUP)) == 2


def test_a_disk_says_on_what_it_hangs_and_what_it_was_made_for() -> None:
    # `az disk list` prints it flat, and its tags as they are.
    sets = f"{PLACE}/virtualMachineScaleSets/aks-np-vmss/virtualMachines"
    disk = {
        "diskSizeGb": 64,
        "diskState": "Attached",
        "id": f"{PLACE}/disks/pvc-9",
        "managedBy": f"{sets}/aks-np-vmss_4",
        "managedByExtended": None,
        "name": "pvc-9",
        "tags": {
            "kubernetes.io-created-for-pv-name": "pvc-9",
            "kubernetes.io-created-for-pvc-name": "data",
            "kubernetes.io-created-for-pvc-namespace": "shop",
        },
        "type": "Microsoft.Compute/disks",
    }
    [found] = read([disk]).some(Disk)
    assert found.machines == (f"{sets}/4",)
    assert (found.claim, found.volume) == ("shop/data", "pvc-9")

"""Machines that are reserved: a group, what each reservation in it holds, and who uses it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.azure import Reference, Sku
from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class Utilization(AzureShape, frozen=True, gc=False):
    virtual_machines_allocated: list[Reference] | None = None


class ReservationView(AzureShape, frozen=True, gc=False):
    name: str | None = None
    utilization_info: Utilization | None = None


class GroupView(AzureShape, frozen=True, gc=False):
    capacity_reservations: list[ReservationView] | None = None


class CapacityReservationGroup(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Compute/capacityReservationGroups"
    look: ClassVar[str] = "az capacity reservation group show --ids <group> --instance-view -o json"

    zones: list[str] | None = None
    instance_view: GroupView | None = None

    def allocated(self, name: str) -> int | None:
        """How many machines run in a reservation, or None where nobody looked."""
        views = (self.instance_view and self.instance_view.capacity_reservations) or ()
        for view in views:
            if (view.name or "").casefold() == name.casefold():
                used = view.utilization_info and view.utilization_info.virtual_machines_allocated
                return len(used or ())
        return None


class CapacityReservation(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Compute/capacityReservationGroups/capacityReservations"
    look: ClassVar[str] = "az capacity reservation list -g <group> -c <reservation-group> -o json"

    sku: Sku | None = None
    zones: list[str] | None = None
    virtual_machines_associated: list[Reference] | None = None

    @property
    def size(self) -> str:
        return (self.sku and self.sku.name) or ""

    @property
    def machines(self) -> int:
        """How many machines are reserved."""
        return (self.sku and self.sku.capacity) or 0

    @property
    def in_words(self) -> str:
        zone = f" in zone {', '.join(self.zones)}" if self.zones else ""
        return f"{self.machines} x {self.size}{zone}"

    def fits(self, size: str, zone: str) -> bool:
        """Whether machines of a size in a zone, or in none, can be taken from it."""
        is_there = zone in (self.zones or ()) if zone else not self.zones
        return is_there and self.size.casefold() == size.casefold()

    def used(self, group: CapacityReservationGroup) -> int:
        running = group.allocated(self.name or self.ref.name)
        return len(self.virtual_machines_associated or ()) if running is None else running

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)

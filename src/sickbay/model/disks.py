"""Managed disks: what they hang on, and the claim that they were made for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import ArmEntity
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_MADE_FOR: Final = "kubernetes.io-created-for-"


class Disk(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Compute/disks"
    look: ClassVar[str] = "az disk list -g {node_resource_group} -o json"

    disk_state: str | None = None
    managed_by: str | None = None
    managed_by_extended: list[str] | None = None

    @property
    def machines(self) -> tuple[str, ...]:
        """The ids of the machines that it hangs on; a shared disk has several."""
        held = [self.managed_by, *(self.managed_by_extended or ())]
        return tuple(dict.fromkeys(_numbered(id) for id in held if id))

    @property
    def volume(self) -> str:
        """The persistent volume that it was made for, or nothing."""
        return self._made_for("pv-name")

    @property
    def claim(self) -> str:
        name = self._made_for("pvc-name")
        return f"{self._made_for('pvc-namespace')}/{name}" if name else ""

    def _made_for(self, word: str) -> str:
        wanted = f"{_MADE_FOR}{word}"
        found = (v for k, v in (self.tags or {}).items() if k.casefold() == wanted)
        return next((value for value in found if value), "")

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield from (arm(id) for id in self.machines)


def _numbered(id: str) -> str:
    """The id of a machine by its number, where it is told by name: `…/set/virtualMachines/set_4`.

    Azure names the machines of a scale set either way.
    """
    machine = arm(id)
    start = f"{arm(machine.parent).name}_".casefold()
    number = machine.name[len(start) :]
    is_named = machine.name.casefold().startswith(start) and number.isdecimal()
    return f"{machine.parent}/virtualMachines/{number}" if is_named else id

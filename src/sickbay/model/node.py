"""What was seen on a node itself: the addresses it keeps for pods, and the pods it runs."""

from typing import TYPE_CHECKING, ClassVar

from sickbay.model.entity import Entity, Shape
from sickbay.model.ids import Ref, kube

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sickbay.model.snapshot import Snapshot


class OnNode(Entity, Shape, frozen=True, gc=False):
    """Something of a node; where its name is not told, of the place that it was found in."""

    node: str = ""
    place: str = ""

    @property
    def ref(self) -> Ref:
        return Ref(self.kind, f"{self.kind}/{self.whose}")

    @property
    def whose(self) -> str:
        return self.node or self.place.replace("/", "|") or "unknown"

    def links(self, snapshot: "Snapshot") -> "Iterator[Ref]":  # noqa: ARG002
        if self.node:
            yield kube("Node", "", self.node)


class AddressStore(OnNode, frozen=True, gc=False):
    """The store of the network plugin: addresses that are given out to pods.

    `capacity` is how many there are to give, where that can be told.
    """

    kind: ClassVar[str] = "ipam"
    look: ClassVar[str] = "ls -al /var/lib/cni/networks/*"

    allocated: int = 0
    capacity: int | None = None
    prefix: str = ""

    def running(self, snapshot: "Snapshot") -> int | None:
        """How many sandboxes run on the same node, if that was seen."""
        found = snapshot.find(Ref(Sandboxes.kind, f"{Sandboxes.kind}/{self.whose}"))
        return found.running if isinstance(found, Sandboxes) else None


class Sandboxes(OnNode, frozen=True, gc=False):
    """The sandboxes of pods that the container runtime lists as running."""

    kind: ClassVar[str] = "sandboxes"
    look: ClassVar[str] = "crictl pods --state Ready"

    running: int = 0

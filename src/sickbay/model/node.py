"""What was seen on a node itself: the addresses it keeps for pods, and the sandboxes of its pods.

Each pod has one sandbox, and the network plugin notes for each address which sandbox holds it. What
the two lists have in common tells why a node has no address left.
"""

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from sickbay.model.entity import Entity, KubeEntity, Shape
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.quantity import Quantity, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sickbay.model.snapshot import Snapshot

# Tables print the first 12 or 13 characters of an id, Azure's endpoints the first 8.
_LONGEST_ID: Final = 12
_SHORTEST_ID: Final = 8
# A /24 without its network, broadcast and gateway address: what kubenet and overlays give a node.
_USUAL_RANGE: Final = 253
_NEVER_GIVEN: Final = 3
# Some entries of pods that are just ending are normal.
_FEW: Final = 3
_NOTABLE: Final = 0.25
_MOST_OF: Final = 0.5
_NEARLY: Final = 0.9


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

    @property
    def ill(self) -> Ref:
        """What a finding is about: the node, where its name is told."""
        return kube("Node", "", self.node) if self.node else self.ref

    def links(self, snapshot: "Snapshot") -> "Iterator[Ref]":  # noqa: ARG002
        if self.node:
            yield kube("Node", "", self.node)


class Sandboxes(OnNode, frozen=True, gc=False):
    """The sandboxes of pods that the container runtime lists.

    `exited` is None where the listing leaves out those that ended. `how` tells two listings of one
    node apart.
    """

    kind: ClassVar[str] = "sandboxes"
    look: ClassVar[str] = "crictl pods -o json"

    running: int = 0
    ready: tuple[str, ...] = ()
    exited: tuple[str, ...] | None = None
    how: str = ""

    @property
    def ref(self) -> Ref:
        return Ref(self.kind, f"{self.kind}/{self.whose}" + (f"/{self.how}" if self.how else ""))

    @property
    def worth(self) -> tuple[object, ...]:
        """How much a listing tells, for the choice between several of one node."""
        return self.exited is not None, len(self.ready), self.running, self.how


class Balance(NamedTuple):
    """Addresses of one store, by what became of the sandboxes that they were given to."""

    held: int
    of_running: int
    of_exited: int
    of_nobody: int
    # Not running, and whether it ended or was forgotten is not told.
    of_either: int = 0

    @property
    def is_told(self) -> bool:
        """Whether every entry could be followed to a sandbox or to none."""
        return not self.of_either

    @property
    def left_over(self) -> int:
        return self.held - self.of_running

    def is_much(self, part: int) -> bool:
        return part >= _FEW and part >= self.held * _NOTABLE

    def __str__(self) -> str:
        start = f"of {self.held} addresses {self.of_running} are held by sandboxes that run"
        if not self.is_told:
            return f"{start}, {self.of_either} by others"
        return f"{start}, {self.of_exited} by exited ones, {self.of_nobody} by none that exists"


class AddressStore(OnNode, frozen=True, gc=False):
    """The store of the network plugin: addresses that are given out to pods.

    `capacity` is how many there are to give, where that can be told; `entries` are addresses with
    the sandbox that each was given to, as far as that is told. `how` tells two views of one node
    apart.
    """

    kind: ClassVar[str] = "ipam"
    look: ClassVar[str] = "grep -r . /var/lib/cni/networks"

    allocated: int = 0
    capacity: int | None = None
    prefix: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    how: str = ""

    @property
    def ref(self) -> Ref:
        return Ref(self.kind, f"{self.kind}/{self.whose}" + (f"/{self.how}" if self.how else ""))

    def links(self, snapshot: "Snapshot") -> "Iterator[Ref]":
        """Its node, and the pods that want an address of it: they meet only on the node."""
        if node := self.home(snapshot):
            yield kube("Node", "", node)
            yield from (pod.ref for pod in snapshot.grouped(Pod, "node", node))

    def home(self, snapshot: "Snapshot") -> str:
        """The name of its node; where nobody told, that of the pods that have its addresses."""
        if self.node:
            return self.node
        given = dict(self.entries)
        pods = snapshot.grouped(Pod, "kind", Pod.kind)
        nodes = {pod.node for pod in pods if pod.node and pod.status.pod_ip in given}
        return nodes.pop() if len(nodes) == 1 else ""

    @property
    def has_holders(self) -> bool:
        return len(self.entries) >= max(1, self.allocated * _NEARLY)

    @property
    def holders(self) -> tuple[str, ...]:
        return tuple(id for _, id in self.entries)

    def pool(self, snapshot: "Snapshot") -> str:
        node = snapshot.find(self.ill)
        return node.pool if isinstance(node, Node) else ""

    def is_outdone(self, snapshot: "Snapshot") -> bool:
        """Whether only another view of the same node tells who holds the addresses."""
        others = snapshot.grouped(AddressStore, "whose", self.whose)
        return not self.has_holders and any(one.has_holders for one in others)

    def sandboxes(self, snapshot: "Snapshot") -> Sandboxes:
        """The listing of the same node that tells most; without one nobody can judge the store."""
        found = snapshot.grouped(Sandboxes, "whose", self.whose)
        if not found:
            what = f"the sandboxes of {self.whose}"
            raise UnseenError(Gap(Sandboxes.kind, what, to_open=Sandboxes.look))
        return max(found, key=lambda one: one.worth)

    def running(self, snapshot: "Snapshot") -> int | None:
        """How many sandboxes run on the same node, if that was seen."""
        found = snapshot.grouped(Sandboxes, "whose", self.whose)
        return max(found, key=lambda one: one.worth).running if found else None

    def balance(self, snapshot: "Snapshot") -> Balance:
        """Follow each address to its sandbox, or compare the numbers where ids are not told.

        Where no sandboxes were listed, the pods of the node tell which addresses are in use.
        """
        if self.has_holders and not snapshot.grouped(Sandboxes, "whose", self.whose):
            used = self._in_use(snapshot)
            if used is not None:
                return Balance(self.allocated, used, 0, 0, self.allocated - used)
        boxes = self.sandboxes(snapshot)
        if not self.has_holders or len(boxes.ready) < boxes.running:
            running = min(boxes.running, self.allocated)
            return Balance(self.allocated, running, 0, 0, self.allocated - running)
        return _followed(self.holders, boxes)

    def _in_use(self, snapshot: "Snapshot") -> int | None:
        """How many of the addresses pods of the node have, if all pods were read."""
        node = self.home(snapshot)
        if not node or not snapshot.has_seen(Pod.kind):
            return None
        own = {pod.status.pod_ip for pod in snapshot.grouped(Pod, "node", node)}
        return sum(address in own for address, _ in self.entries)

    def left_behind(self, snapshot: "Snapshot") -> str:
        """Some addresses whose sandbox does not run, with its id, for a reader to look up."""
        ready = {one[:_SHORTEST_ID] for one in self.sandboxes(snapshot).ready}
        stale = [entry for entry in self.entries if entry[1][:_SHORTEST_ID] not in ready]
        return ", ".join(f"{address} of {id[:_LONGEST_ID]}" for address, id in sorted(stale)[:3])

    def room(self, snapshot: "Snapshot") -> int | None:
        """How many addresses the node has to give."""
        if self.capacity is not None:
            return self.capacity
        node = snapshot.find(kube("Node", "", self.node)) if self.node else None
        told = node.spec.pod_cidr if isinstance(node, Node) else None
        length = (told or "").rpartition("/")[2]
        if told and ":" not in told and length.isdecimal() and int(length) <= 30:  # noqa: PLR2004
            return max(1, (1 << (32 - int(length))) - _NEVER_GIVEN)
        return self.allocated if self.allocated >= _USUAL_RANGE else None

    def is_mostly_left(self, balance: Balance) -> bool:
        """Whether so many addresses are of no running pod that ids are not needed to say so."""
        return balance.left_over >= max(10, balance.held * _MOST_OF)


def _followed(holders: tuple[str, ...], boxes: Sandboxes) -> Balance:
    ids = (*holders, *boxes.ready, *(boxes.exited or ()))
    length = max(_SHORTEST_ID, min(_LONGEST_ID, *(len(one) for one in ids)))
    ready = {one[:length] for one in boxes.ready}
    exited = {one[:length] for one in boxes.exited or ()} - ready
    held = [one[:length] for one in holders]
    of_running = sum(one in ready for one in held)
    of_exited = sum(one in exited for one in held)
    rest = len(held) - of_running - of_exited
    if boxes.exited is None:
        return Balance(len(held), of_running, 0, 0, rest)
    return Balance(len(held), of_running, of_exited, rest)


class NodeMetrics(KubeEntity, frozen=True, gc=False):
    """What a node uses at this moment, as the metrics server tells it."""

    kind: ClassVar[str] = "NodeMetrics"
    group: ClassVar[str] = "metrics.k8s.io"
    look: ClassVar[str] = "kubectl get --raw /apis/metrics.k8s.io/v1beta1/nodes"

    usage: dict[str, Quantity] | None = None

    def used(self, resource: str) -> float:
        return number((self.usage or {}).get(resource))

    def links(self, snapshot: "Snapshot") -> "Iterator[Ref]":  # noqa: ARG002
        yield kube("Node", "", self.name)

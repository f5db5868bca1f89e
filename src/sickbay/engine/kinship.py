"""Whether a fault here can be felt there.

Along what things stand on, never across a hub and down again.
"""

from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot

_MOST_STEPS = 10
_MOST_THINGS = 5_000
_SHARED = ("-system", "azure-arc")
# kind/namespace/name
_NAMESPACED = 3


class Kinship:
    """Relations between subjects over the links of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._below: dict[Ref, frozenset[Ref]] = {}

    def is_placed(self, ref: Ref) -> bool:
        """Whether we have the document of this thing, and so know what it is linked to."""
        entity = self.snapshot.find(ref)
        # Of a kind that no rule knows by name we have a document, but not its links.
        return entity is not None and entity.kind != ""

    def stands_on(self, ref: Ref) -> frozenset[Ref]:
        """Everything that a thing stands on or belongs to, itself included."""
        if ref not in self._below:
            reached = {ref}
            edge = [ref]
            for _ in range(_MOST_STEPS):
                edge = [t for r in edge for t in self.snapshot.links(r) if t not in reached]
                reached.update(edge)
                if not edge or len(reached) > _MOST_THINGS:
                    break
            self._below[ref] = frozenset(reached)
        return self._below[ref]

    def related(self, one: Ref, other: Ref) -> bool:
        """Whether one stands on the other; a thing that we cannot place is not excluded."""
        if one == other:
            return True
        if other in self.stands_on(one) or one in self.stands_on(other):
            return True
        if self.is_placed(one) and self.is_placed(other):
            return False
        # A pod that is gone can still be told from those of other namespaces; what serves the whole
        # cluster is felt in all of them.
        here, there = namespace_of(one), namespace_of(other)
        is_shared = here.endswith(_SHARED) or there.endswith(_SHARED)
        return is_shared or not (here and there and here != there)


def namespace_of(ref: Ref) -> str:
    """The namespace in the id of an object of Kubernetes, or an empty string."""
    if ref.id.startswith("/"):
        return ""
    parts = ref.id.split("/")
    # A text is called by the file that it stands in, and that may lie in two folders.
    is_object = len(parts) == _NAMESPACED and parts[0] == ref.kind.lower()
    return parts[1] if is_object else ""

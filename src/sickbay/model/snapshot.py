"""The world as collected: an immutable graph that knows what it does not know."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from sickbay.model.evidence import Gap, Origin, UnseenError
from sickbay.model.ids import Ref, arm, node_name
from sickbay.record import NamedTuple

T = TypeVar("T")
if TYPE_CHECKING:
    from sickbay.model.entity import Entity

    E = TypeVar("E", bound=Entity)
else:
    # A bound in quotes would be compiled, which costs a millisecond when nothing else was.
    E = TypeVar("E")

EVERYWHERE = ""
ANY_ARM = "Microsoft.*"
# What a run was asked about: noted as seen, so that a bundle knows it too.
TARGET = "target"
_ANY_KEY = ANY_ARM.casefold()
_NOWHERE: frozenset[str] = frozenset()


class Seen(NamedTuple):
    """A kind that was read to its end within a scope.

    The scope is a namespace, an ARM id that contains the rest, or everywhere. The kind `ANY_ARM`
    stands for an inventory: every Azure resource of the scope.
    """

    kind: str
    scope: str = EVERYWHERE


class Snapshot:
    """Asking for evidence that nobody read raises UnseenError.

    So that blindness never looks like health.
    """

    def __init__(
        self,
        entities: "Iterable[Entity] | Mapping[Ref, Entity]" = (),
        *,
        seen: Iterable[Seen] = (),
        origins: Mapping[Ref, Origin] | None = None,
        gaps: Iterable[Gap] = (),
    ) -> None:
        if not isinstance(entities, Mapping):
            entities = {entity.ref: entity for entity in entities}
        self._by_ref: Mapping[Ref, Entity] = entities
        by_kind: dict[type[Entity], list[Entity]] = {}
        for entity in entities.values():
            by_kind.setdefault(type(entity), []).append(entity)
        self._by_kind = {kind: tuple(found) for kind, found in by_kind.items()}
        # Those of all kinds below one.
        self._of_base: dict[type[Entity], tuple[Entity, ...]] = {}
        self._seen: dict[str, set[str]] = {}
        for kind, scope in seen:
            self._seen.setdefault(kind.casefold(), set()).add(scope.rstrip("/").casefold())
        self._origins = origins or {}
        self.gaps = tuple(gaps)
        self._dependents: dict[Ref, list[Ref]] | None = None
        self._labelled: dict[type[Entity], dict[tuple[str, str, str], list[Entity]]] = {}
        self._groups: dict[tuple[type[Entity], str], dict[str, tuple[Entity, ...]]] = {}
        self._pools: dict[str, list[Ref]] | None = None
        self._machines: dict[str, list[Ref]] | None = None
        self._ordered: dict[type[Entity], tuple[list[str], list[Entity]]] = {}
        self._made: dict[Callable[[Snapshot], Any], Any] = {}

    def __len__(self) -> int:
        return len(self._by_ref)

    @property
    def kinds(self) -> tuple[type["Entity"], ...]:
        return tuple(self._by_kind)

    def with_seen(self, seen: Iterable[tuple[str, str]]) -> "Snapshot":
        """The same entities, of which only this was read to its end."""
        return Snapshot(
            self._by_ref.values(),
            seen=[Seen(kind, scope) for kind, scope in seen],
            origins=self._origins,
            gaps=self.gaps,
        )

    @property
    def targets(self) -> tuple[Ref, ...]:
        """What the run was asked about, as far as it is in evidence."""
        asked = (arm(id) for id in sorted(self._seen.get(TARGET, ())))
        return tuple(entity.ref for ref in asked if (entity := self._by_ref.get(ref)))

    def refs(self) -> tuple[Ref, ...]:
        return tuple(self._by_ref)

    def holds(self, kind: str) -> bool:
        """Whether at least one entity of a kind is in evidence."""
        return any(cls.kind == kind for cls in self._by_kind)

    def some(self, kind: type[E]) -> tuple[E, ...]:
        """Return the entities of a kind that are in evidence; there may be others."""
        found = self._of(kind)
        if not found:
            self.require(kind)
        return found

    def all(self, kind: type[E], within: str = EVERYWHERE) -> tuple[E, ...]:
        """Return every entity of a kind in a namespace, below an ARM id, or everywhere.

        Complete, or UnseenError.
        """
        self.require(kind, within)
        if within == EVERYWHERE:
            return self._of(kind)
        if within.startswith("/"):
            return self._below(kind, within.rstrip("/").casefold())
        return tuple(entity for entity in self._of(kind) if _is_within(entity.ref, within))

    def _below(self, kind: type[E], scope: str) -> tuple[E, ...]:
        """The entities of a kind at an ARM id or below it: neighbours in the order of ids."""
        from bisect import bisect_left  # noqa: PLC0415 - a pasted text has no entities

        index = self._ordered.get(kind)
        if index is None:
            pairs = sorted(((one.ref.key, one) for one in self._of(kind)), key=lambda pair: pair[0])
            index = self._ordered[kind] = ([key for key, _ in pairs], [one for _, one in pairs])
        keys, entities = index
        start, end = bisect_left(keys, f"{scope}/"), bisect_left(keys, f"{scope}0")
        itself = self._by_ref.get(arm(scope))
        own = (itself,) if isinstance(itself, kind) else ()
        return (*own, *entities[start:end])

    def get(self, ref: Ref, kind: type[E]) -> E | None:
        """Return the entity, or None if it is known not to exist."""
        entity = self._by_ref.get(ref)
        if entity is None:
            self.require(kind, ref.id if ref.is_arm else ref.namespace)
        return entity if isinstance(entity, kind) else None

    def in_namespace(self, kind: type[E], namespace: str) -> tuple[E, ...]:
        """Return the entities of a kind in a namespace that are in evidence, quickly."""
        return self.grouped(kind, "namespace", namespace)

    def grouped(self, kind: type[E], attribute: str, value: str) -> tuple[E, ...]:
        """Return the entities of a kind whose attribute has a value; one pass serves all values."""
        groups = self._groups.get((kind, attribute))
        if groups is None:
            made: dict[str, list[Entity]] = {}
            for entity in self._of(kind):
                made.setdefault(str(getattr(entity, attribute)), []).append(entity)
            groups = {one: tuple(found) for one, found in made.items()}
            self._groups[kind, attribute] = groups
        return groups.get(value, ())  # type: ignore[return-value]  # grouped by their own class

    def labelled(self, kind: type[E], namespace: str, labels: Mapping[str, str]) -> tuple[E, ...]:
        """Return the entities of a kind in a namespace that carry all of some labels."""
        if not labels:
            return self.in_namespace(kind, namespace)
        index = self._labelled.get(kind)
        if index is None:
            index = self._labelled[kind] = {}
            for entity in self._of(kind):
                for key, value in entity.labels.items():  # type: ignore[attr-defined]  # Kubernetes only
                    index.setdefault((entity.namespace, key, value), []).append(entity)  # type: ignore[attr-defined]
        found = [index.get((namespace, key, value), []) for key, value in labels.items()]
        wanted = labels.items()
        rarest = min(found, key=len)
        return tuple(e for e in rarest if wanted <= e.labels.items())  # type: ignore[attr-defined,misc]

    def once(self, compute: "Callable[[Snapshot], T]") -> T:
        """Return what a function makes of this snapshot, made once for all who ask."""
        if compute not in self._made:
            self._made[compute] = compute(self)
        made: T = self._made[compute]
        return made

    def pools_named(self, name: str) -> tuple[Ref, ...]:
        """The node pools of this name: a node knows only the name of its pool."""
        if self._pools is None:
            self._pools = {}
            for ref in self._by_ref:
                if ref.kind.endswith("/agentPools"):
                    self._pools.setdefault(ref.name.casefold(), []).append(ref)
        return tuple(self._pools.get(name.casefold(), ())) if name else ()

    def machines_named(self, node: str) -> tuple[Ref, ...]:
        """The machines of scale sets that bear a node's name: tables tell no more of a node."""
        if self._machines is None:
            self._machines = {}
            for ref in self._by_ref:
                if ref.kind.endswith("/virtualMachineScaleSets/virtualMachines"):
                    self._machines.setdefault(node_name(ref), []).append(ref)
        return tuple(self._machines.get(node.casefold(), ()))

    def find(self, ref: Ref) -> "Entity | None":
        """Return what is in evidence of this name; None says nothing."""
        return self._by_ref.get(ref)

    def require(self, kind: type["Entity"], within: str = EVERYWHERE) -> None:
        """Raise unless a kind was read to its end within a scope."""
        if not self.has_seen(kind.kind, within):
            raise UnseenError(
                Gap(kind.kind, f"{kind.kind} of {within or 'everything'}", to_open=kind.look)
            )

    def has_seen(self, kind: str, within: str = EVERYWHERE) -> bool:
        scopes = self._seen.get(kind.casefold(), _NOWHERE)
        every = self._seen.get(_ANY_KEY, _NOWHERE) if kind.startswith("Microsoft.") else _NOWHERE
        return any(scope in scopes or scope in every for scope in _around(within))

    def origin(self, ref: Ref) -> Origin:
        return self._origins.get(ref, Origin(ref.id))

    def links(self, ref: Ref) -> Iterator[Ref]:
        """What this thing stands on or belongs to."""
        entity = self._by_ref.get(ref)
        if entity is not None:
            yield from entity.links(self)
        if ref.is_arm and "/providers/" in ref.key:
            parent = ref.parent
            if "/providers/" in parent.casefold():
                yield arm(parent)

    def dependents(self, ref: Ref) -> tuple[Ref, ...]:
        """What stands on or belongs to this thing."""
        if self._dependents is None:
            self._dependents = {}
            for other in self._by_ref:
                for target in dict.fromkeys(self.links(other)):
                    self._dependents.setdefault(target, []).append(other)
        return tuple(self._dependents.get(ref, ()))

    def _of(self, kind: type[E]) -> tuple[E, ...]:
        found = self._by_kind.get(kind) or self._of_base.get(kind)
        if found is None:
            groups = [group for cls, group in self._by_kind.items() if issubclass(cls, kind)]
            found = self._of_base[kind] = tuple(e for group in groups for e in group)
        return found  # type: ignore[return-value]  # grouped by their own class


def _around(within: str) -> Iterator[str]:
    """The scopes that hold all of a scope: everywhere, it itself, and what an ARM id lies in."""
    scope = within.rstrip("/").casefold()
    yield EVERYWHERE
    yield scope
    while scope.startswith("/"):
        scope = scope.rpartition("/")[0]
        yield scope


def _is_within(ref: Ref, within: str) -> bool:
    if within == EVERYWHERE:
        return True
    if ref.is_arm:
        scope = within.rstrip("/").casefold()
        return ref.key == scope or ref.key.startswith(scope + "/")
    return ref.namespace == within

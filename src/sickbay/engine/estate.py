"""What a target stands on, as a tree, with the states of each thing in it."""

from collections.abc import Iterable, Iterator
from typing import Final

from sickbay.engine.estate_index import Index
from sickbay.engine.target import PATIENTS
from sickbay.model.activity import squeezed
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.arc import BRIDGE_PROVIDERS, CLUSTER_PROVIDERS
from sickbay.model.azure import Provider, ScaleSetInstance, VirtualMachine
from sickbay.model.diagnosis import Target
from sickbay.model.entity import ArmEntity
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.model.state_words import Standing, worst
from sickbay.model.states import State, parts_of, states_of
from sickbay.record import NamedTuple

GONE: Final = State("existence", "gone", Standing.UNHEALTHY, "it is named, and does not exist")
UNREAD: Final = State("existence", "not read", Standing.UNSEEN)
# Azure keeps no state of these: whoever has not read one has missed nothing that could be shown.
_STATELESS: Final = frozenset({"microsoft.managedidentity/userassignedidentities"})
_DEEPEST: Final = 12
_BY_HAND: Final = "initiated"  # UserInitiated, Customer Initiated
# Without these registered, Azure refuses what the kind needs.
_NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "microsoft.containerservice/managedclusters": (
        "Microsoft.ContainerService",
        "Microsoft.Compute",
        "Microsoft.Network",
    ),
    "microsoft.kubernetes/connectedclusters": CLUSTER_PROVIDERS,
    "microsoft.resourceconnector/appliances": BRIDGE_PROVIDERS,
    "microsoft.hybridcontainerservice/provisionedclusters": ("Microsoft.HybridContainerService",),
    "microsoft.networkcloud/clusters": ("Microsoft.NetworkCloud", "Microsoft.ManagedNetworkFabric"),
}


class Said(NamedTuple):
    """What was last said of a thing that failed, and when."""

    text: str
    at: str = ""


class Hearsay(NamedTuple):
    """What others say of things, by the key of each: the last error, and Azure's own judgement."""

    errors: dict[str, Said]
    health: dict[str, Said]


class Branch(NamedTuple):
    """A thing, its states, and what it has or stands on."""

    ref: Ref
    states: tuple[State, ...]
    children: tuple["Branch", ...] = ()
    modified: str = ""
    said: Said = Said("")

    @property
    def own(self) -> Standing:
        """How it stands by itself; a thing without states says nothing against itself."""
        return worst([state.standing for state in self.states] or [Standing.HEALTHY])

    def every(self) -> Iterator["Branch"]:
        """It, and all below it."""
        yield self
        for child in self.children:
            yield from child.every()


class Estate(NamedTuple):
    """The trees of all targets, and what is in evidence beside them."""

    roots: tuple[Branch, ...]
    beside: tuple[Branch, ...] = ()


class Status(NamedTuple):
    """How a target stands, and what could not be seen of it."""

    target: Target
    estate: Estate
    gaps: tuple[Gap, ...]


def estate(snapshot: Snapshot, heard: Hearsay, now: str = "", target: str = "") -> Estate:
    """Order what was read into trees, one for each cluster, bridge or site.

    The target, by its id or its name, comes first: what else was read may stand below it.
    """
    grower = _Grower(snapshot, heard, now)
    covered: set[str] = set()
    roots: list[Branch] = []
    patients = [ref for ref in snapshot.refs() if ref.kind.casefold() in PATIENTS]
    wanted = target.rstrip("/").casefold()
    for ref in sorted(patients, key=lambda one: (not _is(one, wanted), _rank(one), one)):
        if ref.key not in covered:
            root = grower.tree(ref)
            covered |= {branch.ref.key for branch in root.every()}
            roots.append(root)
    return Estate(tuple(roots), tuple(grower.beside(covered, roots)))


def _is(ref: Ref, wanted: str) -> bool:
    return wanted in (ref.key, ref.name.casefold())


def _rank(ref: Ref) -> int:
    return PATIENTS.index(ref.kind.casefold())


def _is_stopped(state: State) -> bool:
    return state.title == "power" and state.standing is Standing.OFF


class _Growth(NamedTuple):
    """Where in a tree we are: its root, what it holds already, and whether machines must run."""

    root: Ref
    seen: set[str]
    depth: int = 0
    must_run: bool = True

    def is_new(self, ref: Ref) -> bool:
        return ref.key not in self.seen


class _Grower:
    """Makes the trees of one snapshot."""

    def __init__(self, snapshot: Snapshot, heard: Hearsay, now: str) -> None:
        self._snapshot = snapshot
        self._heard = heard
        self._now = now
        self._index = Index(snapshot)

    def tree(self, ref: Ref) -> Branch:
        """A target with all that it has and stands on, each thing once."""
        return self._branch(ref, _Growth(ref, {ref.key}))

    def beside(self, covered: set[str], roots: list[Branch]) -> Iterator[Branch]:
        """What has states, and no target stands on it as far as anybody knows."""
        kinds = {root.ref.kind.casefold() for root in roots}
        needed = {name.casefold() for kind in kinds for name in _NEEDED.get(kind, ())}
        for entity in sorted(self._index.entities, key=lambda one: one.ref):
            if entity.ref.key in covered:
                continue
            if isinstance(entity, Provider) and entity.ref.name.casefold() not in needed:
                continue
            branch = self._leaf(entity, must_run=False)
            if branch.states or branch.children:
                yield branch

    def _branch(self, ref: Ref, growth: "_Growth") -> Branch:
        entity = self._snapshot.find(ref)
        if isinstance(entity, ArmEntity):
            leaf = self._leaf(entity, must_run=growth.must_run)
        else:
            leaf = Branch(ref, self._states_unseen(ref))
        if growth.depth >= _DEEPEST:
            return leaf
        must_run = growth.must_run and not _is_at_rest(entity)
        deeper = growth._replace(depth=growth.depth + 1, must_run=must_run)
        # Claimed before anything grows: what stands nearest to the target has it.
        below = [one for one in self._index.below(ref, growth.root) if growth.is_new(one)]
        growth.seen.update(one.key for one in below)
        grown = [self._branch(one, deeper) for one in below]
        # A lock or a role has no state to show.
        shown = [one for one in grown if one.states or one.children]
        return leaf._replace(children=(*leaf.children, *shown))

    def _states_unseen(self, ref: Ref) -> tuple[State, ...]:
        if self._snapshot.has_seen(ref.kind, ref.id):
            return (GONE,)
        return () if ref.kind.casefold() in _STATELESS else (UNREAD,)

    def _leaf(self, entity: ArmEntity, *, must_run: bool) -> Branch:
        states = states_of(entity, self._now)
        if isinstance(entity, ScaleSetInstance | VirtualMachine):
            states = tuple(_of_machine(states, must_run=must_run))
        if self._index.is_needed(entity):
            states = tuple(_of_needed(states))
        judged = self._heard.health.get(entity.ref.key)
        if judged:
            states = (*states, _judged(judged, states))
        parts = tuple(
            Branch(Ref(part.kind, f"{entity.id}/{part.kind}s/{part.name}"), part.states)
            for part in parts_of(entity)
        )
        said = self._heard.errors.get(entity.ref.key, Said(""))
        return Branch(entity.ref, states, parts, entity.modified_at, said)


def _judged(judged: Said, states: tuple[State, ...]) -> State:
    """The health that Azure sees; what somebody stopped is not available, and not ill."""
    word, _, rest = judged.text.partition(": ")
    is_meant = _BY_HAND in squeezed(rest) or any(map(_is_stopped, states))
    standing = Standing.OFF if is_meant else Standing.UNHEALTHY
    return State("resource health", word, standing, rest, judged.at)


def _is_at_rest(entity: object) -> bool:
    """Whether machines below may be off by choice."""
    if isinstance(entity, ManagedCluster):
        return entity.is_stopped
    if isinstance(entity, AgentPool):
        keeps = (entity.scale_down_mode or "").casefold() == "deallocate"
        return entity.is_stopped or entity.is_spot or keeps
    return False


def _of_machine(states: Iterable[State], *, must_run: bool) -> Iterator[State]:
    """A machine of a pool that runs is meant to run."""
    for state in states:
        is_lost = must_run and _is_stopped(state)
        yield state._replace(standing=Standing.UNHEALTHY) if is_lost else state


def _of_needed(states: Iterable[State]) -> Iterator[State]:
    """What is disabled is no fault until something stands on it."""
    for state in states:
        is_lost = state.title == "administrative" and state.standing is Standing.OFF
        yield state._replace(standing=Standing.UNHEALTHY) if is_lost else state

"""Who can talk to whom by network policy: one cell for each two groups of pods that are alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap, Reason
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network.matrix_groups import groups_of
from sickbay.network.matrix_rulings import Answer, Names, Rulings, View
from sickbay.network.matrix_seats import Seat, seated
from sickbay.network.policy import decide, shared_families, unread
from sickbay.network.policy_classes import EVERY_PORT, port_tests, stretches
from sickbay.network.policy_ends import has_ended
from sickbay.network.policy_rules import Direction
from sickbay.network.policy_tests import PortTest
from sickbay.network.traffic import Place, Traffic, Verdict

MOST_PAIRS: Final = 10_000
_MOST_ASKED: Final = 20
_MOST_CLASSES: Final = 64
_rank: Final = attrgetter("rank")
# A verdict, who decides, and the verdict on one node where that is another.
_Said = tuple[Verdict, Names, Verdict | None]


class Cell(NamedTuple):
    """What passes from one group to another.

    Without a port, every port is treated so. `same_node` is the verdict between two that are on one
    node, where that is another: a pod's own node is never stopped by NetworkPolicies.
    """

    source: str
    target: str
    protocol: str
    port: int | None
    ports: str
    verdict: Verdict
    by: Names = ()
    same_node: Verdict | None = None


class Matrix(NamedTuple):
    """All pods, the groups by the one that stands for each, and the cells between those.

    The cell of a group with itself is about two of its members.
    """

    rows: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    cells: tuple[Cell, ...]
    gaps: tuple[Gap, ...]
    nodes: Mapping[str, str]


def matrix(
    snapshot: Snapshot, namespaces: Iterable[str] = (), asked: Traffic | None = None
) -> Matrix:
    """Who can talk to whom in some namespaces, or in all; for the ports that each pod declares.

    Or for the traffic asked for. Of a pod that declares no port, or where no port is asked for,
    every class of ports that the policies tell apart.
    """
    wanted = frozenset(namespaces)
    pods = sorted(_pods(snapshot, wanted), key=lambda pod: (pod.namespace, pod.name))
    groups = groups_of(snapshot, pods, by_ports=asked is None)
    seats = seated(snapshot, groups)
    table = _Table(snapshot, seats)
    cells = tuple(table.cells(asked))
    gaps = [*_gaps(snapshot, seats, cells), *_left_out(table.left_out)]
    return Matrix(
        tuple(_row(pod) for pod in pods),
        {seat.row: tuple(_row(pod) for pod in seat.group.members) for seat in seats},
        cells,
        tuple(gaps),
        {_row(pod): pod.node for pod in pods},
    )


def expand(found: Matrix) -> tuple[Cell, ...] | None:
    """The cells between all pods, or None where they would be too many."""
    sizes = {row: len(members) for row, members in found.groups.items()}
    if sum(sizes[cell.source] * sizes[cell.target] for cell in found.cells) > MOST_PAIRS:
        return None
    return tuple(
        _between(found, cell._replace(source=source, target=target))
        for cell in found.cells
        for source in found.groups[cell.source]
        for target in found.groups[cell.target]
    )


class _Table:
    """The cells in the making."""

    def __init__(self, snapshot: Snapshot, seats: list[Seat]) -> None:
        self._snapshot = snapshot
        self._seats = seats
        ends = [seat.end for seat in seats]
        tests = {test for seat in seats for test in port_tests(seat.out.found, Direction.EGRESS)}
        self._egress_ports: frozenset[PortTest] = frozenset(tests)
        self._has_hosts = any(end.is_host for end in ends)
        self._rulings = cache(lambda family: Rulings(ends, family, own_node=False))
        self._at_home = cache(lambda family: Rulings(ends, family, own_node=True))
        self._families = {end.families for end in ends}
        self.left_out = 0
        self._joined: dict[tuple[int, int], Answer] = {}
        self._views: dict[tuple[int, Traffic], list[View]] = {}

    def cells(self, asked: Traffic | None) -> Iterator[Cell]:
        for at, target in enumerate(self._seats):
            classes = self._classes(target, asked)
            columns = [self._column(at, traffic) for traffic, _ in classes]
            is_spread = target.group.declared == () and len(classes) > 1
            for source, *answers in zip(self._seats, *columns, strict=True):
                if is_spread and len(set(answers)) == 1:
                    protocol = classes[0][0].protocol
                    yield Cell(source.row, target.row, protocol, None, EVERY_PORT, *answers[0])
                    continue
                for (traffic, text), answer in zip(classes, answers, strict=True):
                    port = None if text == EVERY_PORT else traffic.port
                    yield Cell(source.row, target.row, traffic.protocol, port, text, *answer)

    def _classes(self, target: Seat, asked: Traffic | None) -> list[tuple[Traffic, str]]:
        if asked is not None and asked.port is not None:
            return [(asked._replace(protocol=asked.protocol.upper()), str(asked.port))]
        if asked is None and target.group.declared:
            return [(Traffic(*port), str(port[1])) for port in target.group.declared]
        protocol = asked.protocol.upper() if asked else "TCP"
        tests = self._egress_ports.union(port_tests(target.into.found, Direction.INGRESS))
        found = stretches(tests, target.end, protocol)
        if len(found) > _MOST_CLASSES:
            self.left_out = len(found) - _MOST_CLASSES
            # The last is the class that no rule names.
            found = (*found[: _MOST_CLASSES - 1], found[-1])
        return [(Traffic(protocol, stretch.port), stretch.text) for stretch in found]

    def _column(self, at: int, traffic: Traffic) -> list[_Said]:
        """What each seat can send to one."""
        target = self._seats[at]
        found = self._answers(at, traffic, self._rulings)
        said: list[_Said] = [(answer.verdict, answer.by, None) for answer in found]
        if self._has_hosts:
            home = self._answers(at, traffic, self._at_home)
            for index, seat in enumerate(self._seats):
                is_other = home[index].verdict is not found[index].verdict
                if seat.end.is_host != target.end.is_host and is_other:
                    said[index] = (*said[index][:2], home[index].verdict)
        if len(target.group.members) == 1:
            said[at] = (Verdict.ALLOWED, (), None)
        return said

    def _answers(
        self, at: int, traffic: Traffic, rulings: Callable[[int], Rulings]
    ) -> list[Answer]:
        target = self._seats[at]
        if len(self._families) == 1:
            family = min(shared_families(self._snapshot, target.end, target.end))
            if len(target.end.families) <= 1:
                return self._of_family(at, traffic, rulings(family))
        by_family = {family: self._of_family(at, traffic, rulings(family)) for family in (4, 6)}
        found = []
        for index, seat in enumerate(self._seats):
            families = sorted(shared_families(self._snapshot, seat.end, target.end))
            found.append(min((by_family[f][index] for f in families), key=_rank))
        return found

    def _of_family(self, at: int, traffic: Traffic, rulings: Rulings) -> list[Answer]:
        into = rulings.view(self._seats[at].into, Direction.INGRESS, traffic)
        joined = self._joined
        found = []
        for out, other in zip(self._outs(rulings, traffic), into, strict=True):
            one = out[at]
            # Views live as long as the table, so that an answer is known by its identity.
            key = (id(one), id(other))
            both = joined.get(key)
            if both is None:
                both = joined[key] = _both(one, other)
            found.append(both)
        return found

    def _outs(self, rulings: Rulings, traffic: Traffic) -> list[View]:
        key = (id(rulings), traffic)
        found = self._views.get(key)
        if found is None:
            found = [rulings.view(seat.out, Direction.EGRESS, traffic) for seat in self._seats]
            self._views[key] = found
        return found


def _both(one: Answer, other: Answer) -> Answer:
    """Both ends must allow: the worse counts, and where they agree both are named."""
    if one.rank == other.rank:
        return one._replace(by=one.by + other.by)
    return one if one.rank > other.rank else other


def _pods(snapshot: Snapshot, wanted: frozenset[str]) -> Iterator[Pod]:
    for pod in snapshot.some(Pod) if snapshot.holds(Pod.kind) else ():
        if not has_ended(pod) and (not wanted or (pod.namespace or "default") in wanted):
            yield pod


def _row(pod: Pod) -> str:
    return f"pod/{pod.namespace or 'default'}/{pod.name}"


def _between(found: Matrix, cell: Cell) -> Cell:
    """The cell of two pods: a pod always reaches itself, and its own node always reaches it."""
    if cell.source == cell.target:
        return cell._replace(verdict=Verdict.ALLOWED, by=(), same_node=None)
    if cell.same_node is None:
        return cell
    one, other = found.nodes[cell.source], found.nodes[cell.target]
    if not one or not other:
        return cell._replace(verdict=Verdict.UNKNOWN, same_node=None)
    if one == other:
        return cell._replace(verdict=cell.same_node, by=(), same_node=None)
    return cell._replace(same_node=None)


def _left_out(count: int) -> Iterator[Gap]:
    if count:
        what = f"{count} classes of ports of a pod that declares none: the policies name too many"
        yield Gap("NetworkPolicy", what, Reason.REFUSED, "sickbay reach --matrix --port N")


def _gaps(snapshot: Snapshot, seats: list[Seat], cells: tuple[Cell, ...]) -> Iterator[Gap]:
    """What one cell of each kind of unknown would need, and what nobody read of the policies."""
    members = {seat.row: seat.group.members for seat in seats}
    asked: set[Names] = set()
    found: dict[Gap, None] = {}
    for cell in cells:
        if cell.verdict is not Verdict.UNKNOWN or cell.by in asked or len(asked) >= _MOST_ASKED:
            continue
        asked.add(cell.by)
        # Two members of one group are its first and its last.
        source, target = members[cell.source][0], members[cell.target][-1]
        places = (Place(_row(source), pod=source), Place(_row(target), pod=target))
        decision = decide(snapshot, *places, Traffic(cell.protocol, cell.port))
        found.update(dict.fromkeys(decision.gaps))
    for namespace in sorted({seat.end.namespace for seat in seats if seat.end.namespace}):
        found.update(dict.fromkeys(unread(snapshot, namespace)))
    yield from found

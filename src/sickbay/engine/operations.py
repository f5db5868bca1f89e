"""Folds events into operations, and operations into what belongs together."""

from collections.abc import Iterable
from typing import Final

from sickbay.model.activity import Event, Operation, Outcome, squeezed
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref
from sickbay.record import NamedTuple

_DEPLOYMENT: Final = "microsoft.resources/deployments/write"
_BEGINNINGS: Final = frozenset({"started", "start"})


class Filters(NamedTuple):
    """Which operations are wanted; empty means any. Words compare without case."""

    status: str = ""
    caller: str = ""
    category: str = ""
    level: str = ""
    group: str = ""
    resource: str = ""
    correlation: str = ""
    operation: str = ""

    def wants(self, one: Operation) -> bool:
        last = one.last
        return (
            self._is_status(one)
            and _is_in(self.caller, last.caller)
            and _is(self.category, last.category)
            and _is(self.level, last.level)
            and _is(self.group, last.group)
            and _is(self.correlation, last.correlation)
            and _is_in(self.operation, last.name)
            and self._is_resource(last.resource)
        )

    def _is_status(self, one: Operation) -> bool:
        return not self.status or squeezed(self.status) in {
            squeezed(one.last.status),
            one.outcome.value,
        }

    def _is_resource(self, id: str) -> bool:
        """Whether a resource is the wanted one or lies below it; a name is any part of an id."""
        if not self.resource:
            return True
        wanted, key = self.resource.rstrip("/").casefold(), id.casefold()
        if wanted.startswith("/"):
            return key == wanted or key.startswith(wanted + "/")
        return wanted in key.split("/")


def _is(wanted: str, value: str) -> bool:
    return not wanted or squeezed(wanted) == squeezed(value)


def _is_in(wanted: str, value: str) -> bool:
    return wanted.casefold() in value.casefold()


class Asked(NamedTuple):
    """What of a log is wanted: from when to when, which operations, and one event in full."""

    since: str = ""
    until: str = ""
    filters: Filters = Filters()
    event: str = ""


class Log(NamedTuple):
    """What was done, and what could not be seen of it."""

    source: str
    asked: Asked
    operations: tuple[Operation, ...]
    events: tuple[Event, ...]
    gaps: tuple[Gap, ...]

    @property
    def picked(self) -> tuple[Event, ...]:
        """The event that was asked for; a log that was put together badly may have several."""
        wanted = self.asked.event.casefold()
        found = [one for one in self.events if wanted and one.id.casefold() == wanted]
        return tuple(sorted(found, key=lambda one: one.order))


def operations(events: Iterable[Event], filters: Filters) -> tuple[Operation, ...]:
    """What was done, the newest first; below each, what was done on its behalf."""
    by_correlation: dict[str, list[Operation]] = {}
    for number, one in enumerate(_runs(events)):
        # Without a correlation nothing belongs to anything.
        key = one.last.correlation.casefold() or str(number)
        by_correlation.setdefault(key, []).append(one)
    trees = (_tree(group) for group in by_correlation.values())
    wanted = [tree for tree in (_pruned(one, filters) for one in trees) if tree]
    return tuple(sorted(wanted, key=lambda one: (one.begun, one.last.order), reverse=True))


def _runs(events: Iterable[Event]) -> list[Operation]:
    """Events of one operation on one resource, from its beginning to its end."""
    threads: dict[tuple[str, ...], list[Event]] = {}
    for event in sorted(events, key=lambda one: one.order):
        place = Ref("", event.resource).key
        thread = [event.correlation, event.name, place, event.operation]
        if not event.correlation and not event.operation:
            # Nothing tells what it belongs to.
            thread += [event.id, event.at]
        threads.setdefault(tuple(word.casefold() for word in thread), []).append(event)
    runs = [run for thread in threads.values() for run in _cut(thread)]
    return _rejoined(sorted(runs, key=lambda run: run[0].order))


def _cut(thread: list[Event]) -> list[list[Event]]:
    """An operation that begins anew after its end is another one."""
    runs: list[list[Event]] = []
    for event in thread:
        is_over = runs and any(one.is_end for one in runs[-1])
        if not runs or (is_over and not event.is_end):
            runs.append([])
        runs[-1].append(event)
    return runs


def _rejoined(runs: list[list[Event]]) -> list[Operation]:
    """Ends whose beginning has another operation id: some providers give each event its own."""
    open_runs: dict[tuple[str, str, str], list[list[Event]]] = {}
    kept: list[list[Event]] = []
    for run in runs:
        first = run[0]
        key = (first.correlation.casefold(), first.name.casefold(), first.resource.casefold())
        waiting = open_runs.setdefault(key, [])
        if first.correlation and first.is_end and waiting:
            waiting.pop(0).extend(run)
            continue
        kept.append(run)
        if not any(event.is_end for event in run):
            waiting.append(run)
    return [Operation(tuple(sorted(run, key=lambda one: one.order))) for run in kept]


def _tree(group: list[Operation]) -> Operation:
    """What began first is what the others were done for."""
    parent, *children = sorted(group, key=_precedence)
    return parent._replace(children=tuple(children))


def _precedence(one: Operation) -> tuple[object, ...]:
    first = one.events[0]
    is_beginning = squeezed(first.status) in _BEGINNINGS
    return (
        one.begun[: len("2026-01-01T00:00:00")],
        first.category.casefold() not in {"administrative", ""},
        not is_beginning,
        first.name.casefold() != _DEPLOYMENT,
        one.outcome is Outcome.SUCCEEDED,
        len(first.resource),
        first.order,
        first.name,
    )


def _pruned(tree: Operation, filters: Filters) -> Operation | None:
    """A tree with the children that are wanted, or nothing if none of it is."""
    children = tuple(child for child in tree.children if filters.wants(child))
    if filters.wants(tree):
        return tree._replace(children=children if any(filters) else tree.children)
    return tree._replace(children=children) if children else None

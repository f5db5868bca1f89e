"""Reads what is near a target, side by side and nothing twice.

Every answer goes through the same readers as a saved file, so that a live run and a run over what
it collected say the same.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from zlib import crc32

from sickbay.bundle.foreign.values import take
from sickbay.bundle.frame import Frame
from sickbay.bundle.sink import Sink
from sickbay.collect.answers import Answer, Failure, document_in, granting, list_in
from sickbay.collect.azure_blanks import blanks, filled, is_meant, scope_of
from sickbay.collect.azure_logs import SPAN, questions
from sickbay.collect.patience import AT_ONCE, counted_for
from sickbay.collect.transport import Transport
from sickbay.collect.types import How, Near, Type, known
from sickbay.model.evidence import Gap, Reason
from sickbay.model.ids import Ref, arm
from sickbay.progress import FileRead, Observer, ignore
from sickbay.record import NamedTuple

_NESTED: Final = 20
_ID: Final = "/subscriptions/"
_LINK: Final = "serialConsoleLogBlobUri"
_MOST_SERIAL: Final = 3
_LONG: Final = 1 << 14
_SUBNETS: Final = "microsoft.network/virtualnetworks/subnets"


class _Row(NamedTuple):
    """A row of the table whose blanks a resource has filled."""

    path: str
    name: str
    scope: str
    id: str
    near: Near
    params: Mapping[str, str]

    @property
    def key(self) -> str:
        return f"{self.near.how} {self.path} {sorted(self.params.items())}".casefold()

    @property
    def kind(self) -> str:
        return self.near.type_at(self.path)


_Work = Callable[[], Coroutine[Any, Any, None]]


class Walk:
    """One run over the resources of Azure."""

    def __init__(
        self,
        transport: Transport,
        sink: Sink,
        observer: Observer = ignore,
        now: datetime | None = None,
    ) -> None:
        self._transport = transport
        self._sink = sink
        self._observer = observer
        self._now = now or datetime.now(UTC)
        self._known = known()
        self._asked: set[str] = set()
        # Subnets are read with their network; where that is refused, one by one.
        self._inside: dict[str, list[Ref]] = {}
        self._lost: set[str] = set()
        # What a network leads to that is only the neighbour of another, until it is more than that.
        self._held_back: dict[str, list[str]] = {}
        self._near: set[str] = set()
        self._targets: tuple[str, ...] = ()
        # How many failed machines each scale set has had so far.
        self._failed: dict[str, int] = {}
        # What comes next. A thing that a list may yet bring is asked for only when no list is left,
        # so that it makes no difference which answer comes first.
        self._rows: dict[str, _Row] = {}
        self._refs: dict[str, Ref] = {}
        # What need not wait for that: long lists are thought about while short ones are fetched.
        self._soon: dict[str, _Row] = {}

    async def start(self, *ids: str) -> None:
        """Read some resources, and all that is near them."""
        self._targets = ids
        for id in ids:
            self._follow(arm(id))
        while self._rows or self._soon or self._refs:
            lanes: dict[str, list[_Work]] = {}
            for path, work in self._next():
                lanes.setdefault(counted_for(path), []).append(work)
            # As many go to and fro as may ask at once: nobody has to wait for his turn.
            async with asyncio.TaskGroup() as group:
                for works in lanes.values():
                    waiting = iter(works)
                    for _ in works[:AT_ONCE]:
                        group.create_task(self._work(waiting))

    async def _work(self, waiting: Iterator[_Work]) -> None:
        """Do one thing after the other, and in between what has come up."""
        for work in waiting:
            await work()
            if self._soon:
                _, row = self._soon.popitem()
                await self._read(row)

    def _next(self) -> "list[tuple[str, _Work]]":
        """All that can be read now, and where: the lists, and when there are none the rest."""
        if self._rows or self._soon:
            rows = {**self._rows, **self._soon}
            self._rows, self._soon = {}, {}
            # At once, and not when each is read: another answer may lead to it meanwhile.
            self._asked.update(rows)
            once = (arm(row.path).key for row in rows.values() if row.near.how is How.ONE)
            self._asked.update(once)
            return [(rows[key].path, partial(self._read, rows[key])) for key in _mixed(rows)]
        refs, self._refs = self._refs, {}
        new = [refs[key] for key in sorted(refs) if key not in self._asked]
        self._asked.update(ref.key for ref in new)
        return [(ref.id, partial(self._resource, ref)) for ref in new]

    def _follow(self, ref: Ref, *, is_far: bool = False) -> None:
        """Note a resource that is to be read."""
        if not is_far:
            self._near.add(ref.key)
            for other in self._held_back.pop(ref.key, ()):
                self._follow(arm(other), is_far=_is_alike(ref, other))
        if ref.key in self._asked:
            return
        if ref.kind.casefold() == _SUBNETS and ref.parent.casefold() not in self._lost:
            self._inside.setdefault(ref.parent.casefold(), []).append(ref)
            self._follow(arm(ref.parent))
        elif self._known.version(ref.kind):
            self._refs[ref.key] = min(ref, self._refs.get(ref.key, ref))
        elif ref.id in self._targets:
            what = f"{ref.kind} is no type that can be looked at"
            self._sink.gap(Gap(ref.id, what, Reason.NOT_UNDERSTOOD, asked_for=True))

    async def _resource(self, ref: Ref) -> None:
        version = self._known.version(ref.kind)
        answer = document_in(await self._transport.get(ref.id, version))
        if isinstance(answer, Answer):
            self._take(answer, ref.id)
            self._look_around(answer.value, ref, self._known.type(ref.kind))
            return
        if answer.is_absent and ref.id not in self._targets:
            # A reference to something that is gone is a finding for rules, and no gap.
            for kind in (ref.kind, *self._known.type(ref.kind).holds):
                self._sink.seen(kind, ref.id)
            return
        self._sink.gap(answer.gap(ref.id))
        self._lost.add(ref.key)
        for one in self._inside.pop(ref.key, ()):
            self._follow(one)

    def _look_around(self, document: Mapping[str, Any], ref: Ref, type: Type) -> None:
        """Note what belongs to a document, and what it refers to."""
        for kind in type.holds:
            self._sink.seen(kind, ref.id)
        meant = [near for near in type.near if is_meant(near, document)]
        words = blanks(ref, document, self._now) if meant else {}
        for near in meant:
            if near.how is not How.SERIAL or self._is_one_of_few(ref):
                self._note_row(near, words)
        if not type.follows:
            return
        others = [one for one in _references(document) if arm(one).kind.casefold() in type.follows]
        if ref.key not in self._near:
            self._held_back[ref.key] = others
            return
        for other in others:
            self._follow(arm(other), is_far=_is_alike(ref, other))

    def _is_one_of_few(self, ref: Ref) -> bool:
        """Whether a machine is among the first of its scale set: the others fail alike."""
        above = ref.parent.casefold()
        self._failed[above] = count = self._failed.get(above, 0) + 1
        return count <= _MOST_SERIAL

    def _note_row(self, near: Near, words: Mapping[str, str]) -> None:
        """Note that a row of the table is to be read, once."""
        path = filled(near.path, words)
        params = {key: filled(value, words) for key, value in near.params}
        if not path or not all(params.values()):
            return
        name = filled(near.name, words) or path
        scope = filled(near.scope, words) or scope_of(path)
        row = _Row(path, name, scope, words["id"], near, params)
        if (key := row.key) in self._asked:
            return
        if near.at_once:
            self._asked.add(key)
            self._soon[key] = row
        else:
            # Of two spellings of one path always the same is used.
            self._rows[key] = min(row, self._rows.get(key, row), key=lambda one: one[:4])

    async def _read(self, row: "_Row") -> None:
        if row.near.how is How.LIST:
            await self._list(row)
        elif row.near.how is How.ONE:
            await self._one(row)
        elif row.near.how is How.QUERY:
            await self._query(row)
        elif row.near.how is How.SERIAL:
            await self._serial(row)
        elif self._transport.cloud.logs:
            await self._logs(row)

    async def _logs(self, row: "_Row") -> None:
        """Ask a workspace what it holds of the targets."""
        cloud, workspace = self._transport.cloud, row.id
        async with self._transport.beside(cloud.logs, "/query") as tables:
            for name, query in questions(self._targets):
                body = {"query": query, "timespan": SPAN}
                answer = await tables.query(row.path, "", body)
                if isinstance(answer, Answer):
                    self._take(answer, f"{workspace}/{name}")
                else:
                    gap = answer.gap(f"{workspace}/{name}")
                    self._sink.gap(gap._replace(to_open=granting(row.near.action, workspace)))

    async def _serial(self, row: "_Row") -> None:
        """Read what a machine wrote to its console; the link to it is a key, and kept nowhere."""
        name, version = f"{row.id}/serial.log", self._known.version(arm(row.id).kind)
        answer = await self._transport.query(row.path, version, {}, **row.params)
        found: bytes | Failure
        if isinstance(answer, Answer):
            link = answer.value.get(_LINK) if isinstance(answer.value, dict) else None
            found = await self._transport.signed(str(link or ""))
        else:
            found = answer
        if isinstance(found, Failure):
            gap = found.gap(name)
            is_forbidden = found.reason is Reason.FORBIDDEN
            right = granting(row.near.action, row.id) if is_forbidden else ""
            self._sink.gap(gap._replace(to_open=right))
            return
        source = f"azure{name}"
        self._sink.file(source)
        # A machine that never began to boot has written nothing.
        if found.strip():
            self._sink.log(iter([found]), Frame(source, arm(row.id), "log/serial"))
        self._observer(FileRead(source, len(found)))

    async def _query(self, row: "_Row") -> None:
        """Ask what only a POST can ask; the first page holds more than anybody would mend."""
        version = self._known.version(row.kind)
        answer = list_in(await self._transport.query(row.path, version, {}, **row.params))
        if isinstance(answer, Failure):
            gap = answer.gap(row.name)
            right = granting(row.near.action, row.scope)
            is_forbidden = answer.reason is Reason.FORBIDDEN
            self._sink.gap(gap._replace(to_open=right) if is_forbidden else gap)
            return
        self._take(answer, row.name)
        if answer.next_link:
            what = f"only the first {len(answer.items)} were read"
            self._sink.gap(Gap(row.name, what, Reason.TRUNCATED))
        else:
            self._sink.seen(row.kind, row.scope)

    async def _one(self, row: "_Row") -> None:
        path, kind = row.path, row.kind
        version = self._known.version(kind)
        answer = document_in(await self._transport.get(path, version, **row.params))
        if isinstance(answer, Answer):
            self._take(answer, path)
            if not row.params:
                ref = arm(path)
                self._look_around(answer.value, ref, self._known.type(ref.kind))
        elif answer.is_absent:
            self._sink.seen(kind, path)
        else:
            self._sink.gap(answer.gap(path))

    async def _list(self, row: "_Row") -> None:
        kind = row.kind
        count = page = 0
        version = self._known.version(kind)
        async for told in self._transport.pages(row.path, version, **row.params):
            answer = list_in(told)
            if isinstance(answer, Failure):
                if not answer.is_absent or page:
                    self._sink.gap(answer.gap(row.name))
                    return
                break
            page += 1
            if len(answer.raw) > _LONG:
                # Whoever has a short answer asks on first: the host is not idle meanwhile.
                await asyncio.sleep(0)
            self._take(answer, row.name if page == 1 else f"{row.name}.{page}")
            count = self._look_into(answer.items, count)
        for one in row.near.covers or (kind,):
            self._sink.seen(one, row.scope)

    def _look_into(self, items: list[Any], count: int) -> int:
        """Begin to read what is around the resources of a page; the number of all so far."""
        for item in items:
            id = item.get("id") if isinstance(item, dict) else None
            if not isinstance(id, str) or id[: len(_ID)].casefold() != _ID:
                continue
            ref = arm(id)
            type = self._known.types.get(ref.kind.casefold())
            if type is None or not (type.near or type.follows or type.holds):
                continue
            count += 1
            if count <= type.most:
                self._note(ref)
                self._look_around(item, ref, type)
            elif count == type.most + 1:
                self._sink.gap(_too_many(ref, type))
        return count

    def _note(self, ref: Ref) -> None:
        """Note what a list brought: nobody need ask for it again."""
        self._asked.add(ref.key)
        self._near.add(ref.key)

    def _take(self, answer: Answer, name: str) -> None:
        source = f"azure{name}.json"
        self._sink.file(source)
        take(answer.value, source, self._sink)
        self._observer(FileRead(source, len(answer.raw)))


def _mixed(keys: Iterable[str]) -> list[str]:
    """Always the same order, in which no kind comes all at once.

    Long answers are thought about while short ones are fetched.
    """
    return sorted(keys, key=lambda key: (crc32(key.encode()), key))


def _too_many(ref: Ref, type: Type) -> Gap:
    what = f"only of the first {type.most} {ref.kind} in the list was read what belongs to them"
    return Gap(ref.parent, what, Reason.TRUNCATED)


def _is_alike(ref: Ref, other: str) -> bool:
    """Whether one leads to another of its own type: a neighbour, whose neighbours are not ours."""
    return arm(other).kind.casefold() == ref.kind.casefold()


def _references(document: Mapping[str, Any]) -> list[str]:
    """Every id of a resource that a document names, itself left out by whoever follows."""
    found: list[str] = []
    _note_references(document, 0, found)
    return found


def _note_references(value: Any, depth: int, found: list[str]) -> None:
    for member in value.values() if isinstance(value, dict) else value:
        kind = type(member)
        if kind is str:
            if member.startswith("/") and member[: len(_ID)].casefold() == _ID:
                found.append(member)
        elif (kind is dict or kind is list) and depth < _NESTED:
            _note_references(member, depth + 1, found)

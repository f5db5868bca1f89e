"""Reads what is near a target, side by side and nothing twice.

Every answer goes through the same readers as a saved file, so that a live run and a run over what
it collected say the same.
"""

import asyncio
import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sickbay.bundle.foreign import read
from sickbay.bundle.intake import Evidence
from sickbay.bundle.sink import Sink
from sickbay.collect.answers import Answer, Failure
from sickbay.collect.transport import Transport
from sickbay.collect.types import NEAR, VERSIONS, Near
from sickbay.model.ids import Ref, arm
from sickbay.progress import FileRead, Observer, ignore

_DEEPEST: Final = 6
_NESTED: Final = 20
_ID: Final = "/subscriptions/"


class Walk:
    """One run over the resources of Azure."""

    def __init__(self, transport: Transport, sink: Sink, observer: Observer = ignore) -> None:
        self._transport = transport
        self._sink = sink
        self._observer = observer
        self._asked: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, *ids: str) -> None:
        """Read some resources, and all that is near them."""
        for id in ids:
            self._follow(arm(id), 0, is_wanted=True)
        while self._tasks:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            done = {task for task in self._tasks if task.done()}
            self._tasks -= done
            for task in done:
                task.result()

    def stop(self) -> None:
        """Let go of what was not read yet."""
        for task in self._tasks:
            task.cancel()

    def _follow(self, ref: Ref, depth: int, *, is_wanted: bool = False) -> None:
        version = VERSIONS.get(ref.kind.casefold())
        if version is None or depth > _DEEPEST or ref.key in self._asked:
            return
        self._asked.add(ref.key)
        self._begin(self._resource(ref, version, depth, is_wanted=is_wanted))

    def _begin(self, work: Any) -> None:
        self._tasks.add(asyncio.create_task(work))

    async def _resource(self, ref: Ref, version: str, depth: int, *, is_wanted: bool) -> None:
        answer = await self._get(ref.id, version)
        if isinstance(answer, Failure):
            # A reference to something that is gone is a finding for rules, and no gap.
            if answer.is_absent and not is_wanted:
                self._sink.seen(ref.kind, ref.id)
            else:
                self._sink.gap(answer.gap())
            return
        self._take(answer)
        if isinstance(answer.value, dict):
            self._look_around(answer.value, depth)

    async def _get(self, path: str, version: str, **params: str) -> Answer | Failure:
        answer = await self._transport.get(path, version, **params)
        if isinstance(answer, Failure) and answer.versions:
            return await self._transport.get(path, answer.versions[0], **params)
        return answer

    def _look_around(self, document: Mapping[str, Any], depth: int) -> None:
        """Begin to read what belongs to a document, and what it refers to."""
        ref = arm(str(document.get("id", "")))
        for near in NEAR.get(ref.kind.casefold(), ()):
            path = _filled(near.path, ref, document)
            if path and path.casefold() not in self._asked:
                self._asked.add(path.casefold())
                self._begin(self._list(path, near, depth))
        for other in _references(document):
            self._follow(arm(other), depth + 1)

    async def _list(self, path: str, near: Near, depth: int) -> None:
        version, is_whole = near.version, True
        async for answer in self._transport.pages(path, version, **dict(near.params)):
            if isinstance(answer, Failure):
                is_whole = False
                if not answer.is_absent:
                    self._sink.gap(answer.gap())
                break
            self._take(answer)
            for item in answer.items:
                if isinstance(item, dict) and isinstance(item.get("id"), str):
                    self._asked.add(arm(item["id"]).key)
                    self._look_around(item, depth + 1)
        if is_whole and near.kind:
            self._sink.seen(near.kind, _scope(path))

    def _take(self, answer: Answer) -> None:
        source = f"azure{answer.asked.path.partition('?')[0]}.json"
        evidence = Evidence(source, len(answer.raw), lambda: io.BytesIO(answer.raw))
        read(evidence, self._sink)
        self._observer(FileRead(source, len(answer.raw)))


def _filled(template: str, ref: Ref, document: Mapping[str, Any]) -> str:
    """The path of a list near a resource, or nothing where the resource does not tell it."""
    inner = document.get("properties")
    properties = inner if isinstance(inner, dict) else {}
    subscription = f"/subscriptions/{ref.subscription}"
    nodes = properties.get("nodeResourceGroup")
    known = {
        "id": ref.id,
        "group": f"{subscription}/resourceGroups/{ref.group}",
        "nodes": f"{subscription}/resourceGroups/{nodes}" if nodes else "",
        "subscription": subscription,
        "place": str(document.get("location") or "").replace(" ", "").casefold(),
    }
    for name, value in known.items():
        if f"{{{name}}}" in template and not value:
            return ""
        template = template.replace(f"{{{name}}}", value)
    return template


def _scope(path: str) -> str:
    """What a complete list at a path covers: the resource or the group above it."""
    above = path.rpartition("/providers/")[0]
    last = path.rpartition("/")[0]
    is_child = "/providers/" in last and not path.casefold().startswith(
        f"{above}/providers/".casefold()
    )
    return last if is_child or "/providers/" in above else above or last


def _references(value: Any, depth: int = 0) -> Iterator[str]:
    """Every id of a resource that a document names, itself left out by whoever follows."""
    if depth > _NESTED:
        return
    if isinstance(value, str):
        if value[: len(_ID)].casefold() == _ID:
            yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from _references(member, depth + 1)
    elif isinstance(value, list):
        for member in value:
            yield from _references(member, depth + 1)

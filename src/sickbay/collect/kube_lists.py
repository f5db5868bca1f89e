"""Reads lists in pages, each page while the next is on its way, and nothing twice."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import quote

import msgspec

from sickbay.collect.kube_answers import GONE, Answer, Failure
from sickbay.collect.kube_client import JSON, METADATA, Client
from sickbay.collect.kube_kinds import NAMES_ONLY, Kind
from sickbay.collect.kube_seeds import OBJECT, PAGE
from sickbay.model.evidence import Reason
from sickbay.record import NamedTuple

LIMIT: Final = 500
_RESTARTS: Final = 3
_MOST_PAGES: Final = 20_000


class Items(NamedTuple):
    """The objects of one page, still encoded."""

    items: list[msgspec.Raw]
    size: int


class _Step(NamedTuple):
    """What came, and where the list goes on: None is the end, an empty word the beginning."""

    found: Items | Failure
    token: str | None = None


async def pages(client: Client, kind: Kind, namespace: str = "") -> AsyncIterator[Items | Failure]:
    """Every object of a kind, once; a failure is the last that comes.

    Pages of a list are of one moment. A list that takes longer than the server remembers goes on
    at the present one, where the server says how, else it begins again without what was handed out.
    """
    reading = _Reading(client, kind, namespace)
    following: asyncio.Task[Answer | Failure] | None = asyncio.create_task(reading.ask(""))
    try:
        while following is not None:
            step = reading.understood(await following)
            following = None
            if step.token is not None:
                following = asyncio.create_task(reading.ask(step.token))
            yield step.found
    finally:
        if following is not None:
            following.cancel()


class _Reading:
    """One list while its pages come in."""

    def __init__(self, client: Client, kind: Kind, namespace: str) -> None:
        self._client = client
        self._path = kind.path(namespace)
        self._accept = METADATA if kind.kind in NAMES_ONLY else JSON
        self._known: set[str] = set()
        self._restarts = 0
        self._count = 0

    async def ask(self, token: str) -> Answer | Failure:
        self._count += 1
        if self._count > _MOST_PAGES:
            return Failure(self._path, Reason.TRUNCATED, f"more than {_MOST_PAGES} pages")
        more = f"&continue={quote(token, safe='')}" if token else ""
        return await self._client.get(f"{self._path}?limit={LIMIT}{more}", accept=self._accept)

    def understood(self, answer: Answer | Failure) -> _Step:
        if isinstance(answer, Failure):
            if answer.status != GONE or self._restarts >= _RESTARTS:
                return _Step(answer)
            self._restarts += 1
            return _Step(Items([], 0), answer.go_on)
        try:
            page = PAGE.decode(answer.body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            says = "the answer is no list, or broke off"
            return _Step(Failure(self._path, Reason.MALFORMED, says))
        fresh = [raw for raw in page.items or () if self._is_new(raw)]
        return _Step(Items(fresh, len(answer.body)), page.metadata.continue_ or None)

    def _is_new(self, raw: msgspec.Raw) -> bool:
        try:
            metadata = OBJECT.decode(raw).metadata
        except msgspec.DecodeError:
            return True
        key = f"{metadata.namespace}/{metadata.name}"
        is_new = key not in self._known
        self._known.add(key)
        return is_new

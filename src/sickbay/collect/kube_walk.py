"""Reads what rules know of a cluster, side by side, as far as the user's rights go.

Every object goes to the same place as one out of a file, so that a live run and a run over what it
collected say the same.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from sickbay.bundle.foreign.aso_log import tell_attempts
from sickbay.bundle.sink import Sink
from sickbay.collect.kube_answers import ABSENT, FORBIDDEN, Failure
from sickbay.collect.kube_client import Client
from sickbay.collect.kube_kinds import NAMES_ONLY, Kind, Served
from sickbay.collect.kube_lists import Items, pages
from sickbay.collect.kube_rights import ROLE, Rights, rights_in
from sickbay.collect.kube_seeds import named_only
from sickbay.collect.kube_suspects import Suspects
from sickbay.model.evidence import Gap, Origin, Reason
from sickbay.progress import FileRead, Observer, Stage

_TYPED: Final = frozenset({"Pod", "Node", "Event"})
_MOST_NAMESPACES: Final = 200
_MOST_TEXT: Final = 600
# What Azure Service Operator calls what it tried; failures that ended in success are told by all.
_TRIED: Final = (b"ActionError", b"BeginCreateOrUpdate", b"BeginDelete")
_MOST_TRIED: Final = 20_000


class Walk:
    """One look at the objects of a cluster, or of one namespace of it."""

    def __init__(self, client: Client, sink: Sink, observer: Observer, only: str = "") -> None:
        self._client = client
        self._sink = sink
        self._observer = observer
        self._only = only
        self._home = only or client.access.namespace
        self.suspects = Suspects(lambda: client.now)
        self._tried: list[tuple[bytes, Origin]] = []
        self._refused: dict[str, list[str]] = {}
        self._failed: dict[tuple[Reason, str], dict[str, Failure]] = {}

    async def read(self, served: Served, rights: Rights) -> None:
        """Read every kind; what may not be read in the whole cluster, in its namespaces."""
        for known in served.absent:
            self._sink.seen(known)
        for failure in served.failures:
            self._note(failure, "discovery")
        self._observer(Stage("reading the cluster"))
        results = await _together(self._kind(kind, rights) for kind in served.kinds)
        narrower = [
            kind for kind, is_read in zip(served.kinds, results, strict=True) if not is_read
        ]
        if narrower and not self._only:
            await self._by_namespace([kind for kind in narrower if kind.is_namespaced])
        self._note_refusals()
        self._note_failures()
        if self.suspects.has_aso and self._tried:
            tell_attempts(self._tried, "kubernetes/events", self._sink)

    async def _kind(self, kind: Kind, rights: Rights) -> bool:
        """Read a kind as widely as is asked for; whether that was allowed."""
        namespace = self._only if kind.is_namespaced else ""
        if rights.forbid("list", kind.group, kind.resource):
            self._refuse(kind, namespace)
            return False
        return await self._list(kind, namespace)

    async def _by_namespace(self, kinds: list[Kind]) -> None:
        """Read some kinds where that is allowed; the namespaces are those that could be seen."""
        known = sorted(self.suspects.namespaces) or [self._home]
        for namespace in known[:_MOST_NAMESPACES]:
            rights = await rights_in(self._client, namespace)
            allowed = [one for one in kinds if not rights.forbid("list", one.group, one.resource)]
            for kind in kinds:
                if kind not in allowed:
                    self._refuse(kind, namespace)
            await _together(self._list(kind, namespace) for kind in allowed)

    async def _list(self, kind: Kind, namespace: str) -> bool:
        source, count, has_begun = f"kubernetes{kind.path(namespace)}.json", 0, False
        async for found in pages(self._client, kind, namespace):
            if isinstance(found, Failure):
                return self._is_settled(found, kind, namespace)
            if not has_begun:
                self._sink.file(source)
                has_begun = True
            self._take(kind, found, source, count)
            count += len(found.items)
            self._observer(FileRead(source, found.size))
            # Others may have something to hand in, and whoever stops us wants to be heard.
            await asyncio.sleep(0)
        self._sink.seen(kind.known, namespace)
        return True

    def _is_settled(self, failure: Failure, kind: Kind, namespace: str) -> bool:
        if failure.status == FORBIDDEN:
            self._refuse(kind, namespace)
            return False
        if failure.status == ABSENT:
            self._sink.seen(kind.known, namespace)
            return True
        self._note(failure, kind.dotted)
        return True

    def _take(self, kind: Kind, page: Items, source: str, first: int) -> None:
        for index, raw in enumerate(page.items, first):
            origin = Origin(source, f"$.items[{index}]")
            if kind.kind in _TYPED and not kind.group:
                self.suspects.see(kind.kind, raw)
                if kind.kind == "Event" and any(word in bytes(raw) for word in _TRIED):
                    self._try(bytes(raw), origin)
                self._sink.kube_raw(kind.kind, raw, origin)
            elif kind.kind in NAMES_ONLY and kind.group in ("", "apiextensions.k8s.io"):
                named = named_only(raw, kind.api_version, kind.kind)
                where = named["metadata"]
                self.suspects.named(kind.kind, where.get("namespace", ""), where.get("name", ""))
                self._sink.kube(named, origin)
            else:
                body = msgspec.json.decode(raw)
                self.suspects.note(kind, body)
                if self._only and kind.kind == "Namespace":
                    body = _of_namespace(body, self._only)
                head = {"apiVersion": kind.api_version, "kind": kind.kind}
                self._sink.kube({**head, **body}, origin)

    def _try(self, raw: bytes, origin: Origin) -> None:
        if len(self._tried) < _MOST_TRIED:
            self._tried.append((raw, origin))

    def _refuse(self, kind: Kind, namespace: str) -> None:
        self._refused.setdefault(namespace, []).append(kind.dotted)

    def _note_refusals(self) -> None:
        """Say once for each scope what may not be read there, and what would allow it."""
        everywhere = set(self._refused.get("", ()))
        for namespace, resources in sorted(self._refused.items()):
            where = f"in namespace {namespace}" if namespace else "in the whole cluster"
            names = ", ".join(sorted(set(resources)))
            what = f"no right to list {where}: {names}"
            # Whoever names a namespace did not ask for the cluster around it.
            is_asked = bool(namespace) or not self._only or not everywhere
            gap = Gap("kubernetes", what, Reason.FORBIDDEN, ROLE, asked_for=is_asked)
            self._sink.gap(gap)

    def _note(self, failure: Failure, what: str) -> None:
        self._failed.setdefault((failure.reason, failure.says[:_MOST_TEXT]), {})[what] = failure

    def _note_failures(self) -> None:
        """Say once of each failure what could not be read because of it."""
        for (reason, says), failures in self._failed.items():
            first = next(iter(failures.values()))
            what = f"{', '.join(sorted(failures))}: {says}"
            to_open = f"kubectl get --raw '{first.path}'"
            self._sink.gap(Gap("kubernetes", what, reason, to_open, asked_for=True))


def _of_namespace(body: dict[str, Any], only: str) -> dict[str, Any]:
    """A namespace whole; of one that nobody asked about, what policies and webhooks choose by."""
    metadata = body.get("metadata") or {}
    if metadata.get("name") == only:
        return body
    return {"metadata": {key: metadata[key] for key in ("name", "labels") if key in metadata}}


async def _together(work: Iterable["asyncio._CoroutineLike[bool]"]) -> list[bool]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one) for one in work]
    return [task.result() for task in tasks]

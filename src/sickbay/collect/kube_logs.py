"""Reads the logs of what a first look suspects: containers, and nodes through their kubelets."""

import asyncio
import io
from typing import Final

from sickbay.bundle.foreign import read
from sickbay.bundle.foreign.owner import channel_of
from sickbay.bundle.frame import Frame
from sickbay.bundle.intake import Evidence
from sickbay.bundle.sink import Sink
from sickbay.collect.kube_answers import ABSENT, FORBIDDEN, Answer, Failure
from sickbay.collect.kube_client import Client
from sickbay.collect.kube_rights import ROLE, Rights
from sickbay.collect.kube_suspects import Stream, Suspects
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import kube
from sickbay.progress import FileRead, Observer, Stage

_LINES: Final = 400
_BYTES: Final = 1 << 20
_LINES_WHOLE: Final = 20_000
_BYTES_WHOLE: Final = 8 << 20
_SECONDS: Final = 10.0
_SECONDS_IN_ALL: Final = 30.0
_AT_ONCE: Final = 6
# Kubelets that did not answer; behind so many, the way to all of them is taken for cut.
_MOST_SILENT: Final = 4
_MOST_NODES: Final = 6
_NODE_BYTES: Final = 512 << 10
_SERVICES: Final = ("kubelet", "containerd")
_FILES: Final = (
    "kubelet.log",
    "containerd.log",
    "syslog",
    "messages",
    "kern.log",
    "azure/cluster-provision.log",
    "cloud-init-output.log",
)
# What a kubelet says of a container whose log is not there (any more).
_NO_LOG: Final = (
    "waiting to start",
    "not found",
    "is terminated",
    "has no logs",
    "previous terminated",
)


class Logs:
    """The second look: at texts."""

    def __init__(self, client: Client, sink: Sink, observer: Observer, rights: Rights) -> None:
        self._client = client
        self._sink = sink
        self._observer = observer
        self._rights = rights
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._silent: dict[str, str] = {}
        self._read: set[tuple[str, str, str, bool]] = set()
        self._refused: set[str] = set()
        self._unasked = 0

    async def read(self, suspects: Suspects) -> None:
        """Read what deserves it, then what the texts themselves point at."""
        self._observer(Stage("reading logs"))
        try:
            async with asyncio.timeout(min(_SECONDS_IN_ALL, max(0.1, self._client.left))):
                await asyncio.gather(
                    self._containers(suspects.streams(), suspects),
                    *(self._node(name) for name in sorted(suspects.nodes)[:_MOST_NODES]),
                )
                await self._containers(suspects.pointed_at(), suspects)
        except TimeoutError:
            what = f"logs: not all could be read in {_SECONDS_IN_ALL:.0f} s"
            self._sink.gap(Gap("kubernetes", what, Reason.UNREACHABLE, "kubectl logs"))
        self._note_silence()

    async def _containers(self, streams: list[Stream], suspects: Suspects) -> None:
        if streams and self._rights.forbid("get", "", "pods/log"):
            self._refuse("pods/log")
            return
        await asyncio.gather(*(self._container(one, suspects) for one in streams))

    async def _container(self, stream: Stream, suspects: Suspects) -> None:
        key = (stream.namespace, stream.pod, stream.container, stream.is_previous)
        if key in self._read:
            return
        self._read.add(key)
        async with self._gate:
            if stream.node in self._silent or len(self._silent) >= _MOST_SILENT:
                return
            answer = await self._client.get(_path(stream), tries=1, seconds=_SECONDS)
        if isinstance(answer, Failure):
            self._failed(stream, answer)
            return
        suspects.hear(answer.body)
        self._take(stream, answer.body)

    def _take(self, stream: Stream, body: bytes) -> None:
        life = ".previous" if stream.is_previous else ""
        place = f"{stream.namespace}/{stream.pod}/{stream.container}{life}.log"
        source = f"kubernetes/pods/logs/{place}"
        if stream.is_whole:
            # The operator's log has a reader of its own, which tells by content what it reads.
            read(Evidence(source, len(body), lambda: io.BytesIO(body)), self._sink)
        elif body.strip():
            about = kube("Pod", stream.namespace, stream.pod)
            channel = channel_of(f"{stream.pod}/{stream.container}")
            self._sink.file(source)
            self._sink.log(iter([body]), Frame(source, about, channel))
        self._observer(FileRead(source, len(body)))

    def _failed(self, stream: Stream, failure: Failure) -> None:
        if failure.status == FORBIDDEN:
            self._refuse("pods/log")
        elif failure.is_slow and stream.node and self._client.left > 0:
            # The server still answers, and waits in vain for the kubelet.
            says = f"no log from the kubelet of {stream.node} within {_SECONDS:.0f} s"
            self._silent.setdefault(stream.node, says)
        elif failure.status < 500:  # noqa: PLR2004
            # A container that never began, or whose log was cleared away: no log is no gap. One
            # that was not asked, because the server is gone, says nothing of its node.
            self._unasked += not failure.status
        elif not any(word in failure.says for word in _NO_LOG):
            self._silent.setdefault(stream.node, failure.says)

    async def _node(self, name: str) -> None:
        """Read the logs of a node, by the journal where the kubelet gives it, else by files."""
        if self._rights.forbid("get", "", "nodes/proxy"):
            self._refuse("nodes/proxy")
            return
        root = f"/api/v1/nodes/{name}/proxy/logs/"
        for service in _SERVICES:
            answer = await self._asked(f"{root}?query={service}&tailLines={_LINES}")
            if isinstance(answer, Failure):
                break
            self._take_node(name, f"{service}.log", answer.body)
        else:
            return
        if answer.status == FORBIDDEN:
            self._refuse("nodes/proxy")
        elif not answer.status or answer.status >= 500:  # noqa: PLR2004
            what = f"logs of node {name}: {answer.says}"
            hint = f"kubectl get --raw '{root}'"
            self._sink.gap(Gap("kubernetes", what, Reason.UNREACHABLE, hint))
        else:
            await self._node_files(name, root)

    async def _node_files(self, name: str, root: str) -> None:
        for file in _FILES:
            ends = (("Range", f"bytes=-{_NODE_BYTES}"),)
            answer = await self._asked(f"{root}{file}", headers=ends)
            if isinstance(answer, Answer):
                self._take_node(name, file, answer.body)
            elif answer.status != ABSENT:
                return

    async def _asked(self, path: str, **how: object) -> Answer | Failure:
        async with self._gate:
            return await self._client.get(path, tries=1, seconds=_SECONDS, **how)

    def _take_node(self, name: str, file: str, body: bytes) -> None:
        if not body.strip():
            return
        source = f"kubernetes/nodes/{name}/{file}"
        self._sink.file(source)
        about = kube("Node", "", name)
        self._sink.log(iter([body[-_NODE_BYTES:]]), Frame(source, about, channel_of(file)))
        self._observer(FileRead(source, len(body)))

    def _refuse(self, resource: str) -> None:
        if resource in self._refused:
            return
        self._refused.add(resource)
        what = f"no right to get {resource}"
        gap = Gap("kubernetes", what, Reason.FORBIDDEN, ROLE, asked_for=resource == "pods/log")
        self._sink.gap(gap)

    def _note_silence(self) -> None:
        """Kubelets that the API server cannot reach: a gap, and what rules hear of it."""
        if self._unasked:
            what = f"{self._unasked} logs: the API server did not answer any more"
            self._sink.gap(Gap("kubernetes", what, Reason.UNREACHABLE, "kubectl logs"))
        for node, says in sorted(self._silent.items()):
            about = kube("Node", "", node) if node else None
            self._sink.text(Text(says, Origin("kubernetes", "pods/log"), about, "log"))
        if self._silent:
            first, *others = sorted(self._silent)
            more = f" and {len(others)} other nodes" if others else ""
            what = f"logs of containers on node {first}{more}: {self._silent[first]}"
            hint = f"kubectl get --raw /api/v1/nodes/{first}/proxy/healthz"
            self._sink.gap(Gap("kubernetes", what, Reason.UNREACHABLE, hint))


def _path(stream: Stream) -> str:
    lines = _LINES_WHOLE if stream.is_whole else _LINES
    size = _BYTES_WHOLE if stream.is_whole else _BYTES
    life = "&previous=true" if stream.is_previous else ""
    where = f"/api/v1/namespaces/{stream.namespace}/pods/{stream.pod}/log"
    return f"{where}?container={stream.container}&tailLines={lines}&limitBytes={size}{life}"

"""What a first look at a cluster makes suspicious: whose logs are worth reading."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from sickbay.collect.kube_idle import Idle, untouched
from sickbay.collect.kube_kinds import ASO, Kind
from sickbay.collect.kube_seeds import NODE, POD, SECRET_USER, Pod, Status
from sickbay.collect.probe_targets import Targets
from sickbay.record import NamedTuple

_ASO_POD: Final = "azureserviceoperator-controller-manager"
_ASO_NAME: Final = "azure-service-operator"
_OF_WORKLOAD: Final = 1
_OFTEN: Final = 2
_LATELY: Final = timedelta(minutes=15)
_MOST: Final = 100
# What an event says, and which pods of the cluster's own might tell more.
_SYMPTOMS: Final[tuple[tuple[bytes, tuple[str, ...]], ...]] = (
    (b"no such host", ("coredns", "node-local-dns")),
    (b"server misbehaving", ("coredns", "node-local-dns")),
    (b":53: ", ("coredns", "node-local-dns")),
    (b"FailedCreatePodSandBox", ("azure-cns", "azure-cni", "cilium", "calico-node", "kindnet")),
    (b"error dialing backend", ("konnectivity-agent", "tunnelfront", "aks-link")),
    (b"No agent available", ("konnectivity-agent",)),
    (b"connect: connection refused", ("kube-proxy",)),
)
_ARC: Final = "azure-arc"
_READ_MAPS: Final = "coredns"
_ASO_SECRETS: Final = ("aso-credential", "aso-controller-settings")
_CREDENTIAL_FROM: Final = "serviceoperator.azure.com/credential-from"
_WAITS_FOR_SECRET: Final = ("CreateContainerConfigError", "ContainerCreating", "PodInitializing")


class Stream(NamedTuple):
    """One log: of a container as it runs, or of its last life."""

    rank: int
    namespace: str
    pod: str
    container: str
    node: str = ""
    is_previous: bool = False
    is_whole: bool = False


class Suspects:
    """Gathers, while lists come in, what deserves a second look."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self.namespaces: set[str] = set()
        self.nodes: dict[str, bool] = {}
        self.ready_nodes: list[str] = []
        self.targets = Targets()
        self.idle: list[Idle] = []
        self.has_aso = False
        self._streams: dict[tuple[str, str, bool], list[Stream]] = {}
        self._own: list[Pod] = []
        self._words: set[str] = set()
        self._is_arc_ill = False
        self.maps: set[tuple[str, str]] = set()
        self._secrets: set[tuple[str, str]] = set()
        self._asked_for: set[tuple[str, str]] = set()

    @property
    def secrets(self) -> list[tuple[str, str]]:
        """The secrets that are there and of which the keys matter."""
        of_aso = {one for one in self._secrets if self.has_aso and one[1] in _ASO_SECRETS}
        return sorted(of_aso | (self._asked_for & self._secrets))

    @property
    def ill(self) -> set[str]:
        """The namespaces in which a first look suspects something."""
        return {one.namespace for group in self._streams.values() for one in group}

    def see(self, kind: str, raw: msgspec.Raw) -> None:
        """Look at a frequent object, still encoded."""
        try:
            if kind == "Pod":
                self._pod(POD.decode(raw), raw)
            elif kind == "Node":
                node = NODE.decode(raw)
                if (node.spec.provider_id or "").startswith("azure:"):
                    self.targets.is_azure = True
                if node.is_ready:
                    self.ready_nodes.append(node.metadata.name)
                if node.is_suspect:
                    self.nodes[node.metadata.name] = node.is_ready
            elif kind == "Event":
                self.hear(bytes(raw))
        except msgspec.DecodeError:
            # The reader that follows says what is wrong with it.
            return

    def note(self, kind: Kind, body: dict[str, Any]) -> None:
        """Look at a rarer object."""
        if kind.kind == "Namespace" and not kind.group:
            self.namespaces.add(str(body.get("metadata", {}).get("name", "")))
        if kind.group in ("apps", "batch") and (idle := untouched(kind.kind, body)):
            self.idle.append(idle)
        if kind.known in ("Service", "EndpointSlice") or "NetworkPolicy" in kind.known:
            self.targets.note(kind.known, body)
        if kind.known == ASO:
            self.has_aso = True
            metadata = body.get("metadata", {})
            named = (metadata.get("annotations") or {}).get(_CREDENTIAL_FROM)
            if named:
                self._asked_for.add((str(metadata.get("namespace")), str(named)))

    def named(self, kind: str, namespace: str, name: str) -> None:
        """Note an object of which only the name was read."""
        if kind == "ConfigMap" and name.startswith(_READ_MAPS):
            self.maps.add((namespace, name))
        elif kind == "Secret":
            self._secrets.add((namespace, name))

    def hear(self, text: bytes) -> None:
        """Note the symptoms that a text tells of."""
        for word, pods in _SYMPTOMS:
            if word in text:
                self._words.update(pods)

    def streams(self) -> list[Stream]:
        """The logs that are worth reading, the most telling first."""
        wanted = [one for group in self._streams.values() for one in sorted(group)[:_OF_WORKLOAD]]
        wanted = sorted(wanted)[:_MOST]
        return list(dict.fromkeys([*self._operator(), *wanted, *self.pointed_at()]))

    def pointed_at(self) -> list[Stream]:
        """The logs of the cluster's own parts to which a symptom points."""
        found: dict[str, Stream] = {}
        for pod in self._own:
            name = pod.metadata.name
            is_meant = any(name.startswith(word) for word in self._words)
            if is_meant or (self._is_arc_ill and pod.metadata.namespace == _ARC):
                for status in pod.status.container_statuses or ():
                    found.setdefault(f"{pod.workload}/{status.name}", _stream(pod, status, 8))
        return list(found.values())

    def _operator(self) -> list[Stream]:
        if not self.has_aso:
            return []
        return [
            _stream(pod, status, 0)._replace(is_whole=True)
            for pod in self._own
            if _is_aso(pod)
            for status in pod.status.container_statuses or ()
            if status.state is None or status.state.waiting is None
        ]

    def _pod(self, pod: Pod, raw: msgspec.Raw) -> None:
        self.namespaces.add(pod.metadata.namespace)
        if pod.metadata.namespace in ("kube-system", _ARC) or _is_aso(pod):
            self._own.append(pod)
        if pod.is_unseen and not pod.metadata.deletion_timestamp:
            where = pod.metadata
            self.idle.append(
                Idle("scheduler", "Pod", where.namespace, where.name, where.creation_timestamp)
            )
        if any(_waits(status) for status in pod.statuses):
            names = SECRET_USER.decode(raw).secrets()
            self._asked_for.update((pod.metadata.namespace, name) for name in names)
        for status in pod.statuses:
            for stream in _suspected(pod, status, self._now()):
                key = (pod.workload, status.name, stream.is_previous)
                kept = self._streams.setdefault(key, [])
                if len(kept) <= _OF_WORKLOAD:
                    kept.append(stream)
                self._is_arc_ill = self._is_arc_ill or pod.metadata.namespace == _ARC


def _waits(status: Status) -> bool:
    waiting = status.state.waiting if status.state else None
    return waiting is not None and waiting.reason in _WAITS_FOR_SECRET


def _suspected(pod: Pod, status: Status, at: datetime) -> list[Stream]:
    """The logs of a container that can tell why it is not well."""
    now, before = status.state, status.last_state
    died = before.terminated if before else None
    if now is None:
        return []
    if now.waiting is not None:
        # Its last life is what the log of now shows; one that never lived has none.
        return [_stream(pod, status, 1)] if died else []
    if now.terminated is not None:
        return [_stream(pod, status, 2)] if now.terminated.exit_code else []
    found = []
    # Also one that runs before the others and does not come to its end: it may say what it awaits.
    if not status.ready and not pod.metadata.deletion_timestamp:
        found.append(_stream(pod, status, 3))
    if died and died.exit_code and (found or _flaps(status, at)):
        found.append(_stream(pod, status, 4)._replace(is_previous=True))
    return found


def _flaps(status: Status, at: datetime) -> bool:
    """Whether one that is ready now died again and again, and lately; else it has recovered."""
    began = (status.state and status.state.running and status.state.running.started_at) or ""
    if (status.restart_count or 0) < _OFTEN or not began:
        return False
    return at - _moment(began) < _LATELY


def _moment(stamp: str) -> datetime:
    try:
        return datetime.fromisoformat(stamp).astimezone(UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def _stream(pod: Pod, status: Status, rank: int) -> Stream:
    where = pod.metadata
    return Stream(rank, where.namespace, where.name, status.name, pod.spec.node_name or "")


def _is_aso(pod: Pod) -> bool:
    labels = pod.metadata.labels or {}
    return pod.metadata.name.startswith(_ASO_POD) or (
        labels.get("app.kubernetes.io/name") == _ASO_NAME
    )

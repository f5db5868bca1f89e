"""Leaves out what is over.

A warning about a pod that is well now, and a failed operation that a later attempt carried through.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from sickbay.bundle.foreign.kubectl_columns import UNTOLD_NAMESPACE
from sickbay.bundle.times import normal, seconds_between
from sickbay.engine.ledger import Heard
from sickbay.model.ages import seen_at
from sickbay.model.entity import Entity
from sickbay.model.evidence import Text
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot

_EVENT: Final = "event"
_POD: Final = "Pod"
_JOB: Final = "Job"
# The steps to a certificate, which stay behind when a later attempt went well.
_STEPS: Final = frozenset({"CertificateRequest", "Order", "Challenge"})
_UNPLACED: Final = "FailedScheduling"
_UNBOUND: Final = ("ProvisioningFailed", "FailedBinding", "VolumeMismatch")
# What comes before the first container: it is over once one was made, however that fares.
_BEFORE_CONTAINERS: Final = ("FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox")
# What is said of a node that runs short or is silent, and the condition that tells when it is over.
_SHORTAGES: Final = (
    ("NodeNotReady", "Ready"),
    ("NodeHasDiskPressure", "DiskPressure"),
    ("NodeHasInsufficientMemory", "MemoryPressure"),
    ("NodeHasInsufficientPID", "PIDPressure"),
    ("EvictionThresholdMet: Attempting to reclaim memory", "MemoryPressure"),
    ("EvictionThresholdMet: Attempting to reclaim pids", "PIDPressure"),
    ("EvictionThresholdMet", "DiskPressure"),
    ("FreeDiskSpaceFailed", "DiskPressure"),
    ("ImageGCFailed", "DiskPressure"),
)
# So much of a message tells it from others; events are cut off at the end.
_TELLING: Final = 120
# Why a pod had to go is told by its last events, and by nothing else.
_FAREWELLS: Final = ("Evict", "Preempt", "TaintManagerEviction", "NodeNotReady")
_UNREADY: Final = "NodeNotReady"
# How a pod says, in its status or by an event, that its node had to let it go.
_DRIVEN_OUT: Final = ("The node was low on resource", "The node had condition")
_PRESSURES: Final = ("DiskPressure", "MemoryPressure", "PIDPressure")
_STARTING: Final = ("Unhealthy: Readiness", "Unhealthy: Startup")
_FIRST_MINUTE: Final = 60
# What comes back so often is not over, although the pod is up at this moment.
_OFTEN: Final = 5
SUCCEEDED: Final = "activity-log/succeeded"
_MOST_OPERATIONS: Final = 50_000
_MOST_CHARACTERS: Final = 32 << 20


def still_true(heard: Iterable[Heard], snapshot: Snapshot) -> list[Heard]:
    """What was heard, without the events that the documents show to be overcome."""
    are_ready = _are_ready(snapshot)
    places = _Places(snapshot)
    return [
        one
        for one in map(places.placed, heard)
        if not _is_over(one, snapshot, are_ready=are_ready)
        and not _is_made_good(one.text, snapshot)
        and not _is_issued(one.text, snapshot)
        and not (are_ready and _is_replaced(one, snapshot))
    ]


class _Places:
    """Finds the namespace of what a table names without it, as `kubectl get events` does."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._refs = snapshot.refs
        self._spaces: dict[tuple[str, str], set[str]] = {}

    def placed(self, heard: Heard) -> Heard:
        about = heard.text.about
        if about is None or about.namespace != UNTOLD_NAMESPACE:
            return heard
        if not self._spaces:
            for ref in self._refs():
                if not ref.is_arm and ref.namespace not in ("", UNTOLD_NAMESPACE):
                    self._spaces.setdefault((ref.kind, ref.name), set()).add(ref.namespace)
        found = self._spaces.get((about.kind, about.name), set())
        if len(found) != 1:
            return heard
        ref = kube(about.kind, min(found), about.name)
        return heard._replace(text=heard.text._replace(about=ref))


def _is_over(heard: Heard, snapshot: Snapshot, *, are_ready: bool) -> bool:
    text = heard.text
    if text.channel != _EVENT or text.about is None:
        return False
    found = snapshot.find(text.about)
    if isinstance(found, Node):
        return heard.times < _OFTEN and _has_passed(found, text.text)
    if text.about.kind == Node.kind:
        return are_ready and heard.times < _OFTEN and _is_missed_by_nobody(snapshot)
    if text.about.kind != _POD:
        return found is not None and text.text.startswith(_UNBOUND) and _is_bound(found)
    if are_ready and text.text.startswith(_UNREADY):
        return heard.times < _OFTEN
    return _is_gone(text, snapshot) if found is None else _is_outlived(heard, found, snapshot)


def _is_made_good(text: Text, snapshot: Snapshot) -> bool:
    """Whether what a schedule missed once it has done since."""
    if text.about is None or text.about.kind != _JOB:
        return False
    from sickbay.model.workloads import Job  # noqa: PLC0415 - no pasted text has one

    found = snapshot.find(text.about)
    return isinstance(found, Job) and found.is_made_good(snapshot)


def _is_issued(text: Text, snapshot: Snapshot) -> bool:
    """Whether a certificate is ready, so that an attempt at it that failed is over."""
    about = text.about
    if about is None or about.kind not in _STEPS:
        return False
    from sickbay.model.addons import Certificate  # noqa: PLC0415 - no pasted text has one

    return any(
        about.name.startswith(f"{one.name}-") and one.ready is not None and one.ready.is_true
        for one in snapshot.in_namespace(Certificate, about.namespace)
    )


def _is_bound(found: Entity) -> bool:
    """Whether a claim has its volume, however long that took."""
    from sickbay.model.storage import PersistentVolumeClaim  # noqa: PLC0415 - no pasted text has one

    return isinstance(found, PersistentVolumeClaim) and found.status.phase == "Bound"


def _is_outlived(heard: Heard, pod: Entity, snapshot: Snapshot) -> bool:
    """Whether a pod that is still there shows that an event is over."""
    text = heard.text.text
    if isinstance(pod, Pod) and _is_past(pod, text):
        return True
    if pod.is_unwell:
        is_start = heard.times < _OFTEN and text.startswith(_STARTING)
        return is_start and isinstance(pod, Pod) and _is_young(heard, pod, snapshot)
    return heard.times < _OFTEN or text.startswith(_UNPLACED)


def _are_ready(snapshot: Snapshot) -> bool:
    """Whether every node is back: a pod repeats what happened to its node, not to which."""
    nodes = snapshot.all(Node) if snapshot.has_seen(Node.kind) else ()
    return bool(nodes) and all(node.is_ready for node in nodes)


def _is_missed_by_nobody(snapshot: Snapshot) -> bool:
    """Whether a node that is gone left no pod without a place."""
    pods = list(snapshot.some(Pod)) if snapshot.holds(Pod.kind) else []
    return bool(pods) and not any(pod.is_unplaced_because for pod in pods)


def _is_replaced(heard: Heard, snapshot: Snapshot) -> bool:
    """Whether what a pod had to leave its node for is over, and others have taken its place."""
    about, said = heard.text.about, heard.text.text
    if about is None or about.kind != _POD or not any(words in said for words in _DRIVEN_OUT):
        return False
    if heard.times >= _OFTEN or any(map(_is_pressed, snapshot.all(Node))):
        return False
    # A pod of its own has no other name to be found by, and comes back under none.
    stem = about.name.rpartition("-")[0]
    others = [
        pod
        for pod in snapshot.in_namespace(Pod, about.namespace)
        if stem and pod.name.rpartition("-")[0] == stem and pod.status.phase != "Failed"
    ]
    return bool(others) and all(pod.is_ready for pod in others)


def _is_pressed(node: Node) -> bool:
    found = (node.condition(type) for type in _PRESSURES)
    return any(condition is not None and condition.is_true for condition in found)


def _is_gone(text: Text, snapshot: Snapshot) -> bool:
    """Whether a pod is no more; what replaced it has events of its own, if it fares no better."""
    is_known = (
        text.about is not None
        and text.about.namespace != UNTOLD_NAMESPACE
        and snapshot.has_seen(_POD, text.about.namespace)
    )
    return is_known and not text.text.startswith(_FAREWELLS)


def _has_passed(node: Node, event: str) -> bool:
    """Whether a node says by its condition that it is no longer as an event saw it."""
    type = next((type for words, type in _SHORTAGES if event.startswith(words)), "")
    condition = node.condition(type) if type else None
    return condition is not None and condition.is_true is (type == "Ready")


def _is_past(pod: Pod, event: str) -> bool:
    """Whether a pod has come further than where an event saw it stand."""
    if event.startswith(_UNPLACED):
        # What keeps it from its place now is what its condition says too.
        now = pod.is_unplaced_because[:_TELLING]
        return bool(pod.spec.node_name) or (now != "" and now not in event)
    return event.startswith(_BEFORE_CONTAINERS) and pod.has_made_containers


def _is_young(heard: Heard, pod: Pod, snapshot: Snapshot) -> bool:
    """Whether an event is of the first minute of a pod, when few programs answer yet.

    An event without a time is not younger than the moment at which its pod was looked at.
    """
    made = normal(pod.metadata.creation_timestamp or "")
    last = heard.last or normal(seen_at(pod, snapshot))
    return bool(made and last) and seconds_between(made, last) <= _FIRST_MINUTE


class Operations:
    """Holds the failures of an activity log back until all attempts are known."""

    def __init__(self) -> None:
        self._failed: list[Text] = []
        self._characters = 0
        # When an operation on a resource, or a request, last came to a good end.
        self._ended: dict[tuple[str, str], str] = {}

    def takes(self, text: Text) -> bool:
        """Take an event; a failure that cannot be judged, or is one too many, is left."""
        if text.channel == SUCCEEDED:
            self._note(text)
            return True
        is_full = len(self._failed) >= _MOST_OPERATIONS or self._characters >= _MOST_CHARACTERS
        if is_full or not _marks(text):
            return False
        self._failed.append(text)
        self._characters += len(text.text)
        return True

    def lasting(self) -> Iterator[Text]:
        """The failures that nothing later made good."""
        failed, self._failed, self._characters = self._failed, [], 0
        return (text for text in failed if not self._is_overcome(text))

    def _note(self, text: Text) -> None:
        for mark in _marks(text):
            known = self._ended.get(mark)
            if known is None and len(self._ended) >= _MOST_OPERATIONS:
                return
            if known is None or seconds_between(known, text.at) > 0:
                self._ended[mark] = text.at

    def _is_overcome(self, text: Text) -> bool:
        ends = (self._ended.get(mark) for mark in _marks(text))
        return any(end and seconds_between(text.at, end) > 0 for end in ends)


def _marks(text: Text) -> tuple[tuple[str, str], ...]:
    """What two attempts have in common: the resource, and the operation or the request."""
    if text.about is None or not text.at:
        return ()
    operation = text.text.partition(": ")[0].casefold()
    request = text.origin.locator.partition("(correlation id ")[2]
    return tuple((text.about.key, mark) for mark in (operation, request) if mark)

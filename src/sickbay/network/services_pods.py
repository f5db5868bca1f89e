"""Which pods a service selects, which come close, and why some of them are not ready."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sickbay.model.kubernetes import Pod, condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import DaemonSet, Deployment, Service, StatefulSet, Workload

# Labels that tell one pod from its siblings: they say nothing of what the pod is.
_OF_ONE: Final = frozenset(
    {
        "pod-template-hash",
        "controller-revision-hash",
        "pod-template-generation",
        "statefulset.kubernetes.io/pod-name",
        "apps.kubernetes.io/pod-index",
    }
)
_MOST_SHOWN: Final = 3
_MOST_COMPARED: Final = 50
_LONGEST: Final = 63
_ALIKE: Final = 0.7
# Shorter or commoner values are under many keys by chance.
_TELLING: Final = 3
_OF_ANY: Final = frozenset({"true", "false", "enabled", "disabled"})


class Near(NamedTuple):
    """Pods that a selector nearly picks, and the labels by which it does not."""

    pod: str
    pods: int
    differing: str


class _Kind(NamedTuple):
    """Pods of one namespace that have the same labels."""

    labels: dict[str, str]
    first: str
    pods: int


def selected(snapshot: Snapshot, service: Service) -> tuple[Pod, ...]:
    """The pods in evidence that a service picks, by name; a service without a selector has none."""
    selector = service.spec.selector
    if not selector:
        return ()
    pods = snapshot.labelled(Pod, service.namespace, selector)
    return tuple(sorted(pods, key=lambda pod: pod.name))


def spelled_labels(labels: Mapping[str, str]) -> str:
    return ",".join(f"{key}={value}" for key, value in sorted(labels.items()))


def nearest(snapshot: Snapshot, service: Service) -> Near | None:
    """The pods of the namespace whose labels come closest to a selector that picks none."""
    selector = service.spec.selector or {}
    kinds = snapshot.once(_kinds_of_pods).get(service.namespace, [])
    ranked = sorted(kinds, key=lambda kind: (-_equal(kind, selector), -kind.pods, kind.first))
    best = _equal(ranked[0], selector) if ranked else 0
    close = [kind for kind in ranked if _equal(kind, selector) == best][:_MOST_COMPARED]
    alike = [(-_alike(kind, selector), at) for at, kind in enumerate(close)]
    if not alike or (not best and not min(alike)[0]):
        return None
    kind = close[min(alike)[1]]
    return Near(kind.first, kind.pods, _differences(selector, kind.labels))


def _equal(kind: _Kind, selector: Mapping[str, str]) -> int:
    return sum(kind.labels.get(key) == value for key, value in selector.items())


def _alike(kind: _Kind, selector: Mapping[str, str]) -> int:
    return sum(_is_alike(kind.labels, key, value) for key, value in selector.items())


def elsewhere(snapshot: Snapshot, service: Service) -> str:
    """Another namespace whose pods a selector would pick, or an empty string."""
    selector = service.spec.selector or {}
    for namespace in sorted(snapshot.once(_kinds_of_pods)):
        if namespace != service.namespace and snapshot.labelled(Pod, namespace, selector):
            return namespace
    return ""


def meant_workload(snapshot: Snapshot, service: Service) -> Workload | None:
    """What would make the pods that a selector picks, if it made any."""
    selector = service.spec.selector or {}
    for kind in (Deployment, StatefulSet, DaemonSet):
        found = snapshot.in_namespace(kind, service.namespace)
        for workload in sorted(found, key=lambda one: one.name):
            chosen = workload.spec.selector
            labels = (chosen.match_labels if chosen else None) or {}
            # Its pods carry at least these labels, and none that contradict them.
            is_meant = any(labels.get(key) == value for key, value in selector.items())
            if is_meant and all(labels.get(key, value) == value for key, value in selector.items()):
                return workload
    return None


def why_not_ready(pod: Pod) -> str:
    """What keeps a pod from being ready, in a few words."""
    if pod.metadata.deletion_timestamp:
        return "it is being deleted"
    for status in pod.waiting:
        if status.waiting and status.waiting.reason:
            return f"container {status.name} waits: {status.waiting.reason}"
    scheduled = condition_of(pod.status.conditions, "PodScheduled")
    if scheduled and scheduled.status == "False":
        return f"it is not scheduled: {scheduled.message or scheduled.reason or 'no reason given'}"
    if pod.status.phase in {"Succeeded", "Failed"}:
        return f"it is over ({pod.status.phase})"
    return _unready_containers(pod)


def _unready_containers(pod: Pod) -> str:
    unready = [one.name for one in pod.status.container_statuses or () if one.ready is False]
    if unready:
        return f"its readiness probe does not pass ({', '.join(unready)})"
    gates = [
        one.type for one in pod.status.conditions or () if one.status == "False" and "/" in one.type
    ]
    if gates:
        return f"its readiness gate {gates[0]} is not met"
    return f"its phase is {pod.status.phase or 'not told'}"


def has_status(pod: Pod) -> bool:
    """Whether the evidence says how a pod fares; a manifest does not."""
    return bool(pod.status.phase or pod.status.conditions)


def named(pods: tuple[Pod, ...]) -> str:
    """The names of some pods, or of the first of many."""
    names = [pod.name for pod in pods[:_MOST_SHOWN]]
    rest = len(pods) - len(names)
    return ", ".join(names) + (f" and {rest} more" if rest else "")


def _kinds_of_pods(snapshot: Snapshot) -> dict[str, list[_Kind]]:
    """The pods of each namespace by their labels: thousands of pods have a few sets of labels."""
    counts: dict[tuple[str, frozenset[tuple[str, str]]], list[str]] = {}
    for pod in snapshot.some(Pod) if snapshot.holds(Pod.kind) else ():
        labels = frozenset(item for item in pod.labels.items() if item[0] not in _OF_ONE)
        counts.setdefault((pod.namespace, labels), []).append(pod.name)
    found: dict[str, list[_Kind]] = {}
    for (namespace, labels), names in counts.items():
        found.setdefault(namespace, []).append(_Kind(dict(labels), min(names), len(names)))
    return found


def _is_alike(labels: Mapping[str, str], key: str, value: str) -> bool:
    """Whether a label was likely meant to be another: misspelt, cased, or under another key."""
    if key in labels:
        return labels[key] != value and _is_similar(labels[key], value)
    return bool(_other_key(labels, key, value))


def _other_key(labels: Mapping[str, str], key: str, value: str) -> str:
    """The key under which a pod has the value that is wanted under another."""
    if len(value) < _TELLING or value in _OF_ANY:
        return ""
    names = sorted(name for name, other in labels.items() if other == value)
    return next((name for name in names if _is_similar(name, key)), names[0] if names else "")


def _is_similar(one: str, other: str) -> bool:
    from difflib import SequenceMatcher  # noqa: PLC0415 - asked only of a selector that fails

    left, right = one.casefold()[:_LONGEST], other.casefold()[:_LONGEST]
    short, long = sorted((left, right), key=len)
    if len(short) >= _TELLING and (short in long or sorted(short) == sorted(long)):
        return True
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _differences(selector: Mapping[str, str], labels: Mapping[str, str]) -> str:
    words = []
    for key, value in sorted(selector.items()):
        if labels.get(key) == value:
            continue
        has = key if key in labels else _other_key(labels, key, value)
        words.append(f"{has}={labels[has]} instead of {key}={value}" if has else f"no label {key}")
    return ", ".join(words)

"""Whether a selector that picks no pod was meant for pods that are there, and how it should be."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sickbay.model.entity import KubeEntity
from sickbay.model.exposure import GRPCRoute, HTTPRoute, TCPRoute
from sickbay.model.guards import (
    APIService,
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
)
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress, Service
from sickbay.network.services_pods import nearest

# Labels that say what a pod is, those that move between pods, and those that tell parts apart.
_IDENTITY: Final = ("app", "app.kubernetes.io/name", "k8s-app", "name", "run")
_MOVING: Final = ("role", "slot", "-hash", "pod-name", "color", "track", "leader", "active")
_PARTS: Final = ("component", "instance")
_USERS: Final[tuple[type[KubeEntity], ...]] = (
    Ingress,
    HTTPRoute,
    GRPCRoute,
    TCPRoute,
    ValidatingWebhookConfiguration,
    MutatingWebhookConfiguration,
    APIService,
)
_ALIKE: Final = 0.7
_LONGEST: Final = 63
# Shorter values are under many keys by chance.
_TELLING: Final = 3


class Miss(NamedTuple):
    """How a selector misses the pods that come closest.

    `moving` are the labels by which it does, when all of them are of a kind that moves between
    pods; `is_mistake` when those pods were surely meant; `patch` makes the selector pick them.
    """

    moving: tuple[str, ...] = ()
    is_mistake: bool = False
    patch: str = '{"spec":{"selector":{"<label>":"<value>"}}}'


def miss(snapshot: Snapshot, service: Service) -> Miss:
    """Compare the selector of a service that picks no pod with the pods that come closest."""
    selector = service.spec.selector or {}
    if namesake := _namesake(snapshot, service):
        return Miss(is_mistake=True, patch=patch_of(selector, namesake.labels))
    near = nearest(snapshot, service)
    pod = snapshot.find(kube(Pod.kind, service.namespace, near.pod)) if near else None
    if not isinstance(pod, Pod):
        return Miss()
    wrong = [key for key, value in sorted(selector.items()) if pod.labels.get(key) != value]
    if all(_is(key, _MOVING) for key in wrong):
        return Miss(moving=tuple(wrong))
    if not _is_mistake(snapshot, service, pod, wrong):
        return Miss()
    return Miss(is_mistake=True, patch=patch_of(selector, pod.labels))


def is_relied_on(snapshot: Snapshot, service: Service) -> bool:
    """Whether something in evidence leads to a service, or everybody outside may."""
    is_open = service.spec.type in {"LoadBalancer", "NodePort"}
    return is_open or service.ref in snapshot.once(_relied_on)


def _relied_on(snapshot: Snapshot) -> frozenset[Ref]:
    users = (one for kind in _USERS if snapshot.holds(kind.kind) for one in snapshot.some(kind))
    return frozenset(ref for one in users for ref in one.links(snapshot))


def _is_mistake(snapshot: Snapshot, service: Service, pod: Pod, wrong: list[str]) -> bool:
    selector, labels = service.spec.selector or {}, pod.labels
    if any(_is(key, _PARTS) for key in wrong):
        return False
    telling = [key for key in _IDENTITY if key in selector]
    if any(labels.get(key) == selector[key] for key in telling):
        return True
    # Pods that another service picks are likely what that one is for.
    if _is_taken(snapshot, service, pod):
        return False
    alike = [_is_alike(labels, key, selector[key]) for key in telling or wrong]
    return any(alike) if telling else all(alike)


def _namesake(snapshot: Snapshot, service: Service) -> Pod | None:
    """A pod that bears the name of the service, while no other service picks it."""
    for pod in snapshot.in_namespace(Pod, service.namespace):
        is_named = any(pod.labels.get(key) == service.name for key in _IDENTITY)
        if is_named and _has_other_identity(service, pod) and not _is_taken(snapshot, service, pod):
            return pod
    return None


def _has_other_identity(service: Service, pod: Pod) -> bool:
    """Whether a selector misses a pod by the label that says what it is."""
    selector = service.spec.selector or {}
    return any(key in selector and pod.labels.get(key) != selector[key] for key in _IDENTITY)


def _is_taken(snapshot: Snapshot, service: Service, pod: Pod) -> bool:
    others = snapshot.in_namespace(Service, service.namespace)
    return any(
        (one.spec.selector or {}).items() <= pod.labels.items()
        for one in others
        if one.spec.selector and one.ref != service.ref
    )


def _is_alike(labels: Mapping[str, str], key: str, value: str) -> bool:
    return value in labels.values() or is_close(labels.get(key, ""), value)


def is_close(one: str, other: str) -> bool:
    """Whether two values are likely two spellings of one."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - asked only of a selector that fails

    left, right = one.casefold()[:_LONGEST], other.casefold()[:_LONGEST]
    if left and sorted(left) == sorted(right):
        return True  # letters that changed places
    return SequenceMatcher(None, left, right, autojunk=False).ratio() >= _ALIKE


def moves(key: str) -> bool:
    """Whether a label is of a kind that moves between pods."""
    return _is(key, _MOVING)


def _is(key: str, words: tuple[str, ...]) -> bool:
    return key.rpartition("/")[2].casefold().endswith(words)


def patch_of(selector: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """A merge patch of the selector; a key without a value is taken away."""
    wanted: dict[str, str] = {}
    for key, value in sorted(selector.items()):
        if key in labels:
            wanted[key] = f'"{labels[key]}"'
            continue
        wanted[key] = "null"
        same = sorted(k for k, v in labels.items() if v == value and len(v) >= _TELLING)
        wanted.update(dict.fromkeys(same[:1], f'"{value}"'))
    inner = ",".join(f'"{key}":{value}' for key, value in sorted(wanted.items()))
    return f'{{"spec":{{"selector":{{{inner}}}}}}}'

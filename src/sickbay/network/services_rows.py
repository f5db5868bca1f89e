"""Why a service has no endpoints, as far as tables of `kubectl get` tell: labels against labels."""

from typing import NamedTuple

from sickbay.model.ids import kube
from sickbay.model.rows import EndpointsRow, PodRow, ServiceRow
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services_mistakes import is_close, moves, patch_of


class Missed(NamedTuple):
    """What a service selects, and how the pods that were listed differ."""

    selector: dict[str, str]
    says: str
    patch: str = '{"spec":{"selector":{"<label>":"<value>"}}}'
    is_moving: bool = False


def missed(snapshot: Snapshot, row: EndpointsRow) -> Missed | None:
    """What a service without endpoints selects in vain; None if rows do not tell."""
    if not row.spec.is_empty:
        return None
    services = snapshot.grouped(ServiceRow, "namespace", row.namespace)
    selector = next((one.spec.selector for one in services if one.name == row.name), None)
    document = snapshot.find(kube(Service.kind, row.namespace, row.name))
    if not selector and isinstance(document, Service):
        selector = document.spec.selector
    pods = snapshot.grouped(PodRow, "namespace", row.namespace)
    asked = [one.spec.selector for one in pods if one.spec.selector]
    labelled = [one for one in pods if one.labels]
    if selector is None and row.spec.is_asked_for and len(asked) == 1:
        selector = asked[0]
    if not selector or any(selector.items() <= pod.labels.items() for pod in labelled):
        return None
    if found := _misses(row.name, selector, labelled):
        return found
    if any(one.items() <= selector.items() for one in asked if one):
        return Missed(selector, "no pod has that")
    return None


def missed_by(snapshot: Snapshot, row: ServiceRow) -> Missed | None:
    """What a listed service selects in vain among the pods that were listed with their labels."""
    selector = row.spec.selector
    pods = snapshot.grouped(PodRow, "namespace", row.namespace)
    labelled = [one for one in pods if one.labels]
    if not selector or any(one.spec.selector for one in pods):
        return None
    if any(selector.items() <= pod.labels.items() for pod in labelled):
        return None
    found = _misses(row.name, selector, labelled)
    # A label that moves between pods may be on its way.
    return found if found and not found.is_moving else None


def _misses(name: str, selector: dict[str, str], labelled: list[PodRow]) -> Missed | None:
    """How the pods differ that a service was surely meant for."""
    for pod in labelled:
        wrong = [key for key, value in sorted(selector.items()) if pod.labels.get(key) != value]
        # Pods that bear the name of the service were meant.
        is_namesake = pod.name.startswith(f"{name}-") and all(key in pod.labels for key in wrong)
        if is_namesake or all(is_close(pod.labels.get(key, ""), selector[key]) for key in wrong):
            has = ",".join(f"{key}={pod.labels[key]}" for key in wrong)
            return Missed(
                selector,
                f"{pod.name} has {has}",
                patch_of(selector, pod.labels),
                all(moves(key) for key in wrong),
            )
    return None

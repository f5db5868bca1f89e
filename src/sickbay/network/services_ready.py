"""Whether anything answers behind a service, by its pods or by what is published of it."""

from sickbay.model.evidence import UnseenError
from sickbay.model.exposure import Endpoints, EndpointSlice
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service


def why_silent(snapshot: Snapshot, namespace: str, name: str) -> str:
    """Why nothing answers behind a service, or an empty string; raises where nobody looked."""
    service = snapshot.get(kube("Service", namespace, name), Service)
    if service is None:
        return "does not exist"
    if not service.spec.selector:
        return ""
    try:
        snapshot.require(Pod, namespace)
    except UnseenError:
        # Without the pods, what Kubernetes publishes of them will do.
        if _publishes_none(snapshot, service):
            return "has no endpoints"
        raise
    chosen = service.spec.selector.items()
    pods = [p for p in snapshot.in_namespace(Pod, namespace) if chosen <= p.labels.items()]
    return "" if any(pod.is_ready for pod in pods) else f"has no ready pod (of {len(pods)})"


def _publishes_none(snapshot: Snapshot, service: Service) -> bool:
    slices = snapshot.grouped(EndpointSlice, "service", f"{service.namespace}/{service.name}")
    if slices:
        ends = [end for one in slices for end in one.endpoints or ()]
        return not any(end.conditions is None or end.conditions.ready is not False for end in ends)
    older = snapshot.find(kube("Endpoints", service.namespace, service.name))
    return isinstance(older, Endpoints) and not any(s.addresses for s in older.subsets or ())

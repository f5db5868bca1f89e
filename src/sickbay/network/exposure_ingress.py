"""Where an ingress leads for each host and path: its class, its controller, and the service."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.exposure import IngressClass
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.service_parts import IngressBackend, IngressService
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress, Service
from sickbay.network.services import Wiring, wiring
from sickbay.network.services_pods import has_status, why_not_ready
from sickbay.network.services_steps import blocks, cannot_tell, passes
from sickbay.network.traffic import Decider, Decision, all_of

_OLD_CLASS: Final = "kubernetes.io/ingress.class"
# The label that the pods of a controller carry, and their namespace where the label alone does not
# tell, by how the controller calls itself.
_CONTROLLERS: Final = {
    "k8s.io/ingress-nginx": ("app.kubernetes.io/name", "ingress-nginx", ""),
    "webapprouting.kubernetes.azure.com/nginx": ("app", "nginx", "app-routing-system"),
    "azure/application-gateway": ("app", "ingress-appgw", ""),
    "azure.alb.networking.azure.io/alb-controller": ("app", "alb-controller", ""),
    "traefik.io/ingress-controller": ("app.kubernetes.io/name", "traefik", ""),
}
_Mark = tuple[str, str, str]


class WebPath(NamedTuple):
    """One host and path, the service that it leads to, and whether that answers.

    An empty host is any host; an empty path is what no other path takes.
    """

    host: str
    path: str
    service: str
    port: int | str | None
    decision: Decision
    wiring: Wiring | None = None


def ingress_paths(snapshot: Snapshot, ingress: Ingress) -> tuple[WebPath, ...]:
    """Every host and path of an ingress, in its order, the default last."""
    before = [step for step in (_of_class(snapshot, ingress), _of_tls(snapshot, ingress)) if step]
    found = []
    for host, path, backend in _backends(ingress):
        found.append(_path(snapshot, ingress, (host, path), backend, before))
    return tuple(found)


def _backends(ingress: Ingress) -> Iterator[tuple[str, str, IngressBackend | None]]:
    for rule in ingress.spec.rules or ():
        for path in (rule.http.paths if rule.http else None) or ():
            yield rule.host or "", path.path or "/", path.backend
    if ingress.spec.default_backend:
        yield "", "", ingress.spec.default_backend


def _path(
    snapshot: Snapshot,
    ingress: Ingress,
    where: tuple[str, str],
    backend: IngressBackend | None,
    before: list[Decision],
) -> WebPath:
    place = f"{where[0] or '*'}{where[1] or '/'}"
    service = backend.service if backend else None
    if service is None or not service.name:
        resource = backend.resource.kind if backend and backend.resource else "nothing"
        gap = Gap(Ingress.kind, f"what answers for {place}", to_open=Ingress.look)
        step = cannot_tell(_by(ingress, f"sends {place} to {resource}, which is no service"), gap)
        return WebPath(*where, "", None, all_of([*before, step]))
    name, port = f"{ingress.namespace}/{service.name}", _port(service)
    found = snapshot.find(kube(Service.kind, ingress.namespace, service.name))
    if not isinstance(found, Service):
        step = _no_service(snapshot, ingress, place, service.name)
        return WebPath(*where, name, port, all_of([*before, step]))
    if port is None:
        step = blocks(_by(ingress, f"sends {place} to service {service.name} without a port"))
        return WebPath(*where, name, None, all_of([*before, step]))
    behind = wiring(snapshot, found, port)
    step = passes(_by(ingress, f"sends {place} to service {service.name}, port {port}"))
    return WebPath(*where, name, port, all_of([*before, step, behind.decision]), behind)


def _port(service: IngressService) -> int | str | None:
    return (service.port.number or service.port.name) if service.port else None


def _no_service(snapshot: Snapshot, ingress: Ingress, place: str, name: str) -> Decision:
    if snapshot.has_seen(Service.kind, ingress.namespace):
        return blocks(_by(ingress, f"sends {place} to service {name}, which does not exist"))
    gap = Gap(Service.kind, f"service {ingress.namespace}/{name}", to_open=Service.look)
    return cannot_tell(_by(ingress, f"sends {place} to service {name}, which was not read"), gap)


def _of_class(snapshot: Snapshot, ingress: Ingress) -> Decision | None:
    """The class, and what runs for it. A class in an annotation needs no object."""
    status = ingress.status.load_balancer
    is_served = bool(status and status.ingress)
    name = ingress.spec.ingress_class_name
    if not name and ingress.annotations.get(_OLD_CLASS):
        return passes(_by(ingress, f"is of class {ingress.annotations[_OLD_CLASS]}"))
    if not name:
        return _of_default(snapshot, ingress, is_served=is_served)
    found = snapshot.find(kube(IngressClass.kind, "", name))
    if isinstance(found, IngressClass):
        return _of_controller(snapshot, found)
    if snapshot.has_seen(IngressClass.kind):
        return blocks(_by(ingress, f"is of class {name}, which does not exist"))
    if is_served:
        return passes(_by(ingress, f"is of class {name} and was given an address"))
    gap = Gap(IngressClass.kind, f"class {name}", to_open=IngressClass.look)
    return cannot_tell(_by(ingress, f"is of class {name}, which was not read"), gap)


def _of_default(snapshot: Snapshot, ingress: Ingress, *, is_served: bool) -> Decision | None:
    classes = snapshot.some(IngressClass) if snapshot.holds(IngressClass.kind) else ()
    default = sorted((one for one in classes if one.is_default), key=lambda one: one.name)
    if default:
        return _of_controller(snapshot, default[0])
    if is_served:
        return passes(_by(ingress, "has no class, and was given an address"))
    gap = Gap(IngressClass.kind, "which class is the default", to_open=IngressClass.look)
    return cannot_tell(_by(ingress, "has no class, and none is known to be the default"), gap)


def _of_controller(snapshot: Snapshot, found: IngressClass) -> Decision:
    controller = found.spec.controller or ""
    decider = Decider(IngressClass.kind, found.name, f"is served by {controller}", found.ref)
    mark = next((mark for name, mark in _CONTROLLERS.items() if controller.startswith(name)), None)
    pods = snapshot.once(_controller_pods).get(mark, []) if mark else []
    if mark is None or any(pod.is_ready or not has_status(pod) for pod in pods):
        return passes(decider)
    if pods:
        pod = pods[0]
        says = f"serves ingresses of class {found.name} and is not ready: {why_not_ready(pod)}"
        return blocks(Decider(Pod.kind, f"{pod.namespace}/{pod.name}", says, pod.ref))
    if not snapshot.has_seen(Pod.kind, mark[2]):
        return passes(decider)
    says = f"is served by {controller}, of which no pod runs"
    return blocks(Decider(IngressClass.kind, found.name, says, found.ref))


def _controller_pods(snapshot: Snapshot) -> dict[_Mark, list[Pod]]:
    """The pods of each known controller; asked of all pods once."""
    found: dict[_Mark, list[Pod]] = {}
    for pod in snapshot.some(Pod) if snapshot.holds(Pod.kind) else ():
        for mark in _CONTROLLERS.values():
            if _is_of(pod, mark):
                found.setdefault(mark, []).append(pod)
    return {mark: sorted(pods, key=lambda pod: pod.ref) for mark, pods in found.items()}


def _is_of(pod: Pod, mark: _Mark) -> bool:
    key, value, namespace = mark
    if pod.labels.get(key) != value or pod.status.phase == "Succeeded":
        return False
    # The jobs that make its certificates carry the same name.
    is_job = pod.labels.get("app.kubernetes.io/component") == "admission-webhook"
    return not is_job and namespace in ("", pod.namespace)


def _of_tls(snapshot: Snapshot, ingress: Ingress) -> Decision | None:
    """A certificate that is missing lets traffic pass, with one that no client trusts."""
    for tls in ingress.spec.tls or ():
        name = tls.secret_name
        if not name or not snapshot.has_seen("Secret", ingress.namespace):
            continue
        if snapshot.find(kube("Secret", ingress.namespace, name)) is None:
            says = f"names the TLS secret {name}, which does not exist: clients get another one"
            host = next(iter(tls.hosts or ()), "<host>")
            look = f"openssl s_client -connect {host}:443 -servername {host}"
            gap = Gap("Secret", f"the certificate that is shown for {host}", to_open=look)
            return passes(_by(ingress, says), gap)
    return None


def _by(ingress: Ingress, says: str) -> Decider:
    return Decider(Ingress.kind, f"{ingress.namespace}/{ingress.name}", says, ingress.ref)

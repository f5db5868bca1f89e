from collections.abc import Iterator

from sickbay.model.service_parts import IngressBackend
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

_CLASS = "kubernetes.io/ingress.class"
# With these an ingress shares a host on purpose.
_SHARES = ("canary", "mergeable-ingress-type", "group.name")
_Route = tuple[str, str, str]


def _by_route(snapshot: Snapshot) -> dict[_Route, list[tuple[Ingress, str]]]:
    """Who serves each class, host and path, and from where, the oldest first."""
    found: dict[_Route, list[tuple[Ingress, str]]] = {}
    born = sorted(
        snapshot.some(Ingress), key=lambda one: (one.metadata.creation_timestamp or "", one.ref.id)
    )
    for ingress in born:
        for route, backend in _routes(ingress):
            found.setdefault(route, []).append((ingress, backend))
    return found


def _routes(ingress: Ingress) -> Iterator[tuple[_Route, str]]:
    if any(word in key for key in ingress.annotations for word in _SHARES):
        return
    named = ingress.spec.ingress_class_name or ingress.annotations.get(_CLASS, "")
    for rule in ingress.spec.rules or ():
        for path in (rule.http.paths if rule.http else None) or ():
            if path.backend and path.backend.service:
                where = _named(ingress, path.backend)
                yield (named, rule.host or "*", path.path or "/"), where


def _named(ingress: Ingress, backend: IngressBackend) -> str:
    service = backend.service
    port = service.port if service else None
    ending = (port.name or port.number) if port else ""
    return f"{ingress.namespace}/{service.name if service else ''}:{ending}"


@each(Ingress, TYPICAL)
def shares_a_route(ingress: Ingress, snapshot: Snapshot) -> Match | Clear | None:
    """Asked of the later of two, which gets no traffic."""
    served = snapshot.once(_by_route)
    for route, backend in _routes(ingress):
        first, where = served[route][0]
        if first.ref == ingress.ref or where == backend:
            continue
        _, host, path = route
        return Match(
            f"{ingress.namespace}/{ingress.name} sends {host}{path} to {backend}, and the older ingress {first.namespace}/{first.name} sends it to {where}",
            facts={"host": host, "path": path, "ingress": f"{first.namespace}/{first.name}"},
            cites=(ingress.cite("spec.rules", host), first.cite("spec.rules", host)),
        )
    return Clear(f"no older ingress has a route of {ingress.namespace}/{ingress.name}")


RULE = Rule(
    title="Host and path of an ingress are already served by another ingress",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        shares_a_route,
        Signature(
            pattern=r"All hosts are taken by other resources|host \"?(?P<host>[\w.*-]+)\"? and path \"?(?P<path>[^ \"]{1,200})\"? is already defined in ingress (?P<ingress>[\w./-]+)",
            says="{host}{path} is already defined in {ingress}",
            sample='admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: host "shop.example.com" and path "/" is already defined in ingress shop/other',
            near_miss='host "shop.example.com" and path "/" was added',
        ),
    ),
    why="The ingress controller takes each pair of host and path once. Another ingress, often in another namespace or left by an earlier release, has it, and the later one is refused, or gets no traffic.",
    remedy=(
        Step(
            "List the ingresses with their hosts.",
            run=(
                "kubectl",
                "get",
                "ingress",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the other one, or choose another host or path.",
            verify="the ingress is admitted",
        ),
    ),
    leads_to=("kubernetes.webhook_denied",),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl get ingress -A",
)

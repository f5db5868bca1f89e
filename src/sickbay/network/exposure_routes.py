"""Where a route of the Gateway API leads: its gateway, its listeners, and the services behind."""

from collections.abc import Iterator
from typing import Final

from sickbay.model.evidence import Gap
from sickbay.model.exposure import Gateway, GatewayRoute, IstioGateway, ReferenceGrant
from sickbay.model.gateway_parts import BackendRef, Listener, ParentRef, RouteRule
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Condition, condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure_ingress import WebPath
from sickbay.network.services import wiring
from sickbay.network.services_steps import blocks, cannot_tell, passes
from sickbay.network.traffic import Decider, Decision, all_of

_REDIRECT: Final = "RequestRedirect"


def route_paths(snapshot: Snapshot, route: GatewayRoute) -> tuple[WebPath, ...]:
    """Every host and path of a route with each of its backends, in its order."""
    attached = _attached(snapshot, route)
    found: list[WebPath] = []
    for rule in route.spec.rules or ():
        for host in route.spec.hostnames or [""]:
            for path in _paths(rule):
                found += _of_rule(snapshot, route, rule, (host, path), attached)
    return tuple(found)


def _paths(rule: RouteRule) -> list[str]:
    values = [match.path.value or "/" for match in rule.matches or () if match.path]
    return list(dict.fromkeys(values)) or ["/"]


def _of_rule(
    snapshot: Snapshot,
    route: GatewayRoute,
    rule: RouteRule,
    where: tuple[str, str],
    attached: Decision,
) -> Iterator[WebPath]:
    place = f"{where[0] or '*'}{where[1]}"
    backends = [one for one in rule.backend_refs or () if one.weight != 0]
    if not backends:
        is_redirect = any(one.type == _REDIRECT for one in rule.filters or ())
        says = f"redirects {place}" if is_redirect else f"has no backend for {place}"
        step = passes(_by(route, says)) if is_redirect else blocks(_by(route, says))
        yield WebPath(*where, "", None, all_of([attached, step]))
    for backend in backends:
        yield _of_backend(snapshot, route, backend, where, attached)


def _of_backend(
    snapshot: Snapshot,
    route: GatewayRoute,
    backend: BackendRef,
    where: tuple[str, str],
    attached: Decision,
) -> WebPath:
    place = f"{where[0] or '*'}{where[1]}"
    namespace = backend.namespace or route.namespace
    name = f"{namespace}/{backend.name}"
    before = [attached, *_granted(snapshot, route, backend, namespace)]
    found = snapshot.find(kube(Service.kind, namespace, backend.name))
    if (backend.kind or Service.kind) != Service.kind:
        gap = Gap(backend.kind or "", f"{backend.kind} {name}", to_open="")
        step = cannot_tell(_by(route, f"sends {place} to {backend.kind} {name}"), gap)
    elif not isinstance(found, Service):
        step = _no_service(snapshot, route, place, namespace, backend.name)
    elif backend.port is None:
        step = blocks(_by(route, f"sends {place} to service {name} without a port"))
    else:
        behind = wiring(snapshot, found, backend.port)
        step = passes(_by(route, f"sends {place} to service {name}, port {backend.port}"))
        decision = all_of([*before, step, behind.decision])
        return WebPath(*where, name, backend.port, decision, behind)
    return WebPath(*where, name, backend.port, all_of([*before, step]))


def _no_service(
    snapshot: Snapshot, route: GatewayRoute, place: str, namespace: str, name: str
) -> Decision:
    if snapshot.has_seen(Service.kind, namespace):
        says = f"sends {place} to service {namespace}/{name}, which does not exist"
        return blocks(_by(route, says))
    gap = Gap(Service.kind, f"service {namespace}/{name}", to_open=Service.look)
    return cannot_tell(_by(route, f"sends {place} to {namespace}/{name}, which was not read"), gap)


def _granted(
    snapshot: Snapshot, route: GatewayRoute, backend: BackendRef, namespace: str
) -> Iterator[Decision]:
    """A service of another namespace must be granted to the route by that namespace."""
    if namespace == route.namespace:
        return
    grants = sorted(snapshot.in_namespace(ReferenceGrant, namespace), key=lambda one: one.name)
    for grant in grants:
        if _allows(grant, route, backend):
            name = f"{grant.namespace}/{grant.name}"
            says = f"lets {route.kind} of {route.namespace} use {backend.name}"
            yield passes(Decider(ReferenceGrant.kind, name, says, grant.ref))
            return
    says = f"uses {namespace}/{backend.name}, which no ReferenceGrant of {namespace} allows"
    if snapshot.has_seen(ReferenceGrant.kind, namespace):
        yield blocks(_by(route, says))
    else:
        what = f"the grants of {namespace}"
        gap = Gap(ReferenceGrant.kind, what, to_open=ReferenceGrant.look)
        yield cannot_tell(_by(route, says), gap)


def _allows(grant: ReferenceGrant, route: GatewayRoute, backend: BackendRef) -> bool:
    is_from = any(
        one.kind == route.kind and one.namespace == route.namespace
        for one in grant.spec.from_ or ()
    )
    return is_from and any(
        one.kind == (backend.kind or Service.kind) and one.name in (None, "", backend.name)
        for one in grant.spec.to or ()
    )


def _attached(snapshot: Snapshot, route: GatewayRoute) -> Decision:
    """Whether a gateway takes the route: one of its parents is enough."""
    parents = [one for one in route.spec.parent_refs or () if (one.kind or "Gateway") == "Gateway"]
    found = [_of_parent(snapshot, route, parent) for parent in parents]
    if not found:
        if route.spec.parent_refs:
            return passes(_by(route, "belongs to a mesh"))
        return blocks(_by(route, "names no gateway that it belongs to"))
    return next((one for one in found if one.passes), found[0])


def _of_parent(snapshot: Snapshot, route: GatewayRoute, parent: ParentRef) -> Decision:
    namespace = parent.namespace or route.namespace
    gateway = snapshot.find(kube(Gateway.kind, namespace, parent.name))
    if not isinstance(gateway, Gateway):
        return _no_gateway(snapshot, route, namespace, parent.name)
    steps = (
        _of_gateway(gateway),
        _of_listener(gateway, route, parent),
        _of_status(route, parent),
    )
    return all_of([step for step in steps if step])


def _no_gateway(snapshot: Snapshot, route: GatewayRoute, namespace: str, name: str) -> Decision:
    # A list of gateways may be of Istio's, which have the same kind.
    is_told = snapshot.holds(Gateway.kind) or not snapshot.holds(IstioGateway.kind)
    if snapshot.has_seen(Gateway.kind, namespace) and is_told:
        says = f"belongs to gateway {namespace}/{name}, which does not exist"
        return blocks(_by(route, says))
    gap = Gap(Gateway.kind, f"gateway {namespace}/{name}", to_open=Gateway.look)
    return cannot_tell(_by(route, f"belongs to {namespace}/{name}, which was not read"), gap)


def _of_gateway(gateway: Gateway) -> Decision:
    name = f"{gateway.namespace}/{gateway.name}"
    for type in ("Accepted", "Programmed"):
        condition = gateway.condition(type)
        if condition and condition.status == "False":
            says = f"is not {type.lower()}: {_reason(condition)}"
            return blocks(Decider(Gateway.kind, name, says, gateway.ref))
    is_told = gateway.condition("Programmed") is not None
    says = "is programmed" if is_told else "does not tell whether it is programmed"
    return passes(Decider(Gateway.kind, name, says, gateway.ref))


def _of_listener(gateway: Gateway, route: GatewayRoute, parent: ParentRef) -> Decision | None:
    """Whether a listener that the route may use is there, and open to it."""
    name = f"{gateway.namespace}/{gateway.name}"
    meant = [
        one
        for one in gateway.spec.listeners or ()
        if parent.section_name in (None, "", one.name) and parent.port in (None, one.port)
    ]
    if not meant:
        says = f"has no listener {parent.section_name or parent.port or ''}".rstrip()
        return blocks(Decider(Gateway.kind, name, says, gateway.ref))
    why = [_why_not(gateway, one, route) for one in meant]
    if all(why):
        says = f"has listener {meant[0].name}, which {why[0]}"
        return blocks(Decider(Gateway.kind, name, says, gateway.ref))
    return None


def _why_not(gateway: Gateway, listener: Listener, route: GatewayRoute) -> str:
    """Why a listener does not serve a route, or an empty string."""
    allowed = listener.allowed_routes
    source = (allowed and allowed.namespaces and allowed.namespaces.from_) or "Same"
    if source == "Same" and route.namespace != gateway.namespace:
        return f"takes routes of {gateway.namespace} only"
    hosts = route.spec.hostnames or ()
    if listener.hostname and hosts and not any(_meet(listener.hostname, one) for one in hosts):
        return f"serves {listener.hostname}, and the route {', '.join(hosts)}"
    for status in gateway.status.listeners or ():
        programmed = condition_of(status.conditions, "Programmed")
        if status.name == listener.name and programmed and programmed.status == "False":
            return f"is not programmed: {_reason(programmed)}"
    return ""


def _meet(one: str, other: str) -> bool:
    """Whether two names of hosts, with or without a star, have a host in common."""
    left, right = one.casefold(), other.casefold()
    if left == right:
        return True
    if left.startswith("*.") and right.endswith(left[1:]):
        return True
    return right.startswith("*.") and left.endswith(right[1:])


def _of_status(route: GatewayRoute, parent: ParentRef) -> Decision:
    """What the controller of the gateway says of the route."""
    for status in route.status.parents or ():
        ref = status.parent_ref
        if ref is None or ref.name != parent.name or ref.section_name != parent.section_name:
            continue
        for type in ("Accepted", "ResolvedRefs"):
            condition = condition_of(status.conditions, type)
            if condition and condition.status == "False":
                what = "is not accepted" if type == "Accepted" else "has references that fail"
                return blocks(_by(route, f"{what}: {_reason(condition)}"))
        return passes(_by(route, f"is accepted by gateway {parent.name}"))
    what = f"whether gateway {parent.name} takes {route.namespace}/{route.name}"
    gap = Gap(route.kind, what, to_open=route.look)
    return cannot_tell(_by(route, f"has no word of gateway {parent.name} in its status"), gap)


def _reason(condition: Condition) -> str:
    return ": ".join(part for part in (condition.reason, condition.message) if part) or "no reason"


def _by(route: GatewayRoute, says: str) -> Decider:
    return Decider(route.kind, f"{route.namespace}/{route.name}", says, route.ref)

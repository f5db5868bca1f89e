"""The parts of gateways, routes and grants of the Gateway API."""

from sickbay.model.entity import Shape
from sickbay.model.kubernetes import Condition


class GatewayClassSpec(Shape, frozen=True, gc=False):
    controller_name: str | None = None


class StatusConditions(Shape, frozen=True, gc=False):
    conditions: list[Condition] | None = None


class AllowedNamespaces(Shape, frozen=True, gc=False):
    from_: str | None = None


class AllowedRoutes(Shape, frozen=True, gc=False):
    namespaces: AllowedNamespaces | None = None


class Listener(Shape, frozen=True, gc=False):
    name: str = ""
    port: int | None = None
    protocol: str | None = None
    hostname: str | None = None
    allowed_routes: AllowedRoutes | None = None


class GatewaySpec(Shape, frozen=True, gc=False):
    gateway_class_name: str | None = None
    listeners: list[Listener] | None = None


class ListenerStatus(Shape, frozen=True, gc=False):
    name: str = ""
    attached_routes: int | None = None
    conditions: list[Condition] | None = None


class GatewayStatus(Shape, frozen=True, gc=False):
    conditions: list[Condition] | None = None
    listeners: list[ListenerStatus] | None = None


class ParentRef(Shape, frozen=True, gc=False):
    group: str | None = None
    kind: str | None = None
    namespace: str | None = None
    name: str = ""
    section_name: str | None = None
    port: int | None = None


class BackendRef(Shape, frozen=True, gc=False):
    group: str | None = None
    kind: str | None = None
    namespace: str | None = None
    name: str = ""
    port: int | None = None
    weight: int | None = None


class PathMatch(Shape, frozen=True, gc=False):
    type: str | None = None
    value: str | None = None


class RouteMatch(Shape, frozen=True, gc=False):
    # GRPC routes match a method in an object, HTTP routes a path.
    path: PathMatch | None = None


class RouteFilter(Shape, frozen=True, gc=False):
    type: str | None = None


class RouteRule(Shape, frozen=True, gc=False):
    matches: list[RouteMatch] | None = None
    filters: list[RouteFilter] | None = None
    backend_refs: list[BackendRef] | None = None


class RouteSpec(Shape, frozen=True, gc=False):
    parent_refs: list[ParentRef] | None = None
    hostnames: list[str] | None = None
    rules: list[RouteRule] | None = None


class RouteParentStatus(Shape, frozen=True, gc=False):
    parent_ref: ParentRef | None = None
    conditions: list[Condition] | None = None


class RouteStatus(Shape, frozen=True, gc=False):
    parents: list[RouteParentStatus] | None = None


class GrantFrom(Shape, frozen=True, gc=False):
    group: str | None = None
    kind: str | None = None
    namespace: str | None = None


class GrantTo(Shape, frozen=True, gc=False):
    group: str | None = None
    kind: str | None = None
    name: str | None = None


class GrantSpec(Shape, frozen=True, gc=False):
    from_: list[GrantFrom] | None = None
    to: list[GrantTo] | None = None

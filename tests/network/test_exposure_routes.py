"""Hosts and paths of routes of the Gateway API, to the service that answers."""

from typing import Any

import pytest
from services_kit import (  # type: ignore[import-not-found]
    endpoint,
    object_of,
    pod,
    seen,
    service,
    slices,
)

from sickbay.model.exposure import Gateway, HTTPRoute, IstioGateway
from sickbay.model.snapshot import Snapshot
from sickbay.network.exposure import WebPath, route_paths

KINDS = ("Pod", "Service", "EndpointSlice", "Gateway", "ReferenceGrant")
BEHIND = (service(), pod(), slices(endpoint()))
API = "gateway.networking.k8s.io/v1"


def judged(path: WebPath) -> tuple[str, str, str]:
    by = path.decision.by[-1]
    return str(path.decision.verdict), f"{by.kind} {by.name}", by.says


def condition(type: str, status: str = "True", message: str = "") -> dict[str, str]:
    return {"type": type, "status": status, "reason": "Because", "message": message}


def gateway(*conditions: dict[str, str], **listener: Any) -> dict[str, Any]:
    listeners = [{"name": "http", "port": 80, "protocol": "HTTP", **listener}]
    status = {"conditions": list(conditions) or [condition("Programmed")]}
    made: dict[str, Any] = object_of(
        API, "Gateway", "edge", "shop", spec={"listeners": listeners}, status=status
    )
    return made


def route(*conditions: dict[str, str], **spec: Any) -> dict[str, Any]:
    parent = {"name": "edge", **spec.pop("parent", {})}
    rules = [{"backendRefs": [{"name": "web", "port": 80}]}]
    full = {"parentRefs": [parent], "hostnames": ["shop.contoso.com"], "rules": rules, **spec}
    said = list(conditions) or [condition("Accepted"), condition("ResolvedRefs")]
    status = {"parents": [{"parentRef": parent, "conditions": said}]}
    made: dict[str, Any] = object_of(API, "HTTPRoute", "web", "shop", spec=full, status=status)
    return made


def routed(*documents: dict[str, Any], only: tuple[Any, ...] = KINDS) -> tuple[WebPath, ...]:
    snapshot: Snapshot = seen(*documents, only=only)
    (found,) = snapshot.some(HTTPRoute)
    return route_paths(snapshot, found)


def test_a_healthy_route_leads_to_the_pods() -> None:
    (path,) = routed(route(), gateway(), *BEHIND)
    assert (path.host, path.path, path.service, path.port) == (
        "shop.contoso.com",
        "/",
        "shop/web",
        80,
    )
    assert path.decision.verdict == "allowed"


@pytest.mark.parametrize(
    ("documents", "who", "says"),
    [
        ([route()], "HTTPRoute shop/web", "belongs to gateway shop/edge, which does not exist"),
        (
            [route(), gateway(condition("Programmed", "False", "no address"))],
            "Gateway shop/edge",
            "is not programmed: Because: no address",
        ),
        (
            [route(condition("Accepted", "False", "no match")), gateway()],
            "HTTPRoute shop/web",
            "is not accepted: Because: no match",
        ),
        (
            [route(condition("ResolvedRefs", "False", "gone")), gateway()],
            "HTTPRoute shop/web",
            "has references that fail: Because: gone",
        ),
        (
            [route(parent={"sectionName": "https"}), gateway()],
            "Gateway shop/edge",
            "has no listener https",
        ),
        (
            [route(), gateway(hostname="*.example.com")],
            "Gateway shop/edge",
            "has listener http, which serves *.example.com, and the route shop.contoso.com",
        ),
        (
            [route(parentRefs=[]), gateway()],
            "HTTPRoute shop/web",
            "names no gateway that it belongs to",
        ),
        (
            [route(rules=[{"backendRefs": []}]), gateway()],
            "HTTPRoute shop/web",
            "has no backend for shop.contoso.com/",
        ),
        (
            [route(rules=[{"backendRefs": [{"name": "gone", "port": 80}]}]), gateway()],
            "HTTPRoute shop/web",
            "sends shop.contoso.com/ to service shop/gone, which does not exist",
        ),
        (
            [route(rules=[{"backendRefs": [{"name": "web", "port": 81}]}]), gateway()],
            "Service shop/web",
            "has no TCP port 81, only 80 to 8080",
        ),
    ],
)
def test_a_route_that_fails_names_who_decides(
    documents: list[dict[str, Any]], who: str, says: str
) -> None:
    (path,) = routed(*documents, *BEHIND)
    assert judged(path) == ("blocked", who, says)


def test_a_listener_serves_its_own_namespace_unless_it_says_more() -> None:
    away = {**gateway(), "metadata": {"name": "edge", "namespace": "infra"}}
    far = route(parent={"namespace": "infra"})
    (path,) = routed(far, away, *BEHIND)
    assert judged(path)[2] == "has listener http, which takes routes of infra only"
    away["spec"]["listeners"][0]["allowedRoutes"] = {"namespaces": {"from": "All"}}
    (path,) = routed(far, away, *BEHIND)
    assert path.decision.verdict == "allowed"


def test_a_redirect_needs_no_backend() -> None:
    rules = [{"filters": [{"type": "RequestRedirect"}]}]
    (path,) = routed(route(rules=rules), gateway(), *BEHIND)
    assert path.decision.verdict == "allowed"


def test_a_route_without_a_word_of_its_gateway_is_open() -> None:
    manifest = route()
    del manifest["status"]
    (path,) = routed(manifest, gateway(), *BEHIND)
    assert path.decision.verdict == "unknown"


def grant(kind: str = "HTTPRoute", name: str | None = None) -> dict[str, Any]:
    to = {"group": "", "kind": "Service", **({"name": name} if name else {})}
    spec = {"from": [{"group": API, "kind": kind, "namespace": "shop"}], "to": [to]}
    made: dict[str, Any] = object_of(f"{API}beta1", "ReferenceGrant", "g", "data", spec=spec)
    return made


@pytest.mark.parametrize(
    ("grants", "kinds", "verdict"),
    [
        ([grant()], KINDS, "allowed"),
        ([grant(name="db")], KINDS, "allowed"),
        ([grant(name="other")], KINDS, "blocked"),
        ([grant(kind="GRPCRoute")], KINDS, "blocked"),
        ([], KINDS, "blocked"),
        ([], KINDS[:-1], "unknown"),
    ],
)
def test_a_service_of_another_namespace_must_be_granted(
    grants: list[dict[str, Any]], kinds: tuple[str, ...], verdict: str
) -> None:
    rules = [{"backendRefs": [{"name": "db", "namespace": "data", "port": 80}]}]
    behind = (
        service("db", "data"),
        pod(namespace="data"),
        slices(endpoint(), of="db", **{"in": "data"}),
    )
    (path,) = routed(route(rules=rules), gateway(), *grants, *behind, only=kinds)
    assert path.decision.verdict == verdict


def test_the_gateways_of_istio_are_another_kind() -> None:
    istio = object_of("networking.istio.io/v1", "Gateway", "edge", "shop", spec={})
    snapshot = seen(route(), gateway(), istio)
    assert len(snapshot.some(Gateway)) == len(snapshot.some(IstioGateway)) == 1
    (path,) = routed(route(), istio, *BEHIND)
    assert path.decision.verdict == "unknown"

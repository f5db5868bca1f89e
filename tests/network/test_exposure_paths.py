"""Hosts and paths of ingresses, to the service that answers."""

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

from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress
from sickbay.network.exposure import WebPath, ingress_paths

KINDS = ("Pod", "Service", "EndpointSlice", "IngressClass", "Secret")
BEHIND = (service(), pod(), slices(endpoint()))
NGINX = object_of(
    "networking.k8s.io/v1", "IngressClass", "nginx", spec={"controller": "k8s.io/ingress-nginx"}
)


def controller(**changes: Any) -> dict[str, Any]:
    labels = {"app.kubernetes.io/name": "ingress-nginx"}
    made: dict[str, Any] = pod("nginx-1", "10.244.2.2", "ingress", labels=labels, **changes)
    return made


def ingress(backend: Any = None, **spec: Any) -> dict[str, Any]:
    to = backend or {"service": {"name": "web", "port": {"number": 80}}}
    rules = [{"host": "shop.contoso.com", "http": {"paths": [{"path": "/cart", "backend": to}]}}]
    full = {"ingressClassName": "nginx", "rules": rules, **spec}
    made: dict[str, Any] = object_of("networking.k8s.io/v1", "Ingress", "front", "shop", spec=full)
    return made


def paths_of(
    document: dict[str, Any], *documents: dict[str, Any], only: tuple[Any, ...] = KINDS
) -> tuple[WebPath, ...]:
    snapshot: Snapshot = seen(document, *documents, only=only)
    found = snapshot.find(kube("Ingress", "shop", "front"))
    assert isinstance(found, Ingress)
    return ingress_paths(snapshot, found)


def judged(path: WebPath) -> tuple[str, str, str]:
    by = path.decision.by[-1]
    return str(path.decision.verdict), f"{by.kind} {by.name}", by.says


def test_a_healthy_path_leads_to_the_pods() -> None:
    (path,) = paths_of(ingress(), NGINX, controller(), *BEHIND)
    assert (path.host, path.path, path.service, path.port) == (
        "shop.contoso.com",
        "/cart",
        "shop/web",
        80,
    )
    assert path.decision.verdict == "allowed"
    assert path.wiring is not None
    assert [one.address for one in path.wiring.backends] == ["10.244.1.5"]


def test_a_port_can_be_meant_by_its_name() -> None:
    named = service(ports=[{"name": "http", "port": 80, "targetPort": 8080}])
    to = {"service": {"name": "web", "port": {"name": "http"}}}
    ports = slices(endpoint(), ports=[{"name": "http", "port": 8080}])
    (path,) = paths_of(ingress(to), NGINX, controller(), named, pod(), ports)
    assert path.decision.verdict == "allowed"


def test_the_default_backend_comes_last() -> None:
    default = {"service": {"name": "web", "port": {"number": 80}}}
    found = paths_of(ingress(defaultBackend=default), NGINX, controller(), *BEHIND)
    assert [(path.host, path.path) for path in found] == [("shop.contoso.com", "/cart"), ("", "")]


@pytest.mark.parametrize(
    ("to", "says"),
    [
        (
            {"service": {"name": "gone", "port": {"number": 80}}},
            "sends shop.contoso.com/cart to service gone, which does not exist",
        ),
        (
            {"service": {"name": "web"}},
            "sends shop.contoso.com/cart to service web without a port",
        ),
    ],
)
def test_a_path_to_nothing_blocks(to: dict[str, Any], says: str) -> None:
    (path,) = paths_of(ingress(to), NGINX, controller(), *BEHIND)
    assert judged(path) == ("blocked", "Ingress shop/front", says)


def test_a_port_that_the_service_lacks_blocks() -> None:
    to = {"service": {"name": "web", "port": {"number": 8080}}}
    (path,) = paths_of(ingress(to), NGINX, controller(), *BEHIND)
    assert judged(path)[:2] == ("blocked", "Service shop/web")


def test_a_backend_that_is_no_service_is_open() -> None:
    to = {"resource": {"kind": "StorageBucket", "name": "icons"}}
    (path,) = paths_of(ingress(to), NGINX, controller(), *BEHIND)
    assert path.decision.verdict == "unknown"


def test_a_service_that_was_not_read_is_open() -> None:
    (path,) = paths_of(ingress(), NGINX, controller(), only=("IngressClass", "Pod"))
    assert path.decision.verdict == "unknown"


# The class.


def test_a_class_that_does_not_exist_blocks() -> None:
    (path,) = paths_of(ingress(), *BEHIND)
    assert judged(path) == (
        "blocked",
        "Ingress shop/front",
        "is of class nginx, which does not exist",
    )


def test_a_class_that_was_not_read_is_open_unless_an_address_was_given() -> None:
    kinds = ("Pod", "Service", "EndpointSlice")
    (path,) = paths_of(ingress(), *BEHIND, only=kinds)
    assert path.decision.verdict == "unknown"
    served = {**ingress(), "status": {"loadBalancer": {"ingress": [{"ip": "20.1.2.3"}]}}}
    (path,) = paths_of(served, *BEHIND, only=kinds)
    assert path.decision.verdict == "allowed"


def test_the_default_class_stands_in() -> None:
    default = object_of(
        "networking.k8s.io/v1", "IngressClass", "nginx", spec={"controller": "example.com/x"}
    )
    default["metadata"]["annotations"] = {"ingressclass.kubernetes.io/is-default-class": "true"}
    (path,) = paths_of(ingress(ingressClassName=None), default, *BEHIND)
    assert path.decision.verdict == "allowed"
    (path,) = paths_of(ingress(ingressClassName=None), NGINX, *BEHIND)
    assert path.decision.verdict == "unknown"


def test_a_class_of_the_old_kind_needs_no_object() -> None:
    old = ingress(ingressClassName=None)
    old["metadata"]["annotations"] = {"kubernetes.io/ingress.class": "azure/application-gateway"}
    (path,) = paths_of(old, *BEHIND)
    assert path.decision.verdict == "allowed"


def test_a_controller_that_does_not_run_blocks() -> None:
    (path,) = paths_of(ingress(), NGINX, *BEHIND)
    assert judged(path) == (
        "blocked",
        "IngressClass nginx",
        "is served by k8s.io/ingress-nginx, of which no pod runs",
    )


def test_a_controller_that_is_not_ready_blocks() -> None:
    (path,) = paths_of(ingress(), NGINX, controller(ready=False), *BEHIND)
    assert judged(path)[:2] == ("blocked", "Pod ingress/nginx-1")


def test_a_missing_certificate_is_told_and_lets_pass() -> None:
    tls = [{"hosts": ["shop.contoso.com"], "secretName": "cert"}]
    (path,) = paths_of(ingress(tls=tls), NGINX, controller(), *BEHIND)
    assert path.decision.verdict == "allowed"
    assert [gap.source for gap in path.decision.gaps] == ["Secret"]

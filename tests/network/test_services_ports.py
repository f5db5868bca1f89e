"""The port of a service, the port of the pods, and services that are names."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from services_kit import (  # type: ignore[import-not-found]
    decided,
    endpoint,
    pod,
    said,
    seen,
    service,
    slices,
    wired,
)

DNS = [
    {"name": "dns", "port": 53, "targetPort": 5353, "protocol": "UDP"},
    {"name": "dns-tcp", "port": 53, "targetPort": 5353, "protocol": "TCP"},
]
PODS_ONLY = ("Pod", "Service")


@pytest.mark.parametrize(
    ("port", "protocol", "says"),
    [
        (
            8080,
            "TCP",
            "has no TCP port 8080, only 80 to 8080; 8080 is the target port of its port 80",
        ),
        (
            30080,
            "TCP",
            "has no TCP port 30080, only 80 to 8080; 30080 is the node port of its port 80",
        ),
        (443, "TCP", "has no TCP port 443, only 80 to 8080"),
        ("https", "TCP", "has no TCP port https, only 80 to 8080"),
        (80, "UDP", "has no UDP port 80, only 80 to 8080; its port 80 is for TCP"),
    ],
)
def test_a_port_that_the_service_lacks_blocks(port: int | str, protocol: str, says: str) -> None:
    ports = [{"port": 80, "targetPort": 8080, "nodePort": 30080}]
    found = wired(seen(service(ports=ports), pod(), slices(endpoint())), port, protocol=protocol)
    assert (*decided(found), said(found)) == ("blocked", "Service shop/web", says)


@pytest.mark.parametrize(
    ("port", "protocol"), [(53, "UDP"), (53, "tcp"), ("dns", "UDP"), (None, "UDP")]
)
def test_one_number_can_serve_two_protocols(port: int | str | None, protocol: str) -> None:
    snapshot = seen(service(ports=DNS), pod(), only=PODS_ONLY)
    found = wired(snapshot, port, protocol=protocol)
    assert found.decision.verdict == "allowed"
    assert {backend.port for backend in found.backends} == {5353}


def test_without_a_port_the_first_that_works_is_followed() -> None:
    ports = [{"name": "a", "port": 1, "targetPort": "nowhere"}, {"name": "b", "port": 2}]
    found = wired(seen(service(ports=ports), pod(), only=PODS_ONLY), None)
    assert found.decision.verdict == "allowed"
    assert {backend.port for backend in found.backends} == {2}


def test_a_target_port_is_the_port_where_none_is_given() -> None:
    found = wired(seen(service(ports=[{"port": 80}]), pod(ports=[]), only=PODS_ONLY))
    assert {backend.port for backend in found.backends} == {80}


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ([{"containerPort": 8080, "name": "web"}], "; they declare 8080 (web)"),
        ([], "; they declare none"),
        (
            [{"containerPort": 8080, "name": "http", "protocol": "UDP"}],
            " for TCP, only for UDP; they declare 8080/UDP (http)",
        ),
    ],
)
@pytest.mark.parametrize("kinds", [PODS_ONLY, (*PODS_ONLY, "EndpointSlice")])
def test_a_named_target_port_that_no_pod_has_blocks(
    declared: list[dict[str, object]], why: str, kinds: tuple[str, ...]
) -> None:
    ports = [{"port": 80, "targetPort": "http"}]
    found = wired(seen(service(ports=ports), pod(ports=declared), only=kinds))
    assert decided(found) == ("blocked", "Service shop/web")
    assert said(found) == f"leads to a port named http, which its pods do not have{why}"


def test_a_name_is_resolved_by_each_pod() -> None:
    ports = [{"port": 80, "targetPort": "http"}]
    other = pod("web-2", "10.244.1.6", ports=[{"containerPort": 9090, "name": "http"}])
    without = pod("web-3", "10.244.1.7", ports=[])
    found = wired(seen(service(ports=ports), pod(), other, without, only=PODS_ONLY))
    assert [(one.address, one.port) for one in found.backends] == [
        ("10.244.1.5", 8080),
        ("10.244.1.6", 9090),
    ]
    assert found.steps[-1].says == "leads to a port named http, which web-3 does not have"


def test_a_sidecar_can_have_the_port() -> None:
    sidecar = {
        "name": "proxy",
        "restartPolicy": "Always",
        "ports": [{"containerPort": 1, "name": "p"}],
    }
    ports = [{"port": 80, "targetPort": "p"}]
    snapshot = seen(service(ports=ports), pod(spec={"initContainers": [sidecar]}), only=PODS_ONLY)
    assert wired(snapshot).decision.verdict == "allowed"


def test_a_slice_without_the_port_blocks_where_pods_were_not_read() -> None:
    ports = [{"port": 80, "name": "a", "targetPort": "http"}]
    only = slices(endpoint(), ports=[{"name": "b", "port": 1}])
    found = wired(seen(service(ports=ports), only, only=("Service", "EndpointSlice")))
    assert decided(found) == ("blocked", "EndpointSlice shop/web-abc")
    assert said(found) == "publishes no port for http, the target port of the service"


def test_an_undeclared_number_is_a_question_and_no_block() -> None:
    snapshot = seen(service(), pod(ports=[{"containerPort": 3000}]), slices(endpoint()))
    found = wired(snapshot)
    assert found.decision.verdict == "allowed"
    (gap,) = found.decision.gaps
    assert gap.what == "whether shop/web-1 listens on TCP 8080: it declares 3000"
    assert gap.to_open == "kubectl port-forward pod/web-1 -n shop 8080:8080"


def test_a_pod_that_declares_nothing_raises_no_question() -> None:
    assert not wired(seen(service(), pod(ports=[]), slices(endpoint()))).decision.gaps


def test_a_service_whose_ports_are_not_told_is_open() -> None:
    assert wired(seen(service(ports=None), pod(), only=PODS_ONLY)).decision.verdict == "unknown"


# Headless.


def test_a_headless_service_translates_no_port() -> None:
    found = wired(seen(service(clusterIP="None"), pod(), slices(endpoint())))
    assert [(one.address, one.port) for one in found.backends] == [("10.244.1.5", 80)]
    assert "port 80 of the service leads to 8080 only in SRV records" in found.steps[4].says


def test_a_headless_service_needs_no_ports() -> None:
    headless = service(clusterIP="None", ports=None)
    found = wired(seen(headless, pod(), slices(endpoint(), ports=[])), 9000)
    assert found.decision.verdict == "allowed"
    assert [one.port for one in found.backends] == [9000]


def test_a_headless_service_without_pods_answers_nothing() -> None:
    assert decided(wired(seen(service(clusterIP="None")))) == ("blocked", "Service shop/web")


# Names.


def named(target: str, name: str = "web", namespace: str = "shop") -> dict[str, Any]:
    spec = {"type": "ExternalName", "externalName": target, "clusterIP": None, "ports": None}
    return service(name, namespace, **spec, selector=None)  # type: ignore[no-any-return]


def test_a_name_outside_is_the_backend() -> None:
    found = wired(seen(named("db.contoso.com")), 5432)
    assert decided(found) == ("allowed", "Service shop/web")
    assert [(one.pod, one.address, one.port) for one in found.backends] == [
        (None, "db.contoso.com", 5432)
    ]


def test_a_name_of_another_service_leads_to_its_pods() -> None:
    snapshot = seen(
        named("web.shop.svc.cluster.local", "alias", "stage"), service(), pod(), slices(endpoint())
    )
    found = wired(snapshot, name="alias", namespace="stage")
    assert found.decision.verdict == "allowed"
    assert [one.address for one in found.backends] == ["10.244.1.5"]
    assert found.steps[0].name == "stage/alias"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("web.shop.svc.cluster.local", "which leads back to it"),
        ("gone.shop.svc.cluster.local", "a service that does not exist"),
        ("gone.shop.svc", "a service that does not exist"),
        ("10.1.2.3", "an address: DNS hands it out as a name"),
        ("", "is a name for nothing"),
    ],
)
def test_a_name_for_nothing_blocks(target: str, says: str) -> None:
    found = wired(seen(named(target)))
    assert decided(found) == ("blocked", "Service shop/web")
    assert says in said(found)


def test_two_names_that_point_at_each_other_go_round() -> None:
    there = named("web.shop.svc.cluster.local", "alias")
    found = wired(seen(named("alias.shop.svc.cluster.local"), there))
    assert "the names go round in a circle" in said(found)


def test_a_name_of_a_service_that_was_not_read_is_open() -> None:
    found = wired(seen(named("db.data.svc.cluster.local"), only=()))
    assert found.decision.verdict == "unknown"


# Whatever the documents hold.

WORDS = st.one_of(st.none(), st.integers(-1, 70000), st.text(max_size=5), st.just("http"))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.fixed_dictionaries({"port": WORDS, "targetPort": WORDS, "name": WORDS})), WORDS)
def test_no_document_makes_it_fail(ports: list[dict[str, object]], asked: int | str | None) -> None:
    found = wired(seen(service(ports=ports), pod(), slices(endpoint())), asked)
    assert found.decision.by

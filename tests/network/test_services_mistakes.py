"""Selectors that pick no pod: which of them were meant for pods that are there."""

import pytest
from services_kit import (  # type: ignore[import-not-found]
    object_of,
    pod,
    seen,
    service,
    service_in,
)

from sickbay.network.services_mistakes import Miss, is_relied_on, miss


def missed(selector: dict[str, str], labels: dict[str, str]) -> Miss:
    snapshot = seen(service("front", selector=selector), pod(labels=labels))
    return miss(snapshot, service_in(snapshot, "front"))


def test_pods_that_bear_the_name_of_a_service_were_meant() -> None:
    snapshot = seen(service("web", selector={"app": "payment"}), pod(labels={"app": "web"}))
    assert miss(snapshot, service_in(snapshot)).is_mistake


@pytest.mark.parametrize(
    ("selector", "labels", "patch"),
    [
        ({"app": "weeb"}, {"app": "web"}, '{"app":"web"}'),
        ({"app": "web", "tier": "front"}, {"app": "web"}, '{"app":"web","tier":null}'),
        (
            {"app.kubernetes.io/name": "web"},
            {"app": "web"},
            '{"app":"web","app.kubernetes.io/name":null}',
        ),
    ],
)
def test_a_mistake_comes_with_the_selector_that_was_meant(
    selector: dict[str, str], labels: dict[str, str], patch: str
) -> None:
    found = missed(selector, labels)
    assert found == Miss(is_mistake=True, patch=f'{{"spec":{{"selector":{patch}}}}}')


@pytest.mark.parametrize(
    ("selector", "labels"),
    [
        ({"app": "payment"}, {"app": "web"}),
        ({"app": "beta", "tier": "web"}, {"app": "web"}),
        ({"app": "web", "component": "cache"}, {"app": "web", "component": "server"}),
    ],
)
def test_a_service_for_something_else_is_no_mistake(
    selector: dict[str, str], labels: dict[str, str]
) -> None:
    assert missed(selector, labels) == Miss()


@pytest.mark.parametrize("key", ["role", "spilo-role", "statefulset.kubernetes.io/pod-name"])
def test_a_label_that_moves_between_pods_is_no_mistake(key: str) -> None:
    assert missed({"app": "db", key: "replica"}, {"app": "db", key: "main"}).moving == (key,)


def test_pods_that_another_service_picks_were_not_meant() -> None:
    other = service("web-v1", selector={"app": "web-v1"})
    snapshot = seen(service(selector={"app": "web-v2"}), other, pod(labels={"app": "web-v1"}))
    assert miss(snapshot, service_in(snapshot)) == Miss()


def test_an_ingress_relies_on_its_services() -> None:
    paths = [{"path": "/", "backend": {"service": {"name": "web", "port": {"number": 80}}}}]
    ingress = object_of(
        "networking.k8s.io/v1", "Ingress", "i", "shop", spec={"rules": [{"http": {"paths": paths}}]}
    )
    snapshot = seen(service(), service("idle"), ingress)
    assert is_relied_on(snapshot, service_in(snapshot))
    assert not is_relied_on(snapshot, service_in(snapshot, "idle"))


def test_everybody_outside_may_rely_on_a_load_balancer() -> None:
    snapshot = seen(service(type="LoadBalancer"))
    assert is_relied_on(snapshot, service_in(snapshot))

"""Nodes, pods in the network of their node, and pods with addresses of two families."""

from typing import Any

import pytest
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    cluster,
    namespace,
    node,
    pod,
    policy,
    verdict,
)

PODS = [
    namespace("shop"),
    namespace("bank"),
    pod("shop/web", {"app": "web"}, ip="10.0.0.1", node="one"),
    pod("shop/db", {"app": "db"}, ip="10.0.0.2", node="two"),
    pod("bank/web", {"app": "web"}, ip="10.0.1.1", node="two"),
]
WEB = {"podSelector": {"matchLabels": {"app": "web"}}}


def ruled(*documents: Document) -> Any:
    return cluster(*PODS, *documents)


HOSTS = [
    node("one", "10.9.0.1"),
    node("two", "10.9.0.2"),
    pod("shop/agent", {"app": "web"}, ip="10.9.0.1", node="one", hostNetwork=True),
]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("shop/agent", "shop/web", "allowed"),
        ("shop/agent", "shop/db", "blocked"),
        ("node:one", "shop/web", "allowed"),
        ("node:two", "shop/web", "blocked"),
        ("node:two", "shop/db", "allowed"),
        ("shop/web", "node:one", "allowed"),
        ("shop/web", "node:two", "blocked"),
        ("10.9.0.1", "shop/web", "allowed"),
        ("bank/web", "shop/agent", "allowed"),
    ],
)
def test_only_the_own_node_of_a_pod_passes_its_policies(
    source: str, target: str, expected: str
) -> None:
    rule = policy("shop/p", policyTypes=["Ingress", "Egress"], ingress=[{"from": [WEB]}])
    assert verdict(ruled(*HOSTS, rule), source, target) == expected


def test_a_pod_of_the_host_matches_no_selector_but_the_block_of_its_node() -> None:
    by_label = policy("shop/p", ingress=[{"from": [{"podSelector": {}}]}])
    by_block = policy("shop/q", ingress=[{"from": [{"ipBlock": {"cidr": "10.9.0.1/32"}}]}])
    assert verdict(ruled(*HOSTS, by_label), "shop/agent", "shop/db") == "blocked"
    assert verdict(ruled(*HOSTS, by_block), "shop/agent", "shop/db") == "allowed"


def test_a_pod_of_the_host_is_not_isolated() -> None:
    snapshot = ruled(*HOSTS, policy("shop/p", policyTypes=["Ingress", "Egress"]))
    assert verdict(snapshot, "shop/agent", "bank/web") == "allowed"


DUAL = [
    pod("shop/a", {"app": "a"}, ip=("10.0.0.5", "fd00::5")),
    pod("shop/b", {"app": "b"}, ip=("10.0.0.6", "fd00::6")),
    pod("shop/six", {"app": "six"}, ip="fd00::7"),
    pod("shop/four", {"app": "four"}, ip="10.0.0.8"),
]


@pytest.mark.parametrize(
    ("cidr", "source", "expected"),
    [
        ("fd00::5/128", "shop/a", "allowed"),
        ("10.0.0.5/32", "shop/a", "allowed"),
        ("10.0.0.0/24", "shop/six", "blocked"),
        ("fd00::/64", "shop/six", "allowed"),
        ("::/0", "shop/four", "blocked"),
        ("0.0.0.0/0", "shop/four", "allowed"),
        ("fd01::/64", "shop/a", "blocked"),
    ],
)
def test_a_block_matches_the_addresses_of_its_own_family(
    cidr: str, source: str, expected: str
) -> None:
    snapshot = cluster(
        namespace("shop"),
        *DUAL,
        policy("shop/p", ingress=[{"from": [{"ipBlock": {"cidr": cidr}}]}]),
    )
    assert verdict(snapshot, source, "shop/b") == expected

"""The grid that conformance suites use: namespaces x, y, z with pods a, b, c, as truth tables."""

from typing import Any

import pytest
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    cluster,
    namespace,
    pod,
    policy,
    verdict,
)

SPACES, PODS = "xyz", "abc"
EVERYONE = frozenset(f"{space}/{name}" for space in SPACES for name in PODS)
ADDRESSES = {
    f"{space}/{name}": f"192.168.{row}.{column}"
    for row, space in enumerate(SPACES, 1)
    for column, name in enumerate(PODS, 1)
}


def grid(*policies: Document) -> Any:
    spaces = [namespace(space, ns=space) for space in SPACES]
    pods = [
        pod(
            name,
            {"pod": name[2:]},
            ip=ADDRESSES[name],
            ports=[
                (f"serve-{number}-{protocol.lower()}", number, protocol)
                for number in (80, 81)
                for protocol in ("TCP", "UDP", "SCTP")
            ],
        )
        for name in sorted(EVERYONE)
    ]
    return cluster(*spaces, *pods, *policies)


def into(snapshot: Any, target: str, traffic: str = "TCP 80") -> set[str]:
    """Who reaches a pod."""
    return {s for s in EVERYONE if verdict(snapshot, s, target, traffic) == "allowed"}


def out_of(snapshot: Any, source: str, traffic: str = "TCP 80") -> set[str]:
    """Whom a pod reaches."""
    return {t for t in EVERYONE if verdict(snapshot, source, t, traffic) == "allowed"}


def of(*names: str) -> set[str]:
    return {one for one in EVERYONE if any(one.startswith(name) for name in names)}


A = {"matchLabels": {"pod": "a"}}
ON_A = {"podSelector": A}


def ns(*names: str) -> Document:
    return {"matchExpressions": [{"key": "ns", "operator": "In", "values": list(names)}]}


def pods(*names: str) -> Document:
    return {"matchExpressions": [{"key": "pod", "operator": "In", "values": list(names)}]}


def test_denying_all_ingress_leaves_a_pod_only_itself() -> None:
    snapshot = grid(policy("x/deny", policyTypes=["Ingress"], ingress=[]))
    assert into(snapshot, "x/a") == {"x/a"}
    assert into(snapshot, "y/a") == EVERYONE


def test_denying_all_egress_leaves_a_pod_only_itself() -> None:
    snapshot = grid(policy("x/deny", policyTypes=["Egress"], egress=[]))
    assert out_of(snapshot, "x/a") == {"x/a"}
    assert out_of(snapshot, "y/a") == EVERYONE


def test_allowing_all_ingress_undoes_nothing_and_keeps_all() -> None:
    snapshot = grid(policy("x/deny"), policy("x/allow", ingress=[{}]))
    assert into(snapshot, "x/a") == EVERYONE


@pytest.mark.parametrize(
    ("peers", "expected"),
    [
        ([{"namespaceSelector": ns("y")}], of("y", "x/a")),
        ([{"namespaceSelector": ns("y", "z")}], of("y", "z", "x/a")),
        ([{"podSelector": pods("b")}], of("x/b", "x/a")),
        ([{"namespaceSelector": ns("y"), "podSelector": pods("a")}], of("y/a", "x/a")),
        ([{"namespaceSelector": ns("y")}, {"podSelector": pods("b")}], of("y", "x/b", "x/a")),
        (
            [{"namespaceSelector": ns("y", "z"), "podSelector": pods("b", "c")}],
            of("y/b", "y/c", "z/b", "z/c", "x/a"),
        ),
        (
            [
                {
                    "namespaceSelector": {
                        "matchExpressions": [{"key": "ns", "operator": "NotIn", "values": ["x"]}]
                    }
                }
            ],
            of("y", "z", "x/a"),
        ),
        ([{"namespaceSelector": {}, "podSelector": {}}], set(EVERYONE)),
        ([{"ipBlock": {"cidr": "192.168.2.0/24"}}], of("y", "x/a")),
        (
            [{"ipBlock": {"cidr": "192.168.2.0/24", "except": ["192.168.2.2/32"]}}],
            of("y/a", "y/c", "x/a"),
        ),
        (
            [
                {"ipBlock": {"cidr": "192.168.2.0/24", "except": ["192.168.2.0/30"]}},
                {"ipBlock": {"cidr": "192.168.2.2/32"}},
            ],
            of("y/b", "x/a"),
        ),
    ],
)
def test_peers_of_ingress_and_egress_are_read_alike(
    peers: list[Document], expected: set[str]
) -> None:
    ingress = grid(policy("x/p", **ON_A, ingress=[{"from": peers}]))
    egress = grid(policy("x/p", **ON_A, policyTypes=["Egress"], egress=[{"to": peers}]))
    assert into(ingress, "x/a") == expected
    assert out_of(egress, "x/a") == expected


@pytest.mark.parametrize(
    ("ports", "open_traffic"),
    [
        ([{"port": 81}], {"TCP 81"}),
        ([{"port": "serve-81-tcp"}], {"TCP 81"}),
        ([{"port": "serve-80-udp", "protocol": "UDP"}], {"UDP 80"}),
        ([{"port": "serve-80-udp", "protocol": "TCP"}], set()),
        (
            [{"port": 80, "protocol": "SCTP"}, {"port": 81, "protocol": "UDP"}],
            {"SCTP 80", "UDP 81"},
        ),
        ([{"port": 79, "endPort": 81}], {"TCP 80", "TCP 81"}),
        ([{"protocol": "UDP"}], {"UDP 80", "UDP 81"}),
        ([{"port": 8080}], set()),
    ],
)
def test_only_the_ports_of_a_rule_are_open(ports: list[Document], open_traffic: set[str]) -> None:
    snapshot = grid(policy("x/p", **ON_A, ingress=[{"ports": ports}]))
    asked_for = [f"{p} {n}" for p in ("TCP", "UDP", "SCTP") for n in (80, 81)]
    found = {t for t in asked_for if verdict(snapshot, "y/b", "x/a", t) == "allowed"}
    assert found == open_traffic


def test_ports_and_peers_of_one_rule_must_both_fit() -> None:
    rule = {"from": [{"namespaceSelector": ns("y")}], "ports": [{"port": 80}]}
    snapshot = grid(policy("x/p", **ON_A, ingress=[rule]))
    assert into(snapshot, "x/a", "TCP 80") == of("y", "x/a")
    assert into(snapshot, "x/a", "TCP 81") == of("x/a")


def test_stacked_policies_open_what_any_of_them_opens() -> None:
    one = policy("x/one", **ON_A, ingress=[{"ports": [{"port": 80}]}])
    other = policy(
        "x/two",
        **ON_A,
        ingress=[{"from": [{"namespaceSelector": ns("y")}], "ports": [{"port": 81}]}],
    )
    snapshot = grid(one, other)
    assert into(snapshot, "x/a", "TCP 80") == EVERYONE
    assert into(snapshot, "x/a", "TCP 81") == of("y", "x/a")


def test_egress_of_one_side_and_ingress_of_the_other_meet() -> None:
    to_y = {"to": [{"namespaceSelector": ns("y"), "podSelector": pods("a", "b")}]}
    from_x = {"from": [{"namespaceSelector": ns("x"), "podSelector": pods("a")}]}
    snapshot = grid(
        policy("x/out", policyTypes=["Egress"], egress=[to_y]),
        policy("y/in", ingress=[from_x]),
    )
    assert out_of(snapshot, "x/a") == of("y/a", "y/b", "x/a")
    assert out_of(snapshot, "x/b") == of("x/b")
    assert into(snapshot, "y/c") == of("y/c", "x/z")


def test_a_policy_that_selects_by_expressions_isolates_only_those() -> None:
    selector = {"matchExpressions": [{"key": "pod", "operator": "NotIn", "values": ["a"]}]}
    snapshot = grid(policy("x/p", podSelector=selector))
    assert into(snapshot, "x/a") == EVERYONE
    assert into(snapshot, "x/b") == {"x/b"}

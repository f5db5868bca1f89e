"""Policies of Cilium and Calico: they leave open what they could turn, and nothing else."""

from typing import Any

import pytest
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    asked,
    cluster,
    namespace,
    node,
    pod,
    policy,
    verdict,
)

BASE = [
    namespace("shop", team="red"),
    pod("shop/web", {"app": "web"}, ip="10.0.0.1", node="one"),
    pod("shop/db", {"app": "db"}, ip="10.0.0.2", node="one"),
    pod("shop/agent", ip="10.9.0.1", node="one", hostNetwork=True),
    node("one", "10.9.0.1", zone="a"),
]
CILIUM, CALICO = "cilium.io/v2", "crd.projectcalico.org/v1"
CLOSED = policy("shop/closed", podSelector={"matchLabels": {"app": "db"}})
OPEN = policy("shop/open", podSelector={"matchLabels": {"app": "db"}}, ingress=[{}])
INTO_DB = ("shop/web", "shop/db")


def foreign(kind: str, version: str, spec: Document, space: str = "shop") -> Document:
    metadata = {"name": "theirs", **({"namespace": space} if space else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


def cilium(selector: Any, **spec: Any) -> Document:
    return foreign("CiliumNetworkPolicy", CILIUM, {"endpointSelector": selector, **spec})


def calico(selector: str | None = None, **spec: Any) -> Document:
    return foreign("NetworkPolicy", CALICO, {"selector": selector, **spec})


def found(*policies: Document) -> str:
    return str(verdict(cluster(*BASE, *policies), *INTO_DB))


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ({}, "unknown"),
        (None, "unknown"),
        ({"matchLabels": {"app": "db"}}, "unknown"),
        ({"matchLabels": {"k8s:app": "db"}}, "unknown"),
        ({"matchLabels": {"any:app": "web"}}, "allowed"),
        ({"matchLabels": {"app": "other"}}, "allowed"),
        ({"matchLabels": {"k8s:io.kubernetes.pod.namespace": "bank"}}, "allowed"),
        ({"matchLabels": {"k8s:io.kubernetes.pod.namespace": "shop"}}, "unknown"),
        ({"matchLabels": {"k8s:io.cilium.k8s.namespace.labels.team": "blue"}}, "allowed"),
        ({"matchLabels": {"io.cilium.k8s.policy.cluster": "default"}}, "unknown"),
        ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["db"]}]}, "allowed"),
        ({"matchExpressions": [{"key": "app", "operator": "Near"}]}, "unknown"),
        ("app=other", "unknown"),
    ],
)
def test_a_policy_of_cilium_counts_where_it_may_select(selector: Any, expected: str) -> None:
    assert found(cilium(selector, ingress=[{}])) == expected


@pytest.mark.parametrize(
    ("spec", "ours", "expected"),
    [
        ({"ingress": [{}]}, [], "unknown"),
        ({"egress": [{}]}, [], "allowed"),
        ({"ingressDeny": [{}]}, [], "unknown"),
        ({"ingress": [{}]}, [CLOSED], "unknown"),
        ({"ingressDeny": [{}]}, [CLOSED], "blocked"),
        ({"ingress": [{}]}, [OPEN], "allowed"),
        ({"ingressDeny": [{}]}, [OPEN], "unknown"),
        ({"ingress": [{}], "enableDefaultDeny": {"ingress": False}}, [], "allowed"),
    ],
)
def test_a_policy_of_cilium_counts_where_it_could_turn_the_outcome(
    spec: Document, ours: list[Document], expected: str
) -> None:
    assert found(cilium({"matchLabels": {"app": "db"}}, **spec), *ours) == expected


def test_several_rules_in_one_policy_of_cilium_are_all_asked() -> None:
    several = foreign("CiliumNetworkPolicy", CILIUM, {})
    del several["spec"]
    several["specs"] = [
        {"endpointSelector": {"matchLabels": {"app": "other"}}, "ingress": [{}]},
        {"endpointSelector": {"matchLabels": {"app": "db"}}, "ingress": [{}]},
    ]
    assert found(several) == "unknown"


def test_a_policy_of_cilium_for_nodes_is_about_nodes() -> None:
    spec = {"nodeSelector": {"matchLabels": {"zone": "a"}}, "ingress": [{}]}
    wide = foreign("CiliumClusterwideNetworkPolicy", CILIUM, spec, "")
    snapshot = cluster(*BASE, wide)
    assert verdict(snapshot, "shop/web", "shop/agent") == "unknown"
    assert verdict(snapshot, *INTO_DB) == "allowed"


def test_what_cilium_drops_is_seen_with_hubble() -> None:
    decision = asked(cluster(*BASE, cilium({}, ingress=[{}])), *INTO_DB)
    assert [(by.kind, by.name) for by in decision.by] == [("CiliumNetworkPolicy", "shop/theirs")]
    assert [gap.to_open for gap in decision.gaps] == [
        "hubble observe --verdict DROPPED --pod shop/db"
    ]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (None, "unknown"),
        ("all()", "unknown"),
        ("app == 'db'", "unknown"),
        ('app == "web"', "allowed"),
        ("app != 'db'", "allowed"),
        ("has(app)", "unknown"),
        ("!has(app)", "allowed"),
        ("has(app) && app == 'other'", "allowed"),
        ("app in {'db', 'x'}", "unknown"),
        ("app not in { 'db' }", "allowed"),
        ("projectcalico.org/namespace == 'bank'", "allowed"),
        ("projectcalico.org/orchestrator == 'k8s'", "unknown"),
        ("app == 'other' || tier == 'x'", "unknown"),
        ("(app == 'other')", "unknown"),
        ("app starts with 'o'", "unknown"),
        ("app == 'o' " * 1000, "unknown"),
    ],
)
def test_a_policy_of_calico_counts_where_it_may_select(selector: str | None, expected: str) -> None:
    assert found(calico(selector, ingress=[{"action": "Deny"}])) == expected


ALLOW, DENY, PASS, LOG = ({"action": action} for action in ("Allow", "Deny", "Pass", "Log"))


@pytest.mark.parametrize(
    ("spec", "ours", "expected"),
    [
        ({"ingress": [ALLOW]}, [CLOSED], "unknown"),
        ({"ingress": [PASS], "order": 1}, [CLOSED], "unknown"),
        ({"ingress": [DENY, LOG], "order": 1}, [CLOSED], "blocked"),
        ({"types": ["Ingress"]}, [CLOSED], "blocked"),
        ({"ingress": [ALLOW], "order": 1}, [OPEN], "allowed"),
        ({"ingress": [DENY], "order": 1}, [OPEN], "unknown"),
        ({"ingress": [DENY], "order": 2000}, [OPEN], "allowed"),
        ({"ingress": [DENY]}, [OPEN], "allowed"),
        ({"ingress": [ALLOW], "tier": "security"}, [OPEN], "unknown"),
        ({"egress": [DENY]}, [], "allowed"),
        ({}, [], "unknown"),
        ({"types": ["Egress"], "ingress": [DENY]}, [], "allowed"),
    ],
)
def test_a_policy_of_calico_counts_where_it_could_turn_the_outcome(
    spec: Document, ours: list[Document], expected: str
) -> None:
    assert found(calico("app == 'db'", **spec), *ours) == expected


@pytest.mark.parametrize(
    ("kind", "version", "expected"),
    [
        ("GlobalNetworkPolicy", "projectcalico.org/v3", "unknown"),
        ("GlobalNetworkPolicy", CALICO, "unknown"),
        ("NetworkPolicy", "projectcalico.org/v3", "unknown"),
        ("StagedNetworkPolicy", "projectcalico.org/v3", "allowed"),
        ("StagedGlobalNetworkPolicy", CALICO, "allowed"),
    ],
)
def test_staged_policies_are_enforced_by_nobody(kind: str, version: str, expected: str) -> None:
    space = "" if "Global" in kind else "shop"
    assert found(foreign(kind, version, {"ingress": [DENY]}, space)) == expected


def test_a_network_policy_that_calico_shows_again_is_not_asked_twice() -> None:
    mirrored = calico("app == 'db'", ingress=[ALLOW])
    mirrored["metadata"]["name"] = "knp.default.closed"
    assert found(mirrored, CLOSED) == "blocked"


def test_a_policy_of_another_namespace_does_not_count() -> None:
    assert found(foreign("NetworkPolicy", CALICO, {"ingress": [DENY]}, "bank")) == "allowed"

"""NetworkPolicy to the letter of its API."""

from typing import Any

import pytest
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    asked,
    cluster,
    namespace,
    pod,
    policy,
    verdict,
)

SPACES = [namespace("shop", team="red"), namespace("bank", team="blue")]
PODS = [
    pod("shop/web", {"app": "web"}, ip="10.0.0.1", node="one"),
    pod(
        "shop/db",
        {"app": "db", "tier": "back"},
        ip="10.0.0.2",
        node="two",
        ports=[("pg", 5432), ("dns", 53, "UDP"), ("dns", 5353, "TCP")],
    ),
    pod("bank/web", {"app": "web"}, ip="10.0.1.1", node="two"),
]
WEB = {"podSelector": {"matchLabels": {"app": "web"}}}
RED = {"namespaceSelector": {"matchLabels": {"team": "red"}}}


def ruled(*policies: Document) -> Any:
    return cluster(*SPACES, *PODS, *policies)


def said(snapshot: Any, target: str = "shop/db", traffic: str = "TCP 80") -> str:
    """Who of the two webs is let in."""
    let_in = [
        source
        for source in ("shop/web", "bank/web")
        if verdict(snapshot, source, target, traffic) == "allowed"
    ]
    return " ".join(let_in)


def test_without_policies_everything_passes_and_nobody_decides() -> None:
    decision = asked(ruled(), "bank/web", "shop/db")
    assert decision == ("allowed", (), (), ())


@pytest.mark.parametrize(
    ("spec", "ingress", "egress"),
    [
        ({}, "blocked", "allowed"),
        ({"policyTypes": []}, "blocked", "allowed"),
        ({"policyTypes": ["Egress"]}, "allowed", "blocked"),
        ({"policyTypes": ["Ingress", "Egress"]}, "blocked", "blocked"),
        ({"egress": []}, "blocked", "allowed"),
        ({"egress": [{"ports": [{"port": 1}]}]}, "blocked", "blocked"),
        ({"policyTypes": ["Ingress"], "egress": [{}]}, "blocked", "allowed"),
        ({"policyTypes": ["Egress"], "ingress": [{}]}, "allowed", "blocked"),
        ({"ingress": []}, "blocked", "allowed"),
        ({"ingress": [{}]}, "allowed", "allowed"),
        ({"ingress": [None]}, "allowed", "allowed"),
        ({"podSelector": None}, "blocked", "allowed"),
        ({"podSelector": {"matchLabels": {"app": "other"}}}, "allowed", "allowed"),
    ],
)
def test_a_policy_isolates_the_directions_of_its_types(
    spec: Document, ingress: str, egress: str
) -> None:
    snapshot = ruled(policy("shop/p", **spec))
    assert verdict(snapshot, "bank/web", "shop/db") == ingress
    assert verdict(snapshot, "shop/db", "bank/web") == egress


@pytest.mark.parametrize(
    ("peers", "let_in"),
    [
        ([], "shop/web bank/web"),
        (None, "shop/web bank/web"),
        ([{"podSelector": {}}], "shop/web"),
        ([WEB], "shop/web"),
        ([{"namespaceSelector": {}}], "shop/web bank/web"),
        ([RED], "shop/web"),
        ([{"namespaceSelector": {}, **WEB}], "shop/web bank/web"),
        ([{**RED, "podSelector": {"matchLabels": {"app": "db"}}}], ""),
        ([RED, {"namespaceSelector": {"matchLabels": {"team": "blue"}}}], "shop/web bank/web"),
        (
            [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "bank"}}}],
            "bank/web",
        ),
        ([{"ipBlock": {"cidr": "10.0.0.0/23"}}], "shop/web bank/web"),
        ([{"ipBlock": {"cidr": "10.0.0.0/16", "except": ["10.0.1.0/24"]}}], "shop/web"),
        ([{"ipBlock": {"cidr": "10.0.1.1/32"}}], "bank/web"),
        ([{"ipBlock": {"cidr": "10.0.1.77/24"}}], "bank/web"),
        ([{"ipBlock": {"cidr": "::/0"}}], ""),
        (
            [{"ipBlock": {"cidr": "10.0.0.0/16", "except": ["10.0.0.0/16"]}}, WEB],
            "shop/web",
        ),
    ],
)
def test_a_rule_lets_in_whom_its_peers_name(peers: list[Document] | None, let_in: str) -> None:
    snapshot = ruled(policy("shop/p", ingress=[{"from": peers}]))
    assert said(snapshot) == let_in


@pytest.mark.parametrize(
    ("operator", "values", "let_in"),
    [
        ("In", ["web", "other"], "shop/web"),
        ("In", ["other"], ""),
        ("NotIn", ["other"], "shop/web shop/bare"),
        ("NotIn", ["web"], "shop/bare"),
        ("Exists", [], "shop/web"),
        ("DoesNotExist", None, "shop/bare"),
    ],
)
def test_an_expression_selects_by_its_operator(
    operator: str, values: list[str] | None, let_in: str
) -> None:
    expression = {"key": "app", "operator": operator, "values": values}
    peer = {"podSelector": {"matchExpressions": [expression]}}
    snapshot = cluster(
        *SPACES,
        *PODS,
        pod("shop/bare", ip="10.0.0.9"),
        policy("shop/p", ingress=[{"from": [peer]}]),
    )
    let = [s for s in ("shop/web", "shop/bare") if verdict(snapshot, s, "shop/db") == "allowed"]
    assert " ".join(let) == let_in


@pytest.mark.parametrize(
    ("ports", "passing"),
    [
        ([], {"TCP 80", "TCP 5432", "UDP 53", "SCTP 80", "TCP 5353"}),
        ([{}], {"TCP 80", "TCP 5432", "TCP 5353"}),
        ([{"protocol": "SCTP"}], {"SCTP 80"}),
        ([{"port": 80}], {"TCP 80"}),
        ([{"port": 80, "protocol": "SCTP"}], {"SCTP 80"}),
        ([{"port": "pg"}], {"TCP 5432"}),
        ([{"port": "pg", "protocol": "UDP"}], set()),
        ([{"port": "dns"}], {"TCP 5353"}),
        ([{"port": "dns", "protocol": "UDP"}], {"UDP 53"}),
        ([{"port": "nobody"}], set()),
        ([{"port": 80, "endPort": 5353}], {"TCP 80", "TCP 5353"}),
        ([{"port": 5353, "endPort": 5432}], {"TCP 5432", "TCP 5353"}),
        ([{"port": 80, "endPort": 80}], {"TCP 80"}),
        ([{"port": 80}, {"port": 53, "protocol": "UDP"}], {"TCP 80", "UDP 53"}),
    ],
)
@pytest.mark.parametrize("direction", ["ingress", "egress"])
def test_ports_are_those_of_the_destination_in_both_directions(
    direction: str, ports: list[Document], passing: set[str]
) -> None:
    selector = {"matchLabels": {"app": "db" if direction == "ingress" else "web"}}
    spec = {"podSelector": selector, "policyTypes": [direction.capitalize()]}
    snapshot = ruled(policy("shop/p", **spec, **{direction: [{"ports": ports}]}))
    asked_for = ("TCP 80", "TCP 5432", "UDP 53", "SCTP 80", "TCP 5353")
    found = {t for t in asked_for if verdict(snapshot, "shop/web", "shop/db", t) == "allowed"}
    assert found == passing


def test_one_name_in_two_containers_stands_for_both_numbers() -> None:
    containers = [
        {"name": "a", "ports": [{"name": "http", "containerPort": 80}]},
        {"name": "b", "ports": [{"name": "http", "containerPort": 8080}]},
    ]
    target = pod("shop/two", ip="10.0.0.7", containers=containers)
    snapshot = ruled(target, policy("shop/p", ingress=[{"ports": [{"port": "http"}]}]))
    found = [verdict(snapshot, "shop/web", "shop/two", f"TCP {n}") for n in (80, 8080, 81)]
    assert found == ["allowed", "allowed", "blocked"]


@pytest.mark.parametrize(("restart", "expected"), [("Always", "allowed"), (None, "blocked")])
def test_an_init_container_gives_names_to_ports_only_as_a_sidecar(
    restart: str | None, expected: str
) -> None:
    init = {"name": "i", "ports": [{"name": "mesh", "containerPort": 15}], "restartPolicy": restart}
    target = pod("shop/side", ip="10.0.0.7", initContainers=[init])
    snapshot = ruled(target, policy("shop/p", ingress=[{"ports": [{"port": "mesh"}]}]))
    assert verdict(snapshot, "shop/web", "shop/side", "TCP 15") == expected


def test_a_name_of_a_port_means_nothing_at_an_address_outside() -> None:
    rule = {"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}], "ports": [{"port": "pg"}]}
    snapshot = ruled(policy("shop/p", policyTypes=["Egress"], egress=[rule]))
    assert verdict(snapshot, "shop/web", "192.0.2.1", "TCP 5432") == "blocked"


def test_policies_add_up() -> None:
    snapshot = ruled(
        policy("shop/deny", policyTypes=["Ingress"]),
        policy("shop/b", ingress=[{"from": [WEB]}]),
        policy("shop/a", ingress=[{"from": [RED]}]),
    )
    decision = asked(snapshot, "shop/web", "shop/db")
    assert decision.passes
    assert [by.name for by in decision.by] == ["shop/a"]
    assert said(snapshot) == "shop/web"


def test_both_ends_must_allow_and_both_that_do_not_are_named() -> None:
    snapshot = ruled(
        policy("shop/in", podSelector={"matchLabels": {"app": "db"}}),
        policy("shop/out", podSelector={"matchLabels": {"app": "web"}}, policyTypes=["Egress"]),
    )
    decision = asked(snapshot, "shop/web", "shop/db")
    assert decision.verdict == "blocked"
    assert [(by.kind, by.name, by.says) for by in decision.by] == [
        ("NetworkPolicy", "shop/out", "isolates shop/web for egress and allows nothing"),
        ("NetworkPolicy", "shop/in", "isolates shop/db for ingress and allows nothing"),
    ]


def test_only_the_end_that_blocks_is_named() -> None:
    snapshot = ruled(
        policy("shop/in", podSelector={"matchLabels": {"app": "db"}}, ingress=[{}]),
        policy("shop/out", podSelector={"matchLabels": {"app": "web"}}, policyTypes=["Egress"]),
    )
    assert [by.name for by in asked(snapshot, "shop/web", "shop/db").by] == ["shop/out"]


def test_a_block_tells_what_was_asked_and_how_many_rules_there_are() -> None:
    rule = {"from": [RED], "ports": [{"port": 80}]}
    snapshot = ruled(policy("shop/p", ingress=[rule, rule]), policy("shop/q", ingress=[rule]))
    decision = asked(snapshot, "shop/web", "shop/db", "TCP 5432")
    assert [by.says for by in decision.by] == [
        "isolates shop/db for ingress; none of its 2 rules allows TCP 5432 from shop/web",
        "isolates shop/db for ingress; its only rule does not allow TCP 5432 from shop/web",
    ]
    assert len(decision.considered) == 5


def test_what_was_considered_ends_with_the_rule_that_decides() -> None:
    never = {"ports": [{"port": 1}]}
    snapshot = ruled(policy("shop/p", ingress=[never, {}, never]))
    assert [by.says for by in asked(snapshot, "shop/web", "shop/db").considered] == [
        "ingress[0] is not about TCP 80 from shop/web",
        "ingress[1] allows TCP 80 from shop/web",
    ]


def test_a_pod_reaches_itself_whatever_isolates_it() -> None:
    snapshot = ruled(policy("shop/p", policyTypes=["Ingress", "Egress"]))
    assert verdict(snapshot, "shop/db", "shop/db") == "allowed"


def test_replicas_of_one_workload_are_not_one_pod() -> None:
    twin = pod("shop/db2", {"app": "db", "tier": "back"}, ip="10.0.0.8")
    snapshot = ruled(twin, policy("shop/p"))
    assert verdict(snapshot, "shop/db", "shop/db2") == "blocked"


def test_an_address_in_evidence_is_the_pod_that_has_it() -> None:
    snapshot = ruled(policy("shop/p", ingress=[{"from": [WEB]}]))
    assert verdict(snapshot, "10.0.0.1", "10.0.0.2") == "allowed"
    assert verdict(snapshot, "10.0.1.1", "10.0.0.2") == "blocked"


def test_an_address_is_known_in_every_spelling() -> None:
    snapshot = cluster(
        namespace("shop"),
        pod("shop/six", {"app": "web"}, ip="fd00::5"),
        pod("shop/db", {"app": "db"}, ip="fd00::6"),
        policy("shop/p", ingress=[{"from": [WEB]}]),
    )
    assert verdict(snapshot, "fd00:0:0::0005", "shop/db") == "allowed"


def test_a_policy_speaks_for_its_own_namespace_only() -> None:
    assert verdict(ruled(policy("bank/p")), "bank/web", "shop/db") == "allowed"


def test_a_pod_that_has_ended_is_nobody() -> None:
    ended = pod("shop/job", {"app": "web"}, ip="10.0.0.6", phase="Succeeded")
    snapshot = ruled(ended, policy("shop/p", ingress=[{"from": [WEB]}]))
    assert verdict(snapshot, "10.0.0.6", "shop/db") == "blocked"
    assert verdict(snapshot, "shop/web", "shop/job") == "allowed"
    assert asked(snapshot, "shop/job", "shop/db").gaps[0].what.startswith("shop/job has ended")


def test_the_order_of_documents_makes_no_difference() -> None:
    documents = [*SPACES, *PODS, policy("shop/b", ingress=[{}]), policy("shop/a", ingress=[{}])]
    one, other = cluster(*documents), cluster(*reversed(documents))
    assert asked(one, "shop/web", "shop/db") == asked(other, "shop/web", "shop/db")

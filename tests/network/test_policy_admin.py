"""The tiers of an administrator around the policies of the namespaces, in both versions."""

from typing import Any

import pytest
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    admin,
    asked,
    baseline,
    cluster,
    cluster_policy,
    namespace,
    node,
    pod,
    policy,
    verdict,
)

HOUSES = [
    namespace("gryffindor", house="gryffindor"),
    namespace("slytherin", house="slytherin"),
    namespace("hufflepuff", house="hufflepuff"),
]
PODS = [
    pod(
        "gryffindor/harry",
        {"role": "seeker"},
        ip="10.0.1.1",
        ports=[("web", 80), ("dns", 53, "UDP")],
    ),
    pod("slytherin/draco", {"role": "seeker"}, ip="10.0.2.1", ports=[("web", 80)]),
    pod("hufflepuff/cedric", {"role": "keeper"}, ip="10.0.3.1", node="one"),
    pod("hufflepuff/centaur", ip="10.9.0.2", node="two", hostNetwork=True),
    node("one", "10.9.0.1", zone="a"),
    node("two", "10.9.0.2", zone="b"),
]


def house(name: str) -> Document:
    return {"namespaces": {"matchLabels": {"house": name}}}


def keepers() -> Document:
    return {"pods": {"namespaceSelector": {}, "podSelector": {"matchLabels": {"role": "keeper"}}}}


def rule(action: str, word: str, *peers: Document, **more: Any) -> Document:
    return {"action": action, word: list(peers), **more}


def school(*policies: Document) -> Any:
    return cluster(*HOUSES, *PODS, *policies)


DRACO = ("slytherin/draco", "gryffindor/harry")
DENY = rule("Deny", "from", house("slytherin"))
ALLOW = rule("Allow", "from", house("slytherin"))
PASS = rule("Pass", "from", house("slytherin"))
ISOLATE = policy("gryffindor/deny")
OPEN = policy("gryffindor/open", ingress=[{}])


@pytest.mark.parametrize(
    ("policies", "expected", "by"),
    [
        ([admin("a", 10, ingress=[DENY])], "blocked", "a"),
        ([admin("a", 10, ingress=[DENY]), OPEN], "blocked", "a"),
        ([admin("a", 10, ingress=[ALLOW]), ISOLATE], "allowed", "a"),
        ([admin("a", 10, ingress=[PASS]), ISOLATE], "blocked", "gryffindor/deny"),
        ([admin("a", 10, ingress=[PASS]), OPEN], "allowed", "gryffindor/open"),
        ([admin("a", 10, ingress=[PASS]), baseline(ingress=[DENY])], "blocked", "default"),
        ([admin("a", 10, ingress=[PASS, DENY])], "allowed", ""),
        ([admin("a", 10, ingress=[ALLOW, DENY])], "allowed", "a"),
        ([admin("a", 10, ingress=[DENY, ALLOW])], "blocked", "a"),
        ([admin("z", 5, ingress=[ALLOW]), admin("a", 10, ingress=[DENY])], "allowed", "z"),
        ([admin("a", 10, ingress=[PASS]), admin("b", 20, ingress=[DENY])], "allowed", ""),
        ([baseline(ingress=[DENY])], "blocked", "default"),
        ([baseline(ingress=[DENY]), OPEN], "allowed", "gryffindor/open"),
        ([baseline(ingress=[ALLOW]), ISOLATE], "blocked", "gryffindor/deny"),
        ([baseline(ingress=[ALLOW, DENY])], "allowed", "default"),
        ([admin("a", 1, ingress=[rule("Deny", "from", house("hufflepuff"))])], "allowed", ""),
        ([admin("a", 1, ingress=[DENY], subject=house("hufflepuff"))], "allowed", ""),
        ([admin("a", 1, ingress=[DENY], subject=keepers())], "allowed", ""),
    ],
)
def test_the_tiers_are_asked_in_order(policies: list[Document], expected: str, by: str) -> None:
    decision = asked(school(*policies), *DRACO)
    assert (decision.verdict, " ".join(one.name for one in decision.by)) == (expected, by)


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ([admin("a", 5, ingress=[ALLOW]), admin("b", 5, ingress=[DENY])], "unknown"),
        ([admin("a", 5, ingress=[DENY]), admin("b", 5, ingress=[DENY])], "blocked"),
        ([admin("a", 5, ingress=[ALLOW]), admin("b", 5, ingress=[PASS])], "allowed"),
        ([admin("a", 5, ingress=[ALLOW]), admin("b", 5, ingress=[PASS]), ISOLATE], "unknown"),
        ([admin("a", 5, ingress=[DENY]), admin("b", 5, ingress=[PASS]), ISOLATE], "blocked"),
        (
            [
                admin("a", 5, ingress=[ALLOW]),
                admin("b", 5, ingress=[DENY]),
                admin("c", 4, ingress=[DENY]),
            ],
            "blocked",
        ),
    ],
)
def test_equal_priorities_are_open_only_where_they_end_differently(
    policies: list[Document], expected: str
) -> None:
    assert verdict(school(*policies), *DRACO) == expected


def test_policies_that_disagree_are_both_named() -> None:
    decision = asked(school(admin("a", 5, ingress=[ALLOW]), admin("b", 5, ingress=[DENY])), *DRACO)
    assert [by.name for by in decision.by] == ["a", "b"]
    assert "same priority 5" in decision.gaps[0].what


def test_a_denial_tells_the_rule_and_its_priority() -> None:
    named = {**DENY, "name": "no-snakes"}
    decision = asked(school(admin("a", 30, ingress=[named])), *DRACO)
    assert [by.says for by in decision.by] == [
        "ingress[0] 'no-snakes' denies TCP 80 from slytherin/draco at priority 30"
    ]


PORTS: list[tuple[Document, set[str]]] = [
    ({"portNumber": {"protocol": "TCP", "port": 80}}, {"TCP 80"}),
    ({"portNumber": {"port": 53, "protocol": "UDP"}}, {"UDP 53"}),
    ({"portRange": {"start": 80, "end": 90, "protocol": "TCP"}}, {"TCP 80", "TCP 90"}),
    ({"portRange": {"start": 80, "end": 89}}, {"TCP 80"}),
    ({"namedPort": "web"}, {"TCP 80"}),
    ({"namedPort": "dns"}, {"UDP 53"}),
]
PROTOCOLS: list[tuple[Document, set[str]]] = [
    ({"tcp": {"destinationPort": {"number": 80}}}, {"TCP 80"}),
    ({"udp": {"destinationPort": {"range": {"start": 50, "end": 60}}}}, {"UDP 53"}),
    ({"sctp": {}}, {"SCTP 80"}),
    ({"destinationNamedPort": "dns"}, {"UDP 53"}),
]
TRAFFIC = ("TCP 80", "TCP 90", "UDP 53", "SCTP 80")


@pytest.mark.parametrize(("port", "denied"), PORTS)
def test_the_first_version_names_ports_in_three_ways(port: Document, denied: set[str]) -> None:
    snapshot = school(admin("a", 1, ingress=[{**DENY, "ports": [port]}]))
    assert {t for t in TRAFFIC if verdict(snapshot, *DRACO, t) == "blocked"} == denied


@pytest.mark.parametrize(("protocol", "denied"), PROTOCOLS)
def test_the_second_version_names_protocols(protocol: Document, denied: set[str]) -> None:
    denying = {**DENY, "protocols": [protocol]}
    snapshot = school(cluster_policy("c", "Admin", 1, ingress=[denying]))
    assert {t for t in TRAFFIC if verdict(snapshot, *DRACO, t) == "blocked"} == denied


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ([cluster_policy("c", "Admin", 1, ingress=[DENY]), OPEN], "blocked"),
        (
            [cluster_policy("c", "Admin", 1, ingress=[{**ALLOW, "action": "Accept"}]), ISOLATE],
            "allowed",
        ),
        ([cluster_policy("c", "Admin", 1, ingress=[PASS]), ISOLATE], "blocked"),
        ([cluster_policy("c", "Baseline", 1, ingress=[DENY]), OPEN], "allowed"),
        ([cluster_policy("c", "Baseline", 1, ingress=[DENY])], "blocked"),
        (
            [
                cluster_policy("c", "Baseline", 1, ingress=[PASS]),
                cluster_policy("d", "Baseline", 2, ingress=[DENY]),
            ],
            "allowed",
        ),
        (
            [
                cluster_policy("c", "Baseline", 3, ingress=[{**ALLOW, "action": "Accept"}]),
                cluster_policy("d", "Baseline", 2, ingress=[DENY]),
            ],
            "blocked",
        ),
    ],
)
def test_the_second_version_has_both_tiers(policies: list[Document], expected: str) -> None:
    assert verdict(school(*policies), *DRACO) == expected


@pytest.mark.parametrize(
    ("peer", "denied"),
    [
        (house("slytherin"), {"slytherin/draco"}),
        (keepers(), {"hufflepuff/cedric"}),
        ({"networks": ["10.0.2.0/24", "203.0.113.0/24"]}, {"slytherin/draco", "203.0.113.9"}),
        (
            {"networks": ["0.0.0.0/0"]},
            {
                "slytherin/draco",
                "hufflepuff/cedric",
                "203.0.113.9",
                "hufflepuff/centaur",
                "node:one",
            },
        ),
        ({"nodes": {}}, {"hufflepuff/centaur", "node:one"}),
        ({"nodes": {"matchLabels": {"zone": "a"}}}, {"node:one"}),
        ({"domainNames": ["*.example.com"]}, {"fqdn:www.example.com"}),
    ],
)
def test_an_egress_rule_names_pods_networks_nodes_or_names(
    peer: Document, denied: set[str]
) -> None:
    snapshot = school(admin("a", 1, egress=[rule("Deny", "to", peer)]))
    targets = (
        "slytherin/draco",
        "hufflepuff/cedric",
        "hufflepuff/centaur",
        "node:one",
        "fqdn:www.example.com",
        "fqdn:example.com",
    )
    outside = () if "domainNames" in peer else ("203.0.113.9",)
    asked_for = [t for t in (*targets, *outside) if t[:4] != "fqdn" or "domainNames" in peer]
    found = {t for t in asked_for if verdict(snapshot, "gryffindor/harry", t) == "blocked"}
    assert found == denied


def test_an_address_without_a_name_is_open_against_names() -> None:
    names = rule("Allow", "to", {"domainNames": ["example.com"]})
    rest = rule("Deny", "to", {"networks": ["0.0.0.0/0"]})
    snapshot = school(admin("a", 1, egress=[names, rest]))
    assert verdict(snapshot, "gryffindor/harry", "203.0.113.9") == "unknown"
    assert verdict(snapshot, "gryffindor/harry", "slytherin/draco") == "blocked"


def test_a_pod_of_the_host_is_no_subject_and_no_peer() -> None:
    everyone = rule("Deny", "from", {"namespaces": {}})
    snapshot = school(
        admin("a", 1, ingress=[everyone], egress=[{**everyone, "to": [{"namespaces": {}}]}])
    )
    assert verdict(snapshot, "hufflepuff/centaur", "gryffindor/harry") == "allowed"
    assert verdict(snapshot, "gryffindor/harry", "hufflepuff/centaur") == "allowed"
    assert verdict(snapshot, "gryffindor/harry", "slytherin/draco") == "blocked"


@pytest.mark.parametrize(
    "wrong",
    [
        admin("a", 1, subject={}),
        admin("a", 1, ingress=[{**DENY, "action": "Drop"}]),
        admin("a", 1, ingress=[{"action": "Deny", "from": []}]),
        admin("a", 1, egress=[rule("Deny", "to", {"networks": ["10.0.0.0"]})], ingress=None),
        admin("a", 1, ingress=[rule("Deny", "from", {})]),
        admin("a", 1, ingress=[rule("Deny", "from", {"namespaces": {"sameLabels": ["house"]}})]),
        {**admin("a", 1), "spec": {"subject": {"namespaces": {}}, "ingress": [DENY]}},
        cluster_policy("c", "Middle", 1, ingress=[DENY]),
    ],
)
def test_a_policy_that_makes_no_sense_leaves_it_open(wrong: Document) -> None:
    assert verdict(school(wrong), *DRACO) == "unknown"


def test_labels_that_nobody_read_leave_open_whether_a_policy_is_about_a_pod() -> None:
    snapshot = cluster(
        *PODS,
        admin(
            "a", 1, subject=house("gryffindor"), ingress=[rule("Deny", "from", {"namespaces": {}})]
        ),
    )
    decision = asked(snapshot, *DRACO)
    assert decision.verdict == "unknown"
    assert decision.gaps[0].to_open == "kubectl get namespace gryffindor -o json"

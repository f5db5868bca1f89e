"""What policies cannot tell from the evidence, and that it counts only where it decides."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    asked,
    cluster,
    namespace,
    place,
    pod,
    policy,
    verdict,
)

from sickbay.engine.casebook import snapshot_of
from sickbay.network.policy import policies_selecting, ports_that_matter

WEB = pod("shop/web", {"app": "web"}, ip="10.0.0.1")
DB = pod("shop/db", {"app": "db"}, ip="10.0.0.2", ports=[("pg", 5432)])
KINDS = [
    "NetworkPolicy networking.k8s.io/v1",
    "AdminNetworkPolicy policy.networking.k8s.io/v1alpha1",
    "ClusterNetworkPolicy policy.networking.k8s.io/v1alpha2",
    "CiliumNetworkPolicy cilium.io/v2",
    "NetworkPolicy crd.projectcalico.org/v1",
]
WORDS = st.sampled_from(
    "podSelector policyTypes ingress egress from to ports port endPort protocol ipBlock cidr "
    "except namespaceSelector matchLabels matchExpressions key operator values subject pods "
    "namespaces priority action tier networks nodes endpointSelector ingressDeny selector "
    "order types".split()
)
RED = {"namespaceSelector": {"matchLabels": {"team": "red"}}}


def from_peer(*peers: Document) -> Document:
    made: Document = policy("shop/p", ingress=[{"from": list(peers)}])
    return made


def test_labels_of_a_namespace_that_nobody_read_leave_it_open() -> None:
    decision = asked(cluster(WEB, DB, from_peer(RED)), "shop/web", "shop/db")
    assert decision.verdict == "unknown"
    assert [by.name for by in decision.by] == ["shop/p"]
    assert decision.gaps[0].to_open == "kubectl get namespace shop -o json"


def test_the_name_of_a_namespace_is_known_without_reading_it() -> None:
    label = {"kubernetes.io/metadata.name": "shop"}
    peer = {"namespaceSelector": {"matchLabels": label}}
    assert verdict(cluster(WEB, DB, from_peer(peer)), "shop/web", "shop/db") == "allowed"
    other = {"namespaceSelector": {"matchLabels": {**label, "kubernetes.io/metadata.name": "x"}}}
    assert verdict(cluster(WEB, DB, from_peer(other)), "shop/web", "shop/db") == "blocked"


def test_an_empty_selector_needs_no_labels() -> None:
    snapshot = cluster(WEB, DB, from_peer({"namespaceSelector": {}}))
    assert verdict(snapshot, "shop/web", "shop/db") == "allowed"


def test_an_unknown_rule_does_not_count_where_another_allows() -> None:
    snapshot = cluster(WEB, DB, from_peer(RED), policy("shop/q", ingress=[{}]))
    assert asked(snapshot, "shop/web", "shop/db")[:2][0] == "allowed"


def test_an_unknown_peer_does_not_count_at_another_port() -> None:
    rule = {"from": [RED], "ports": [{"port": 443}]}
    snapshot = cluster(WEB, DB, policy("shop/p", ingress=[rule]))
    assert verdict(snapshot, "shop/web", "shop/db", "TCP 80") == "blocked"
    assert verdict(snapshot, "shop/web", "shop/db", "TCP 443") == "unknown"


def test_a_pod_without_an_address_is_open_against_a_block() -> None:
    snapshot = cluster(
        pod("shop/new"), DB, from_peer({"ipBlock": {"cidr": "10.0.0.0/8"}}), namespace("shop")
    )
    decision = asked(snapshot, "shop/new", "shop/db")
    assert decision.verdict == "unknown"
    assert decision.gaps[0].to_open == "kubectl get pod -n shop new -o json"


@pytest.mark.parametrize(("cidr", "expected"), [("0.0.0.0/0", "allowed"), ("::/0", "blocked")])
def test_a_pod_without_an_address_is_in_the_whole_of_the_family_in_use(
    cidr: str, expected: str
) -> None:
    snapshot = cluster(pod("shop/new"), DB, from_peer({"ipBlock": {"cidr": cidr}}))
    assert verdict(snapshot, "shop/new", "shop/db") == expected


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"cidr": "0.0.0.0/0"}, "allowed"),
        ({"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8", "192.168.0.0/16"]}, "allowed"),
        ({"cidr": "10.0.0.0/8"}, "blocked"),
        ({"cidr": "0.0.0.0/0", "except": ["1.0.0.0/8"]}, "unknown"),
        ({"cidr": "20.0.0.0/8"}, "unknown"),
    ],
)
def test_the_internet_is_every_public_address(block: Document, expected: str) -> None:
    egress = [{"to": [{"ipBlock": block}]}]
    snapshot = cluster(WEB, policy("shop/p", policyTypes=["Egress"], egress=egress))
    assert verdict(snapshot, "shop/web", "internet", "TCP 443") == expected


def test_a_name_outside_is_open_against_a_block_and_no_pod() -> None:
    by_block = [{"to": [{"ipBlock": {"cidr": "20.0.0.0/8"}}]}]
    by_label: list[Document] = [{"to": [{"podSelector": {}}]}]
    asked_for = ("shop/web", "fqdn:mcr.microsoft.com", "TCP 443")
    one = cluster(WEB, policy("shop/p", policyTypes=["Egress"], egress=by_block))
    other = cluster(WEB, policy("shop/p", policyTypes=["Egress"], egress=by_label))
    assert asked(one, *asked_for).gaps[0].to_open == "nslookup mcr.microsoft.com"
    assert verdict(other, *asked_for) == "blocked"


@pytest.mark.parametrize(
    "spec",
    [
        {"ingress": [{"from": [{"ipBlock": {"cidr": "10.0.0.0/33"}}]}]},
        {"ingress": [{"from": [{"ipBlock": {"cidr": "10.0.0.1"}}]}]},
        {"ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["x"]}}]}]},
        {"ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/0"}, "podSelector": {}}]}]},
        {"ingress": [{"from": [{}]}]},
        {"ingress": [{"from": "all"}]},
        {"ingress": [{"from": [{"serviceSelector": {}}]}]},
        {"ingress": [{"ports": [{"port": 80, "endPort": 79}]}]},
        {"ingress": [{"ports": [{"port": "http", "endPort": 90}]}]},
        {"ingress": [{"ports": [{"endPort": 90}]}]},
        {"ingress": [{"ports": [{"port": 0}]}]},
        {"ingress": [{"ports": [{"port": 65536}]}]},
        {"ingress": [{"ports": [{"port": "80"}]}]},
        {"ingress": [{"ports": [{"port": 80, "protocol": "ICMP"}]}]},
        {"ingress": [{"ports": [{"port": [80]}]}]},
        {"policyTypes": ["Inbound"]},
        {"podSelector": {"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}},
        {"podSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}},
        {
            "podSelector": {
                "matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]
            }
        },
        {"podSelector": {"matchLabels": {"app": 1}}},
        {"podSelector": "app=db"},
    ],
)
def test_a_policy_that_the_api_would_refuse_leaves_it_open(spec: Document) -> None:
    decision = asked(cluster(WEB, DB, policy("shop/p", **spec)), "shop/web", "shop/db")
    assert decision.verdict == "unknown"
    assert [by.name for by in decision.by] == ["shop/p"]
    assert [(gap.reason, gap.to_open) for gap in decision.gaps] == [
        ("malformed", "kubectl get networkpolicy -n shop p -o yaml")
    ]


def test_a_policy_that_the_api_would_refuse_counts_only_for_those_it_selects() -> None:
    wrong = {"ingress": [{"from": "all"}], "podSelector": {"matchLabels": {"app": "web"}}}
    snapshot = cluster(WEB, DB, policy("shop/p", **wrong))
    assert verdict(snapshot, "shop/db", "shop/web") == "unknown"


def test_a_policy_that_the_api_would_refuse_counts_only_in_its_directions() -> None:
    wrong = policy("shop/p", ingress=[{"from": "all"}], policyTypes=["Ingress"])
    snapshot = cluster(WEB, DB, wrong)
    assert verdict(snapshot, "shop/web", "internet") == "allowed"
    assert verdict(snapshot, "internet", "shop/web") == "unknown"


def test_a_policy_that_the_api_would_refuse_cannot_take_back_what_another_allows() -> None:
    wrong = policy("shop/p", podSelector={}, ingress=[{"from": "all"}], policyTypes=["Ingress"])
    allows = policy("shop/q", ingress=[{}], policyTypes=["Ingress"])
    decision = asked(cluster(WEB, DB, wrong, allows), "internet", "shop/db")
    assert decision.verdict == "allowed"


def test_policies_that_nobody_read_are_a_gap_and_not_an_unknown() -> None:
    snapshot = snapshot_of({"documents": [WEB, DB]})
    decision = asked(snapshot, "shop/web", "shop/db")
    assert decision.passes
    assert [gap.to_open for gap in decision.gaps] == ["kubectl get networkpolicies -n shop -o json"]


@pytest.mark.parametrize(
    ("ports", "expected"),
    [([], "allowed"), ([{}], "allowed"), ([{"port": 80}], "unknown"), ([{"port": "x"}], "blocked")],
)
def test_without_a_port_only_rules_for_all_ports_decide(
    ports: list[Document], expected: str
) -> None:
    snapshot = cluster(WEB, DB, policy("shop/p", ingress=[{"ports": ports}]))
    assert verdict(snapshot, "shop/web", "shop/db", "TCP") == expected


@pytest.mark.parametrize(
    ("rules", "expected"), [([], "unknown"), ([{}], "allowed"), ([{"ports": [{}]}], "unknown")]
)
def test_the_api_leaves_open_what_isolation_means_for_a_ping(
    rules: list[Document], expected: str
) -> None:
    snapshot = cluster(WEB, DB, policy("shop/p", ingress=rules))
    decision = asked(snapshot, "shop/web", "shop/db", "ICMP")
    assert decision.verdict == expected
    assert bool(decision.gaps) == (expected == "unknown")


def test_a_ping_without_policies_passes() -> None:
    assert verdict(cluster(WEB, DB), "shop/web", "shop/db", "ICMP") == "allowed"


def test_a_pod_of_the_host_on_an_unknown_node_may_be_on_the_own_one() -> None:
    agent = pod("shop/agent", ip="10.9.0.1", hostNetwork=True)
    decision = asked(cluster(agent, DB, policy("shop/p")), "shop/agent", "shop/db")
    assert decision.verdict == "unknown"
    assert "the node that runs" in decision.gaps[0].what


def ports(snapshot: Any, protocol: str = "tcp") -> tuple[int, ...]:
    one, other = place(snapshot, "shop/web"), place(snapshot, "shop/db")
    return ports_that_matter(snapshot, one, other, protocol)


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ([], (80,)),
        ([{"port": 443}], (80, 443)),
        ([{"port": 80}], (1, 80)),
        ([{"port": 1}, {"port": 80}], (1, 2, 80)),
        ([{"port": "pg"}], (80, 5432)),
        ([{"port": 53, "protocol": "UDP"}], (80,)),
        ([{"port": 90, "endPort": 99}], (80, 90, 99)),
        ([{"port": 90, "endPort": 99}, {"port": 95, "endPort": 105}], (80, 90, 95, 99, 100, 105)),
        ([{}], (1, 65535)),
        ([{}, {"port": 443}], (1, 443, 444, 65535)),
    ],
)
def test_the_ports_that_matter_are_the_edges_and_one_that_nobody_names(
    listed: list[Document], expected: tuple[int, ...]
) -> None:
    snapshot = cluster(WEB, DB, policy("shop/p", ingress=[{"ports": listed}]))
    assert ports(snapshot) == expected


def test_policies_are_found_by_the_pod_that_they_select() -> None:
    snapshot = cluster(
        WEB, DB, policy("shop/all"), policy("shop/db", podSelector={"matchLabels": {"app": "db"}})
    )
    found = policies_selecting(snapshot, place(snapshot, "shop/web").pod, "ingress")
    assert [(one.name, one.is_certain) for one in found] == [("shop/all", True)]
    assert policies_selecting(snapshot, place(snapshot, "shop/db").pod, "egress") == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 70_000) | st.sampled_from(["a", "TCP", "::/0", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(JSON, st.sampled_from(KINDS))
def test_no_document_however_odd_breaks_the_evaluation(spec: Any, kind: str) -> None:
    short, _, version = kind.partition(" ")
    metadata = {"name": "odd", "namespace": "shop"}
    odd = {"apiVersion": version, "kind": short, "metadata": metadata, "spec": spec}
    found = verdict(snapshot_of({"documents": [WEB, DB, odd]}), "shop/web", "shop/db")
    assert found in {"allowed", "blocked", "unknown"}

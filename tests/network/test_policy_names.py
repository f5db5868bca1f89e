"""Pods that policies keep from the DNS of the cluster, and whether they need it."""

from typing import Any

import pytest
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    cluster,
    node,
    pod,
    policy,
)

from sickbay.model.evidence import UnseenError
from sickbay.network.policy_names import Deaf, deaf_pods

SERVER = pod("kube-system/coredns-1", {"k8s-app": "kube-dns"}, ip="10.244.0.2")
WEB = pod("shop/web-1", {"app": "web"}, ip="10.244.1.5")
OUT: list[Any] = [{"to": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8"]}}]}]
TO_DB: list[Any] = [{"to": [{"podSelector": {"matchLabels": {"app": "db"}}}]}]
TO_ADDRESS: list[Any] = [{"to": [{"ipBlock": {"cidr": "10.20.0.5/32"}}]}]


def egress(rules: list[Any]) -> Document:
    made: Document = policy("shop/out", policyTypes=["Egress"], egress=rules)
    return made


def found(*documents: Document) -> list[Deaf]:
    return list(deaf_pods(cluster(SERVER, *documents)).values())


@pytest.mark.parametrize(
    ("rules", "reaches", "is_certain"),
    [
        (OUT, "the internet", True),
        (TO_DB, "other pods", False),
        (TO_ADDRESS, "", False),
        ([], "", False),
    ],
)
def test_what_pods_may_reach_tells_whether_they_need_names(
    rules: list[Any], reaches: str, is_certain: bool
) -> None:
    (deaf,) = found(WEB, egress(rules))
    assert (deaf.pod, deaf.reaches, deaf.is_certain) == ("shop/web-1", reaches, is_certain)


def test_a_rule_for_port_53_lets_them_ask() -> None:
    assert found(WEB, egress([*OUT, {"ports": [{"port": 53, "protocol": "UDP"}]}])) == []


def test_a_policy_at_the_server_stops_pods_that_are_free_to_send() -> None:
    closed = policy("kube-system/closed", policyTypes=["Ingress"])
    (deaf,) = found(WEB, closed, policy("shop/in", policyTypes=["Ingress"]))
    assert deaf.reaches == "everything else"
    assert deaf.by.name == "kube-system/closed"


@pytest.mark.parametrize("spec", [{"dnsPolicy": "Default"}, {"hostNetwork": True}])
def test_pods_that_do_not_ask_the_cluster_are_left_out(spec: dict[str, Any]) -> None:
    assert found(pod("shop/web-1", {"app": "web"}, **spec), egress(OUT)) == []


def test_with_an_answer_on_each_node_nobody_is_deaf() -> None:
    local = node("n1", "10.1.0.4", **{"kubernetes.azure.com/localdns-state": "enabled"})
    assert found(WEB, egress(OUT), local) == []


def test_servers_that_were_not_read_leave_it_open() -> None:
    with pytest.raises(UnseenError):
        deaf_pods(cluster(WEB, egress(OUT)))

"""Who can talk to whom: groups of pods that are alike, and cells that agree with single answers."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st
from policy_kit import (  # type: ignore[import-not-found]
    Document,
    asked,
    cluster,
    namespace,
    node,
    pod,
    policy,
)
from policy_random import Random  # type: ignore[import-not-found]

from sickbay.engine.casebook import snapshot_of
from sickbay.network.matrix import Matrix, expand, matrix
from sickbay.network.traffic import Traffic

WEB = {"podSelector": {"matchLabels": {"app": "web"}}}


def replicas(app: str, count: int, ports: list[tuple[str, int]] | None = None) -> list[Document]:
    """Pods of one workload, each with a label of its own."""
    return [
        pod(
            f"shop/{app}{at}",
            {"app": app, "index": str(at)},
            ip=f"10.0.{len(app)}.{at}",
            ports=ports or [],
        )
        for at in range(count)
    ]


def table(found: Matrix) -> dict[tuple[str, str, str], str]:
    return {(c.source, c.target, f"{c.protocol} {c.ports}"): str(c.verdict) for c in found.cells}


def test_pods_that_no_policy_tells_apart_are_one_group() -> None:
    snapshot = cluster(
        namespace("shop"),
        *replicas("web", 3),
        *replicas("db", 2, [("pg", 5432)]),
        policy("shop/p", podSelector={"matchLabels": {"app": "db"}}, ingress=[{"from": [WEB]}]),
    )
    found = matrix(snapshot, ["shop"])
    assert found.rows == (
        "pod/shop/db0",
        "pod/shop/db1",
        "pod/shop/web0",
        "pod/shop/web1",
        "pod/shop/web2",
    )
    assert found.groups == {
        "pod/shop/db0": ("pod/shop/db0", "pod/shop/db1"),
        "pod/shop/web0": ("pod/shop/web0", "pod/shop/web1", "pod/shop/web2"),
    }
    assert table(found) == {
        ("pod/shop/db0", "pod/shop/db0", "TCP 5432"): "blocked",
        ("pod/shop/web0", "pod/shop/db0", "TCP 5432"): "allowed",
        ("pod/shop/db0", "pod/shop/web0", "TCP every port"): "allowed",
        ("pod/shop/web0", "pod/shop/web0", "TCP every port"): "allowed",
    }


def test_a_cell_names_the_policies_that_decide() -> None:
    snapshot = cluster(
        namespace("shop"),
        *replicas("web", 1),
        *replicas("db", 1),
        policy("shop/in", podSelector={"matchLabels": {"app": "db"}}),
        policy("shop/out", **WEB, policyTypes=["Egress"]),
    )
    found = {(c.source, c.target): c.by for c in matrix(snapshot).cells}
    both = ("NetworkPolicy shop/out", "NetworkPolicy shop/in")
    assert found["pod/shop/web0", "pod/shop/db0"] == both
    assert found["pod/shop/db0", "pod/shop/web0"] == ()


def test_ports_that_are_treated_differently_have_cells_of_their_own() -> None:
    rule = {"ports": [{"port": 80}, {"port": 90, "endPort": 99}]}
    snapshot = cluster(
        namespace("shop"), *replicas("web", 1), *replicas("db", 1), policy("shop/p", ingress=[rule])
    )
    found = {c.ports: str(c.verdict) for c in matrix(snapshot).cells}
    assert found == {"80": "allowed", "90-99": "allowed", "every other port": "blocked"}


def test_of_very_many_classes_of_ports_some_are_left_out_and_counted() -> None:
    rule = {"ports": [{"port": 2 * at} for at in range(100, 200)]}
    snapshot = cluster(namespace("shop"), *replicas("web", 2), policy("shop/p", ingress=[rule]))
    found = matrix(snapshot)
    assert len(found.cells) == 64
    assert [gap.what.split()[0] for gap in found.gaps] == ["37"]


def test_a_port_that_is_asked_for_is_the_only_one() -> None:
    snapshot = cluster(namespace("shop"), *replicas("web", 2, [("http", 80)]))
    found = matrix(snapshot, ["shop"], Traffic("udp", 53))
    assert {(c.protocol, c.port) for c in found.cells} == {("UDP", 53)}


def test_a_pod_alone_in_its_group_reaches_itself() -> None:
    snapshot = cluster(namespace("shop"), *replicas("web", 1), policy("shop/p"))
    assert [str(c.verdict) for c in matrix(snapshot).cells] == ["allowed"]


def test_addresses_tell_pods_apart_only_where_a_block_does() -> None:
    pods = replicas("web", 4)
    block = {"ipBlock": {"cidr": "10.0.3.0/31"}}
    plain = cluster(namespace("shop"), *pods, policy("shop/p", ingress=[{"from": [WEB]}]))
    split = cluster(namespace("shop"), *pods, policy("shop/p", ingress=[{"from": [block]}]))
    assert len(matrix(plain).groups) == 1
    assert list(matrix(split).groups.values()) == [
        ("pod/shop/web0", "pod/shop/web1"),
        ("pod/shop/web2", "pod/shop/web3"),
    ]


def test_pods_that_have_ended_are_no_rows() -> None:
    ended = pod("shop/job", ip="10.0.0.1", phase="Failed")
    assert matrix(cluster(namespace("shop"), ended)).rows == ()


def test_only_the_namespaces_asked_for_are_rows() -> None:
    snapshot = cluster(*replicas("web", 1), pod("bank/a", ip="10.1.0.1"))
    assert matrix(snapshot, ["bank"]).rows == ("pod/bank/a",)


def test_the_own_node_is_told_apart_when_all_pairs_are_listed() -> None:
    snapshot = cluster(
        namespace("shop"),
        node("one", "10.9.0.1"),
        node("two", "10.9.0.2"),
        pod("shop/a", {"app": "a"}, ip="10.0.0.1", node="one"),
        pod("shop/b", {"app": "a"}, ip="10.0.0.2", node="two"),
        pod("shop/host", ip="10.9.0.1", node="one", hostNetwork=True),
        policy("shop/p"),
    )
    pairs = expand(matrix(snapshot)) or ()
    found = {c.target: str(c.verdict) for c in pairs if c.source == "pod/shop/host"}
    assert found == {
        "pod/shop/a": "allowed",
        "pod/shop/b": "blocked",
        "pod/shop/host": "allowed",
    }


def test_too_many_pairs_are_not_listed() -> None:
    snapshot = cluster(namespace("shop"), *replicas("web", 101))
    assert expand(matrix(snapshot)) is None


def test_what_is_not_known_is_named_once() -> None:
    red = {"namespaceSelector": {"matchLabels": {"team": "red"}}}
    snapshot = cluster(*replicas("web", 5), policy("shop/p", ingress=[{"from": [red]}]))
    found = matrix(snapshot)
    assert {str(cell.verdict) for cell in found.cells} == {"unknown"}
    assert [gap.to_open for gap in found.gaps] == ["kubectl get namespace shop -o json"]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 1 << 40), st.sampled_from([None, Traffic("TCP", 80), Traffic("UDP")]))
def test_every_cell_says_what_the_pair_is_told(seed: int, traffic: Traffic | None) -> None:
    snapshot = snapshot_of({"documents": Random(seed).documents()})
    pairs = expand(matrix(snapshot, (), traffic)) or ()
    for cell in pairs[:150]:
        source, target = cell.source.removeprefix("pod/"), cell.target.removeprefix("pod/")
        answer = asked(snapshot, source, target, f"{cell.protocol} {cell.port or 7777}")
        assert answer.verdict is cell.verdict
        names = {f"{by.kind} {by.name}" for by in answer.by}
        assert names == set(cell.by) or str(cell.verdict) == "unknown"


def test_ten_times_the_pods_cost_at_most_twelve_times_the_time() -> None:
    rules = [policy(f"shop/p{at}", **WEB, ingress=[{"from": [WEB]}]) for at in range(20)]
    few = cluster(namespace("shop"), *replicas("web", 400), *rules)
    many = cluster(namespace("shop"), *replicas("web", 4000), *rules)
    matrix(few)
    once, ten_times = _seconds(few), _seconds(many)
    assert ten_times < 12 * once + 0.05


def _seconds(snapshot: object) -> float:
    start = time.process_time()
    matrix(snapshot)  # type: ignore[arg-type]  # made by the kit
    return time.process_time() - start

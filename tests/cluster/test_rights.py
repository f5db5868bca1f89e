"""With the offered role and nothing else a run is full; with less, it says what is missing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.cluster.asking import Told, diagnosed, sickbay
from tests.cluster.fault import Fault, faults, wait_for_all
from tests.cluster.running import Cluster

pytestmark = pytest.mark.enable_socket

ROLE, PLACE = "sickbay-reader", "default"
# One whose cause stands in a log, and one whose cause stands in an event.
TRIED = ("program-cannot-resolve", "image-tag-unknown")


@pytest.fixture(scope="module")
def faulty(quiet_cluster: Cluster) -> Cluster:
    made = [fault for fault in faults() if fault.name in TRIED]
    assert len(made) == len(TRIED)
    for fault in made:
        fault.make(quiet_cluster)
    assert wait_for_all(quiet_cluster, made) == []
    return quiet_cluster


@pytest.fixture
def offered(faulty: Cluster) -> Iterator[list[dict[str, list[str]]]]:
    """The rules of the role that the program offers for this cluster, to be bound as they are."""
    printed = sickbay("collect", "--print-role", cluster=faulty)
    assert printed.returncode == 0, printed.stderr
    yield yaml.safe_load(printed.stdout)["rules"]
    for kind in ("clusterrolebinding", "clusterrole"):
        faulty.kubectl("delete", kind, ROLE)
    faulty.kubectl("delete", "serviceaccount", ROLE, "-n", PLACE)


def reader(cluster: Cluster, rules: list[dict[str, list[str]]]) -> Path:
    """Whoever has these rights and no others."""
    kind = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole"}
    cluster.apply([{**kind, "metadata": {"name": ROLE}, "rules": rules}])
    cluster.kubectl("create", "serviceaccount", ROLE, "-n", PLACE)
    bind = ("create", "clusterrolebinding", ROLE, f"--clusterrole={ROLE}")
    cluster.kubectl(*bind, f"--serviceaccount={PLACE}:{ROLE}")
    return cluster.kubeconfig_of(ROLE, PLACE)


def causes(told: Told) -> set[tuple[str, str]]:
    return {(one["rule"], one["certainty"]) for one in told.found}


def firsts(told: Told) -> dict[str, str]:
    tried: list[Fault] = [fault for fault in faults() if fault.name in TRIED]
    return {fault.name: told.first_of(fault).partition(" ")[0] for fault in tried}


def test_with_the_offered_role_alone_the_result_is_full(
    faulty: Cluster, offered: list[dict[str, list[str]]]
) -> None:
    told = diagnosed("--kubeconfig", str(reader(faulty, offered)))
    assert told.diagnosis["gaps"] == []
    assert causes(told) == causes(diagnosed(cluster=faulty))
    assert firsts(told) == {fault.name: fault.expect for fault in faults() if fault.name in TRIED}


@pytest.mark.parametrize("resource", ["pods/log", "secrets", "events", "nodes", "pods"])
def test_with_less_the_gap_names_what_is_missing(
    faulty: Cluster, offered: list[dict[str, list[str]]], resource: str
) -> None:
    less = [
        {**rule, "resources": left}
        for rule in offered
        if (left := [one for one in rule["resources"] if one != resource])
    ]
    told = diagnosed("--kubeconfig", str(reader(faulty, less)))
    forbidden = [gap for gap in told.diagnosis["gaps"] if gap["reason"] == "forbidden"]
    assert any(resource in gap["what"] for gap in forbidden), json.dumps(told.diagnosis["gaps"])
    assert all("--print-role" in gap["to_open"] for gap in forbidden)
    assert told.diagnosis["health"] != "healthy"

"""What nobody has looked at is told, once it lies there longer than it should."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from kube_server import Api, Served, pod, serving  # type: ignore[import-not-found]
from test_kube_live import diagnosed  # type: ignore[import-not-found]

from sickbay.collect.kube_idle import untouched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Api()) as made:
        yield made


def made(seconds: int, **parts: Any) -> dict[str, Any]:
    """An object of so many seconds ago."""
    stamp = (datetime.now(UTC) - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
    metadata = {"name": "web", "namespace": "shop", "creationTimestamp": stamp, "generation": 1}
    return {"metadata": metadata, **parts}


def waiting(seconds: int, **spec: Any) -> dict[str, Any]:
    body: dict[str, Any] = pod("web")
    return {**body, **made(seconds), "spec": spec, "status": {"phase": "Pending"}}


@pytest.mark.parametrize(
    ("seconds", "spec", "rules"),
    [
        (300, {}, ["kubernetes.scheduler_down"]),
        # Made in a minute by our clock, so that no run is slow enough to find it old.
        (-60, {}, []),
        (300, {"resourceClaims": [{"name": "gpu", "resourceClaimName": "shared"}]}, []),
        (300, {"nodeName": "n1"}, []),
        (300, {"schedulerName": "my-scheduler"}, []),
    ],
)
def test_a_pod_that_no_scheduler_has_seen_is_told(
    served: Served, tmp_path: Path, seconds: int, spec: dict[str, Any], rules: list[str]
) -> None:
    served.api.add("pods", waiting(seconds, **spec))
    found = [one.rule for one in diagnosed(served, tmp_path).causes]
    assert [rule for rule in found if rule == "kubernetes.scheduler_down"] == rules


def test_a_pod_that_the_scheduler_refused_was_seen(served: Served, tmp_path: Path) -> None:
    body = waiting(300)
    refused = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
    body["status"]["conditions"] = [refused]
    served.api.add("pods", body)
    causes = diagnosed(served, tmp_path).causes
    assert all(one.rule != "kubernetes.scheduler_down" for one in causes)


def test_a_workload_that_no_controller_has_seen_is_told(served: Served, tmp_path: Path) -> None:
    served.api.add("deployments", made(300, spec={"replicas": 1}, status={}), group="apps")
    assert diagnosed(served, tmp_path).causes[0].rule == "kubernetes.controllers_down"


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("Deployment", {"status": {"observedGeneration": 1}}),
        ("Job", {"status": {"startTime": "2026-01-01T00:00:00Z"}}),
        ("Job", {"spec": {"suspend": True}}),
        ("Job", {"spec": {"managedBy": "kueue.x-k8s.io/multikueue"}}),
        ("CronJob", {}),
    ],
)
def test_what_was_seen_or_waits_on_purpose_is_left_alone(kind: str, parts: dict[str, Any]) -> None:
    assert untouched(kind, made(300, **parts)) is None

"""Metrics of nodes: what is too much for long is told, in words that rules know."""

import json
from typing import Any

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.ids import kube

CLUSTER = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c"


def metric(name: str, *shares: float | None, step: int = 30) -> dict[str, Any]:
    """A metric as `az monitor metrics list` and REST give it."""
    data = [
        {"timeStamp": f"2026-03-01T{n * step // 60:02}:{n * step % 60:02}:00+00:00", "average": one}
        for n, one in enumerate(shares)
    ]
    node = {"name": {"localizedValue": "node", "value": "node"}, "value": "aks-np-vmss000001"}
    return {
        "id": f"{CLUSTER}/providers/Microsoft.Insights/metrics/{name}",
        "name": {"localizedValue": name, "value": name},
        "timeseries": [{"data": data, "metadatavalues": [node]}],
        "type": "Microsoft.Insights/metrics",
        "unit": "Percent",
    }


def heard(*metrics: dict[str, Any]) -> list[str]:
    body = {"cost": 1, "interval": "0:30:00", "value": list(metrics)}
    found = made(json.dumps(body))
    assert not found.snapshot.gaps
    assert not list(found.snapshot.refs())
    assert {text.about for text in found.texts} <= {kube("Node", "", "aks-np-vmss000001")}
    return [text.text for text in found.texts]


def test_a_node_at_its_limit_for_long_is_told_with_its_peak() -> None:
    told = heard(metric("node_memory_working_set_percentage", 80.0, 96.5, 99.9, 60.0))
    words = (
        "node metrics: memory of aks-np-vmss000001 at 99 percent, above its limit for 60 minutes"
    )
    assert told == [words]


@pytest.mark.parametrize(
    "found",
    [
        metric("node_cpu_usage_percentage", 10.0, 99.0, 10.0, step=5),
        metric("node_disk_usage_percentage", 89.0, 89.0, 89.0),
        metric("node_memory_working_set_percentage", None, None),
        metric("node_memory_working_set_percentage", 99.0),
        metric("kube_pod_status_ready", 100.0, 100.0, 100.0),
        metric("node_cpu_usage_percentage"),
    ],
    ids=["moment", "below", "no figures", "one point", "another", "empty"],
)
def test_anything_else_says_nothing(found: dict[str, Any]) -> None:
    assert heard(found) == []

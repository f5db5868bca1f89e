"""The answers of a workspace: each row is a message, counted, about something."""

import json
from typing import Any

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.ids import arm, kube

CLUSTER = (
    "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks1"
)


def table(columns: str, *rows: list[Any]) -> str:
    named = [{"name": name, "type": "string"} for name in columns.split()]
    return json.dumps({"tables": [{"name": "PrimaryResult", "columns": named, "rows": rows}]})


def test_a_line_of_the_control_plane_is_about_its_cluster() -> None:
    columns = "Category Message _ResourceId Times Last"
    row = ["cluster-autoscaler", "failed to increase", CLUSTER.lower(), 7, "2026-01-01T00:00:00Z"]
    [text] = made(table(columns, row)).texts
    assert (text.text, text.about) == ("failed to increase", arm(CLUSTER))
    assert (text.channel, text.times) == ("log/cluster-autoscaler", 7)
    assert text.at == "2026-01-01T00:00:00Z"


def test_an_event_is_about_its_object() -> None:
    columns = "Namespace Name ObjectKind Reason Message _ResourceId"
    row = ["shop", "cart-0", "Pod", "FailedMount", "no such disk", CLUSTER]
    [text] = made(table(columns, row)).texts
    assert (text.text, text.about) == ("FailedMount: no such disk", kube("Pod", "shop", "cart-0"))
    assert text.channel == "event"


def test_an_empty_table_is_understood() -> None:
    assert made(table("Message")).not_understood == []


@pytest.mark.parametrize("row", [[], ["a", "b", "c"], [None], [""], [5]])
def test_a_row_of_another_form_is_no_crash(row: list[Any]) -> None:
    assert made(table("Message", row)).not_understood == []

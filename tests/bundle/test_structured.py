"""JSON and YAML files of any origin, whole or broken."""

import json

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import arm

CLUSTER = (
    "/subscriptions/1/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks1"
)
FAILED = {"id": CLUSTER, "properties": {"provisioningState": "Failed"}}


def state(text: str) -> str | None:
    found = made(text).snapshot.find(arm(CLUSTER))
    assert isinstance(found, ManagedCluster)
    return found.provisioning_state


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(FAILED),
        "\ufeff" + json.dumps(FAILED),
        json.dumps([FAILED], indent=2).replace("\n", "\r\n"),
        json.dumps({"value": [FAILED]}),
        f"id: {CLUSTER}\nname: aks1\nprovisioningState: Failed\n",
        f"- id: {CLUSTER}\n  provisioningState: Failed\n",
    ],
)
def test_one_resource_in_any_form(text: str) -> None:
    assert state(text) == "Failed"


def test_of_a_key_given_twice_one_counts() -> None:
    members = '"provisioningState": "Succeeded", "provisioningState": "Failed"'
    assert state(f'{{"id": "{CLUSTER}", {members}}}') == "Failed"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "9" * 400, "1e999"])
def test_numbers_that_are_none_cost_nothing_else(number: str) -> None:
    assert state(f'{{"id": "{CLUSTER}", "provisioningState": "Failed", "x": {number}}}') == "Failed"


@pytest.mark.parametrize("text", ["[" * 5000 + "]" * 5000, '{"a":' * 5000 + "1" + "}" * 5000])
def test_nesting_of_any_depth_is_survived(text: str) -> None:
    assert made(text).snapshot is not None


def test_a_body_cut_off_anywhere_is_still_heard_or_admitted() -> None:
    text = json.dumps({"error": {"code": "QuotaExceeded", "message": "no cores are left here"}})
    for end in range(40, len(text), 7):
        found = made(text[:end])
        assert found.logs or found.texts or found.not_understood


def test_an_empty_list_asks_for_nothing() -> None:
    assert made("[]").not_understood == []

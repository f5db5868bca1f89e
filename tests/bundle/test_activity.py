"""Events of the activity log speak when they tell of a failure."""

import json
from typing import Any

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.ids import arm

CLUSTER = (
    "/subscriptions/1/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks1"
)
SAID = (
    '{"status":"Failed","error":{"code":"Conflict","message":"{\\"code\\":\\"QuotaExceeded\\"}"}}'
)


def event(status: str, **members: Any) -> dict[str, Any]:
    return {
        "eventTimestamp": "2024-08-30T10:00:00.1234567Z",
        "operationName": {"value": "Microsoft.ContainerService/managedClusters/write"},
        "status": {"value": status},
        "resourceId": CLUSTER,
        "correlationId": "c0ffee",
        "properties": {"statusMessage": SAID},
        **members,
    }


@pytest.mark.parametrize("wrap", [lambda e: {"value": [e]}, lambda e: [e]], ids=["rest", "az"])
def test_a_failure_is_about_its_resource_at_its_time(wrap: Any) -> None:
    [text] = made(json.dumps(wrap(event("Failed")))).texts
    assert "QuotaExceeded" in text.text
    assert (text.about, text.channel) == (arm(CLUSTER), "activity-log")
    assert text.at == "2024-08-30T10:00:00.123Z"
    assert "c0ffee" in text.origin.locator


@pytest.mark.parametrize("status", ["Succeeded", "Started", "Accepted", "Resolved"])
def test_what_has_not_failed_is_silent(status: str) -> None:
    found = made(json.dumps([event(status)]))
    assert found.texts == []
    assert found.snapshot.gaps == ()


def test_a_denied_request_tells_its_policies() -> None:
    policies = '[{"policyAssignmentId": "/x", "policyDefinitionEffect": "deny"}]'
    [text] = made(json.dumps([event("Failed", properties={"policies": policies})])).texts
    assert "policyDefinitionEffect" in text.text


def test_a_failure_without_a_word_still_names_its_operation() -> None:
    [text] = made(json.dumps([event("Failed", properties=None)])).texts
    assert text.text == "Microsoft.ContainerService/managedClusters/write: Failed"

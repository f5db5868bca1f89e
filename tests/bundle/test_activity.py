"""Events of the activity log speak when they tell of a failure."""

import json
from typing import Any

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.ids import arm
from sickbay.model.naming import Caller

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


@pytest.mark.parametrize("status", ["Started", "Accepted", "Resolved"])
def test_what_has_not_failed_is_silent(status: str) -> None:
    found = made(json.dumps([event(status)]))
    assert found.texts == []
    assert found.snapshot.gaps == ()


def test_a_good_end_is_told_apart_from_what_is_wrong() -> None:
    [text] = made(json.dumps([event("Succeeded")])).texts
    assert text.text == "Microsoft.ContainerService/managedClusters/write: Succeeded"
    assert (text.about, text.channel) == (arm(CLUSTER), "activity-log/succeeded")
    assert text.at == "2024-08-30T10:00:00.123Z"


def test_that_a_policy_looked_at_a_request_is_no_good_end_of_it() -> None:
    audit = {"value": "Microsoft.Authorization/policies/audit/action"}
    later = "2024-08-30T10:09:00Z"
    seen = event("Succeeded", operationName=audit, eventTimestamp=later, properties={})
    assert made(json.dumps([seen])).texts == []


@pytest.mark.parametrize("missing", ["resourceId", "operationName"])
def test_a_good_end_of_nobody_knows_what_is_silent(missing: str) -> None:
    assert made(json.dumps([event("Succeeded", **{missing: None})])).texts == []


def test_a_description_names_its_operation_too() -> None:
    told = event("Failed", properties=None, description="It broke.")
    [text] = made(json.dumps([told])).texts
    assert text.text == "Microsoft.ContainerService/managedClusters/write: It broke."


def test_a_denied_request_tells_its_policies() -> None:
    policies = '[{"policyAssignmentId": "/x", "policyDefinitionEffect": "deny"}]'
    [text] = made(json.dumps([event("Failed", properties={"policies": policies})])).texts
    assert "policyDefinitionEffect" in text.text


def test_a_failure_without_a_word_still_names_its_operation() -> None:
    [text] = made(json.dumps([event("Failed", properties=None)])).texts
    assert text.text == "Microsoft.ContainerService/managedClusters/write: Failed"


def test_an_event_tells_who_called_from_where() -> None:
    request = {"clientIpAddress": "203.0.113.10", "method": "PUT"}
    happened = event("Succeeded", caller="a@x.test", httpRequest=request)
    [caller] = made(json.dumps([happened, happened])).snapshot.some(Caller)
    assert caller == Caller(who="a@x.test", address="203.0.113.10", day="2024-08-30")


def test_a_pasted_event_tells_its_error_alone() -> None:
    request = {"clientIpAddress": "203.0.113.10"}
    found = made(json.dumps(event("Failed", httpRequest=request)), "stdin")
    assert (len(found.texts), len(found.snapshot)) == (1, 0)

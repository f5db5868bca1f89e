"""Policies as `az` prints them: assignments, exemptions, and what does not comply."""

import json
from typing import Any

from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.azure_policy import PolicyAssignment, PolicyExemption, PolicyState

SUBSCRIPTION = "/subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333"
SHOP = f"{SUBSCRIPTION}/resourceGroups/shop/providers"
ASSIGNMENTS = "providers/Microsoft.Authorization/policyAssignments"
CORP = f"/providers/Microsoft.Management/managementGroups/corp/{ASSIGNMENTS}/regions"
# As `az policy assignment list --disable-scope-strict-match -o json` prints it.
ASSIGNMENT = {
    "description": None,
    "displayName": "Allowed regions",
    "enforcementMode": "Default",
    "id": CORP,
    "identity": None,
    "location": None,
    "metadata": {"createdOn": "2026-01-23T04:52:14.1387792Z"},
    "name": "regions",
    "nonComplianceMessages": None,
    "notScopes": [f"{SUBSCRIPTION}/resourceGroups/sandbox"],
    "parameters": {"listOfAllowedLocations": {"value": ["westeurope"]}},
    "policyDefinitionId": "/providers/Microsoft.Authorization/policyDefinitions/"
    "e56962a6-4747-49cd-b67b-bf8b01975c4c",
    "scope": "/providers/Microsoft.Management/managementGroups/corp",
    "systemData": {"createdAt": "2026-01-23T04:52:14.005839+00:00"},
    "type": "Microsoft.Authorization/policyAssignments",
}
EXEMPTION = {
    "exemptionCategory": "Waiver",
    "expiresOn": "2026-02-27T00:00:00+00:00",
    "id": f"{SHOP}/Microsoft.Authorization/policyExemptions/e",
    "name": "e",
    "policyAssignmentId": CORP,
    "type": "Microsoft.Authorization/policyExemptions",
}
STATE = {
    "complianceState": "NonCompliant",
    "isCompliant": False,
    "policyAssignmentId": f"{SUBSCRIPTION}/{ASSIGNMENTS}/tags",
    "policyAssignmentName": "tags",
    "policyDefinitionAction": "deny",
    "policyDefinitionCategory": "tags",
    "policyDefinitionName": "require-tag",
    "resourceId": f"{SHOP}/Microsoft.Network/loadBalancers/l",
    "resourceType": "/Microsoft.Network/loadBalancers",
    "timestamp": "2026-03-01T17:48:05+00:00",
}


def read(value: Any) -> Any:
    return made(json.dumps(value), "saved.json").snapshot


def test_an_assignment_above_all_subscriptions_is_understood() -> None:
    snapshot = read([ASSIGNMENT])
    assert not snapshot.gaps
    [found] = snapshot.grouped(PolicyAssignment, "name", "regions")
    assert found.parameter("listOfAllowedLocations") == ["westeurope"]
    assert found.covers(f"{SUBSCRIPTION}/resourceGroups/shop")
    assert not found.covers(f"{SUBSCRIPTION}/resourceGroups/Sandbox/x")


def test_an_exemption_says_whom_it_covers() -> None:
    [found] = read([EXEMPTION]).grouped(PolicyExemption, "name", "e")
    assert found.covers(f"{SUBSCRIPTION}/resourceGroups/SHOP/providers/x")
    assert found.is_of(CORP.upper())


def test_only_what_a_policy_denies_is_kept_of_the_states() -> None:
    audit = {**STATE, "policyDefinitionAction": "audit", "policyAssignmentName": "other"}
    fine = {**STATE, "complianceState": "Compliant", "policyAssignmentName": "third"}
    snapshot = read([STATE, audit, fine])
    assert not snapshot.gaps
    [found] = snapshot.grouped(PolicyState, "kind", PolicyState.kind)
    assert (found.resource_id, found.policy_definition_category) == (STATE["resourceId"], "tags")

"""Writes to the simulated Azure: what takes time, what is turned away, and how it is said."""

import json
from typing import Any

import pytest
from ask import Azure, decoded, error_of  # type: ignore[import-not-found]

from sickbay.lab.world import World, load

CLUSTER = "@shop/Microsoft.ContainerService/managedClusters/prod"
NEW = "@shop/Microsoft.ContainerService/managedClusters/next"
BODY = {
    "location": "westeurope",
    "properties": {
        "agentPoolProfiles": [{"name": "system", "count": 2, "vmSize": "Standard_D4s_v3"}]
    },
}


def changed(**fields: Any) -> World:
    """The healthy world with something laid over it."""
    return load("aks-healthy")._replace(**fields)


def test_a_cluster_comes_to_be_over_time_and_its_machines_with_it() -> None:
    azure = Azure("aks-healthy")
    made = azure.ask("PUT", NEW, BODY)
    assert made.status == 201
    assert decoded(made)["properties"]["provisioningState"] == "Creating"
    link = made.headers["Azure-AsyncOperation"]
    assert decoded(azure.follow(link))["status"] == "InProgress"
    azure.clock.wait(minutes=2.5)
    assert "nodes completed" in decoded(azure.follow(link))["status"]
    azure.clock.wait(minutes=2)
    done = decoded(azure.follow(link))
    assert (done["status"], "endTime" in done) == ("Succeeded", True)
    body = azure.get(NEW)
    assert body["properties"]["provisioningState"] == "Succeeded"
    assert body["properties"]["agentPoolProfiles"][0]["provisioningState"] == "Succeeded"
    nodes = body["properties"]["nodeResourceGroup"]
    sets = azure.get(f"@{nodes}/Microsoft.Compute/virtualMachineScaleSets")["value"]
    assert [one["sku"]["capacity"] for one in sets] == [2]
    instances = azure.get(f"{sets[0]['id']}/virtualMachines", expand="instanceView")["value"]
    assert [one["properties"]["instanceView"]["statuses"][1]["code"] for one in instances] == [
        "PowerState/running",
        "PowerState/running",
    ]


def test_a_pool_that_is_scaled_has_more_machines_afterwards() -> None:
    azure = Azure("aks-healthy")
    azure.ask("PUT", NEW, BODY)
    azure.clock.wait(minutes=5)
    pool = azure.get(f"{NEW}/agentPools/system")
    pool["properties"]["count"] = 3
    assert azure.ask("PUT", f"{NEW}/agentPools/system", pool).status == 200
    azure.clock.wait(minutes=5)
    nodes = azure.get(NEW)["properties"]["nodeResourceGroup"]
    sets = azure.get(f"@{nodes}/Microsoft.Compute/virtualMachineScaleSets")["value"]
    assert len(azure.get(f"{sets[0]['id']}/virtualMachines")["value"]) == 3


def test_a_deletion_is_accepted_and_takes_time() -> None:
    azure = Azure("aks-healthy")
    gone = azure.ask("DELETE", CLUSTER)
    assert gone.status == 202
    assert {"Azure-AsyncOperation", "Location"} <= set(gone.headers)
    assert azure.get(CLUSTER)["properties"]["provisioningState"] == "Deleting"
    assert azure.follow(gone.headers["Location"]).status == 202
    azure.clock.wait(minutes=10)
    assert azure.ask("GET", CLUSTER).status == 404
    assert azure.follow(gone.headers["Location"]).status == 204
    assert azure.ask("DELETE", CLUSTER).status == 204


def test_the_log_appears_late() -> None:
    azure = Azure("aks-healthy")
    azure.ask("PUT", NEW, BODY)
    ask = {"filter": f"eventTimestamp ge '{azure.clock.now.isoformat()}'"}
    log = "@/Microsoft.Insights/eventtypes/management/values"
    assert azure.get(log, **ask)["value"] == []
    azure.clock.wait(minutes=4)
    assert azure.get(log, **ask)["value"] == []
    azure.clock.wait(minutes=6)
    statuses = [event["status"]["value"] for event in azure.get(log, **ask)["value"]]
    assert statuses == ["Succeeded", "Started"]


def test_an_operation_can_end_badly_and_says_why_in_three_places() -> None:
    error = {"code": "VMExtensionProvisioningError", "message": "vmssCSE exit status=50"}
    pools = "Microsoft.ContainerService/managedClusters/agentPools"
    azure = Azure(changed(outcomes=[{"of": pools, "error": error}]))
    pool = f"{CLUSTER}/agentPools/apps"
    begun = azure.ask("PUT", pool, azure.get(pool))
    azure.clock.wait(minutes=20)
    assert decoded(azure.follow(begun.headers["Azure-AsyncOperation"]))["error"] == error
    body = azure.get(pool)
    assert body["properties"]["provisioningState"] == "Failed"
    assert body["properties"]["status"]["provisioningError"] == error
    start = azure.clock.now.replace(hour=0).isoformat()
    log = azure.get(
        "@/Microsoft.Insights/eventtypes/management/values",
        filter=f"eventTimestamp ge '{start}' and resourceUri eq '{azure.id(pool)}'",
    )
    said = json.loads(log["value"][0]["properties"]["statusMessage"])
    assert said["error"]["code"] == "ResourceOperationFailure"
    assert said["error"]["details"] == [error]


def test_one_operation_at_a_time_on_a_cluster() -> None:
    azure = Azure("aks-healthy")
    azure.ask("PUT", CLUSTER, azure.get(CLUSTER))
    second = azure.ask("PUT", CLUSTER, azure.get(CLUSTER))
    assert (second.status, decoded(second)["code"]) == (409, "EtagMismatch")


def test_a_lock_stops_writes_and_deletions_below_it() -> None:
    azure = Azure("aks-lock")
    nodes = "@MC_shop_prod_westeurope"
    written = azure.ask("PUT", f"{nodes}/Microsoft.Network/routeTables/r", {"properties": {}})
    assert (written.status, error_of(written)["code"]) == (409, "ScopeLocked")
    assert error_of(azure.ask("DELETE", nodes))["code"] == "ScopeLocked"
    assert azure.ask("DELETE", f"{nodes}/Microsoft.Authorization/locks/keep").status == 200
    again = azure.ask("PUT", f"{nodes}/Microsoft.Network/routeTables/r", {"properties": {}})
    assert again.status == 201


def test_a_lock_against_deletion_lets_writes_pass() -> None:
    lock = {"id": "@shop/Microsoft.Authorization/locks/l", "properties": {"level": "CanNotDelete"}}
    azure = Azure(changed(add=[*load("aks-healthy").add, lock]))
    assert azure.ask("PUT", "@shop/Microsoft.Network/routeTables/r", {}).status == 201
    assert error_of(azure.ask("DELETE", CLUSTER))["code"] == "ScopeLocked"


def test_quota_is_counted_from_the_cores_of_the_size() -> None:
    azure = Azure("aks-quota")
    pool = azure.get(f"{CLUSTER}/agentPools/system")
    pool["properties"]["count"] = 5
    refused = azure.ask("PUT", f"{CLUSTER}/agentPools/system", pool)
    assert (refused.status, decoded(refused)["code"]) == (400, "QuotaExceeded")
    assert (
        "Current Limit: 28, Current Usage: 24, Additional Required: 8" in refused.content.decode()
    )
    pool["properties"]["count"] = 4
    assert azure.ask("PUT", f"{CLUSTER}/agentPools/system", pool).status == 200


def test_a_precondition_can_come_true_after_some_tries() -> None:
    refusal = {"write": "@early", "status": 409, "code": "MissingSubscriptionRegistration"}
    azure = Azure(changed(refuse=[{**refusal, "times": 2}]))
    asked = [azure.ask("PUT", "@early", {"location": "westeurope"}).status for _ in range(3)]
    assert asked == [409, 409, 201]


def test_a_policy_refuses_and_names_itself() -> None:
    policy = "@shop/Microsoft.Authorization/policyAssignments/no-public-ip"
    assignment = {"id": policy, "properties": {"displayName": "No public addresses"}}
    refusal = {"write": "Microsoft.Network/publicIPAddresses", "policy": policy}
    azure = Azure(changed(add=[*load("aks-healthy").add, assignment], refuse=[refusal]))
    refused = azure.ask("PUT", "@shop/Microsoft.Network/publicIPAddresses/p", {})
    error = error_of(refused)
    assert (refused.status, error["code"]) == (403, "RequestDisallowedByPolicy")
    info = error["additionalInfo"][0]["info"]
    assert info["policyAssignmentId"] == azure.id(policy)
    assert "No public addresses" in error["message"]


def test_a_namespace_must_be_registered_and_can_be() -> None:
    azure = Azure(changed(providers={"Microsoft.Network": "NotRegistered"}))
    refused = azure.ask("PUT", "@shop/Microsoft.Network/routeTables/r", {})
    assert error_of(refused)["details"][0]["target"] == "Microsoft.Network"
    azure.ask("POST", "@/Microsoft.Network/register")
    assert azure.ask("PUT", "@shop/Microsoft.Network/routeTables/r", {}).status == 201


def test_a_disabled_subscription_is_read_only() -> None:
    azure = Azure(changed(subscription={"state": "Disabled"}))
    refused = azure.ask("DELETE", CLUSTER)
    assert error_of(refused)["code"] == "ReadOnlyDisabledSubscription"


def test_what_is_made_needs_its_group_and_its_parent() -> None:
    azure = Azure("aks-healthy")
    nowhere = azure.ask("PUT", "@nowhere/Microsoft.Network/routeTables/r", {})
    assert (nowhere.status, error_of(nowhere)["code"]) == (404, "ResourceGroupNotFound")
    child = azure.ask("PUT", "@shop/Microsoft.Network/virtualNetworks/none/subnets/s", {})
    assert error_of(child)["code"] == "ParentResourceNotFound"


def test_a_network_waits_for_what_it_refers_to() -> None:
    azure = Azure("aks-healthy")
    subnet = "@shop/Microsoft.Network/virtualNetworks/shop-net/subnets/data"
    azure.ask("PUT", subnet, azure.get(subnet))
    body = {"properties": {"subnet": {"id": azure.id(subnet)}}}
    refused = azure.ask("PUT", "@shop/Microsoft.Network/privateEndpoints/e", body)
    assert (refused.status, error_of(refused)["code"]) == (429, "RetryableError")
    assert "Retry-After" not in refused.headers
    azure.clock.wait(minutes=1)
    assert azure.ask("PUT", "@shop/Microsoft.Network/privateEndpoints/e", body).status == 201


def test_any_type_can_be_made_changed_and_removed() -> None:
    azure = Azure("aks-healthy")
    account = "@shop/Microsoft.Storage/storageAccounts/contosodata"
    assert azure.ask("PUT", account, {"location": "westeurope", "tags": {"a": "1"}}).status == 201
    azure.clock.wait(minutes=1)
    assert azure.ask("PATCH", account, {"tags": {"b": "2"}}).status == 200
    assert azure.get(account)["tags"] == {"a": "1", "b": "2"}
    azure.ask("DELETE", account)
    azure.clock.wait(minutes=1)
    assert azure.ask("GET", account).status == 404


def test_a_group_goes_with_everything_in_it() -> None:
    azure = Azure("aks-healthy")
    assert azure.ask("PUT", "@fresh", {"location": "westeurope"}).status == 201
    azure.ask("PUT", "@fresh/Microsoft.Network/routeTables/r", {})
    azure.clock.wait(minutes=1)
    gone = azure.ask("DELETE", "@fresh")
    assert (gone.status, "Location" in gone.headers) == (202, True)
    azure.clock.wait(minutes=1)
    assert azure.ask("GET", "@fresh").status == 404


@pytest.mark.parametrize("verb", ["stop", "start"])
def test_a_cluster_is_stopped_and_started(verb: str) -> None:
    azure = Azure("aks-healthy")
    assert azure.ask("POST", f"{CLUSTER}/{verb}").status == 202
    azure.clock.wait(minutes=10)
    code = azure.get(CLUSTER)["properties"]["powerState"]["code"]
    assert code == {"stop": "Stopped", "start": "Running"}[verb]

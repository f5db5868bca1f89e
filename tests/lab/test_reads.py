"""Reads of the simulated Azure: bodies, lists, refusals, and what goes wrong on the way."""

from typing import Any

import msgspec
import pytest
from ask import ORIGIN, Azure, decoded, error_of  # type: ignore[import-not-found]

from sickbay.lab.answers import Asked
from sickbay.lab.world import World, load, worlds

CLUSTER = "@shop/Microsoft.ContainerService/managedClusters/prod"
SETS = "@MC_shop_prod_westeurope/Microsoft.Compute/virtualMachineScaleSets"


def changed(**fields: Any) -> World:
    return load("aks-healthy")._replace(**fields)


@pytest.mark.parametrize("name", worlds())
def test_every_resource_of_every_world_can_be_read(name: str) -> None:
    # Without what goes wrong on the way on purpose.
    azure = Azure(load(name)._replace(trouble=(), versions={}))
    store = azure.simulated.estate.store
    ids = [store.id(key) for key in store._raw]
    assert ids
    assert worlds()[name]
    for id in ids:
        reply = azure.ask("GET", id)
        if reply.status == 403:
            continue
        body = msgspec.json.decode(reply.content)
        assert id.endswith("/instanceView") or body["id"] == id


@pytest.mark.parametrize("name", worlds())
def test_every_reference_of_every_world_is_spelt_as_an_id(name: str) -> None:
    azure = Azure(name)
    store = azure.simulated.estate.store
    texts = b"".join(store._raw.values()).decode()
    assert '"@' not in texts
    assert "{@" not in texts
    assert "{n}" not in texts


def test_a_parent_shows_its_children() -> None:
    azure = Azure("aks-healthy")
    pools = azure.get(CLUSTER)["properties"]["agentPoolProfiles"]
    assert [pool["name"] for pool in pools] == ["system", "apps"]
    network = azure.get("@shop/Microsoft.Network/virtualNetworks/shop-net")
    assert [one["name"] for one in network["properties"]["subnets"]] == ["nodes", "data"]


def test_ids_are_found_in_any_case_and_keep_their_spelling() -> None:
    azure = Azure("aks-healthy")
    assert azure.get(azure.id(CLUSTER).upper())["id"] == azure.id(CLUSTER)


def test_instances_come_with_their_view_only_when_it_is_wanted() -> None:
    azure = Azure("aks-healthy")
    path = f"{SETS}/aks-apps-31415926-vmss/virtualMachines"
    plain = azure.get(path)["value"]
    assert len(plain) == 3
    assert not any("instanceView" in one["properties"] for one in plain)
    views = [
        one["properties"]["instanceView"] for one in azure.get(path, expand="instanceView")["value"]
    ]
    assert views[2]["computerName"] == "aks-apps-31415926-vmss000002"
    summary = azure.get(f"{SETS}/aks-apps-31415926-vmss/instanceView")
    assert {"code": "PowerState/running", "count": 3} in summary["virtualMachine"][
        "statusesSummary"
    ]


def test_lists_come_in_pages_that_may_be_empty() -> None:
    azure = Azure(changed(pages={"size": 2, "empty": True}))
    page, sizes, names = azure.get(f"{SETS}/aks-apps-31415926-vmss/virtualMachines"), [], []
    while True:
        sizes.append(len(page["value"]))
        names += [one["instanceId"] for one in page["value"]]
        if "nextLink" not in page:
            break
        page = decoded(azure.follow(page["nextLink"]))
    assert sizes == [0, 2, 0, 1]
    assert names == ["0", "1", "2"]


def test_what_is_not_there_is_said_in_the_recorded_words() -> None:
    azure = Azure("aks-healthy")
    missing = azure.ask("GET", f"{CLUSTER}x")
    assert (missing.status, error_of(missing)["code"]) == (404, "ResourceNotFound")
    assert (
        "'Microsoft.ContainerService/managedClusters/prodx' under resource group 'shop'"
        in (error_of(missing)["message"])
    )
    group = azure.ask("GET", "@nowhere/Microsoft.Network/virtualNetworks")
    assert error_of(group)["code"] == "ResourceGroupNotFound"


def test_whether_something_is_there_can_be_asked_without_its_body() -> None:
    azure = Azure("aks-healthy")
    assert [azure.ask("HEAD", path).status for path in ("@shop", "@nowhere", CLUSTER)] == [
        204,
        404,
        204,
    ]


def test_a_type_can_be_forbidden() -> None:
    azure = Azure(changed(forbid=["Microsoft.Authorization/locks"]))
    refused = azure.ask("GET", "@shop/Microsoft.Authorization/locks")
    assert refused.status == 403
    assert "perform action 'Microsoft.Authorization/locks/read'" in error_of(refused)["message"]
    assert azure.ask("GET", CLUSTER).status == 200


def test_an_old_version_is_refused_with_the_list_of_new_ones() -> None:
    known = {"Microsoft.Network/virtualNetworks": ["2024-05-01", "2025-01-01"]}
    azure = Azure(changed(versions=known))
    refused = azure.ask("GET", "@shop/Microsoft.Network/virtualNetworks")
    assert (refused.status, error_of(refused)["code"]) == (400, "NoRegisteredProviderFound")
    assert "The supported api-versions are '2024-05-01, 2025-01-01'" in error_of(refused)["message"]


@pytest.mark.parametrize(
    ("version", "code"),
    [("", "MissingApiVersionParameter"), ("latest", "InvalidApiVersionParameter")],
)
def test_a_request_needs_a_version(version: str, code: str) -> None:
    azure = Azure("aks-healthy")
    asked = Asked(
        "GET", "/subscriptions", {"api-version": version}, None, {"authorization": "Bearer x"}
    )
    assert error_of(azure.simulated.answer(asked))["code"] == code


def test_a_request_needs_a_token() -> None:
    azure = Azure("aks-healthy")
    reply = azure.simulated.answer(Asked("GET", "/subscriptions", {}, None, {}, ORIGIN))
    assert reply.status == 401
    assert reply.headers["WWW-Authenticate"].startswith("Bearer authorization_uri=")


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ({"kind": "throttled", "after": 1}, 429),
        ({"kind": "throttled"}, 429),
        ({"kind": "html"}, 503),
        ({"kind": "gateway"}, 502),
        ({"kind": "timeout"}, 504),
    ],
)
def test_trouble_on_the_way_passes(rule: dict[str, Any], status: int) -> None:
    azure = Azure(changed(trouble=[{"at": "/managedClusters", "times": 2, **rule}]))
    replies = [azure.ask("GET", CLUSTER) for _ in range(3)]
    assert [one.status for one in replies] == [status, status, 200]
    assert ("Retry-After" in replies[0].headers) == ("after" in rule)


def test_the_log_is_filtered_as_azure_filters_it() -> None:
    azure = Azure("aks-quota")
    log = "@/Microsoft.Insights/eventtypes/management/values"
    assert azure.ask("GET", log).status == 400
    old = azure.ask("GET", log, filter="eventTimestamp ge '2020-01-01T00:00:00Z'")
    assert "90 days in the past" in decoded(old)["message"]
    since = "eventTimestamp ge '2026-03-01T00:00:00Z'"
    events = azure.get(log, filter=since)["value"]
    assert [event["status"]["value"] for event in events] == ["Failed", "Started"]
    assert len({event["correlationId"] for event in events}) == 1
    other = azure.get(log, filter=f"{since} and resourceGroupName eq 'other'")
    assert other["value"] == []
    correlation = events[0]["correlationId"]
    chain = azure.get(log, filter=f"{since} and correlationId eq '{correlation}'")
    assert len(chain["value"]) == 2


def test_locks_and_roles_are_inherited() -> None:
    azure = Azure("aks-lock")
    nodes = "@MC_shop_prod_westeurope"
    assert len(azure.get(f"{nodes}/Microsoft.Authorization/locks")["value"]) == 1
    assert len(azure.get("@/Microsoft.Authorization/locks")["value"]) == 1
    assert azure.get("@shop/Microsoft.Authorization/locks")["value"] == []
    principal = "3f0c9a52-5f2e-4c1c-8d6d-1f0f3a4b5c02"
    roles = azure.get(
        "@/Microsoft.Authorization/roleAssignments", filter=f"principalId eq '{principal}'"
    )
    assert [one["properties"]["principalId"] for one in roles["value"]] == [principal]


def test_resource_graph_finds_a_cluster_by_the_name_of_its_server() -> None:
    azure = Azure("aks-healthy")
    query = (
        "Resources | where type =~ 'microsoft.containerservice/managedclusters' and "
        "properties.fqdn =~ 'prod-shop-7f1a2b3c.hcp.westeurope.azmk8s.io' | project id, name"
    )
    ask = "/providers/Microsoft.ResourceGraph/resources"
    found = decoded(azure.ask("POST", ask, {"query": query}))
    assert found["data"] == [{"id": azure.id(CLUSTER), "name": "prod"}]
    nothing = decoded(azure.ask("POST", ask, {"query": query.replace("7f1a", "0000")}))
    assert (nothing["count"], nothing["resultTruncated"]) == (0, "false")
    broken = azure.ask("POST", ask, {"query": "| where"})
    assert error_of(broken)["details"][0]["code"] == "InvalidQuery"


def test_everything_in_a_group_is_listed_in_a_few_words() -> None:
    azure = Azure("aks-healthy")
    listed = azure.get(f"{azure.id('@shop')}/resources")["value"]
    types = {one["type"].casefold() for one in listed}
    assert "microsoft.containerservice/managedclusters" in types
    assert "microsoft.network/virtualnetworks/subnets" not in types
    assert not any("properties" in one for one in listed)
    only = azure.get(
        f"{azure.id('@shop')}/resources",
        filter="resourceType eq 'Microsoft.ContainerService/managedClusters'",
    )
    assert [one["name"] for one in only["value"]] == ["prod"]

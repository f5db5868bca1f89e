"""What a saved JSON value is, its members tell; what says that all is well says nothing."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from evidence_kit import made  # type: ignore[import-not-found]
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.foreign.activity import is_event
from sickbay.bundle.foreign.exchanges import is_exchange
from sickbay.bundle.foreign.kube_values import is_kube
from sickbay.bundle.foreign.operations import is_operation, is_step
from sickbay.bundle.foreign.usages import is_usage
from sickbay.bundle.foreign.values import MARKS
from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import Provider, Subscription, VirtualNetwork
from sickbay.model.ids import arm

S = "/subscriptions/11111111-1111-1111-1111-111111111111"
G = f"{S}/resourceGroups/rg"
CLUSTER = f"{G}/providers/Microsoft.ContainerService/managedClusters/aks1"
VNET = f"{G}/providers/Microsoft.Network/virtualNetworks/v1"
QUOTA = {"code": "QuotaExceeded", "message": "Current Limit: 10, Current Usage: 10"}
OPERATION = {"name": "op", "startTime": "2024-08-30T09:45:01Z"}


def operation(status: str, **members: Any) -> str:
    return json.dumps({**OPERATION, "status": status, **members})


def test_a_list_of_one_type_is_complete_within_its_scope() -> None:
    snapshot = made(json.dumps({"value": [{"id": VNET}]})).snapshot
    assert snapshot.has_seen(VirtualNetwork.kind, G)


@pytest.mark.parametrize(
    "more", [{"nextLink": "https://x"}, {"$skipToken": "x"}, {"@odata.nextLink": "https://x"}]
)
def test_a_page_that_has_a_next_one_proves_nothing_of_the_rest(more: dict[str, str]) -> None:
    snapshot = made(json.dumps({"value": [{"id": VNET}], **more})).snapshot
    assert not snapshot.has_seen(VirtualNetwork.kind, G)


def test_the_answer_to_a_query_is_no_inventory() -> None:
    body = {"totalRecords": 1, "count": 1, "data": [{"id": VNET}]}
    snapshot = made(json.dumps(body)).snapshot
    assert not snapshot.has_seen(VirtualNetwork.kind, G)
    assert snapshot.find(arm(VNET))


def test_rows_of_resource_graph_are_resources() -> None:
    columns = [{"name": "id", "type": "string"}, {"name": "name", "type": "string"}]
    body = {"totalRecords": 1, "data": {"columns": columns, "rows": [[CLUSTER, "aks1"]]}}
    assert isinstance(made(json.dumps(body)).snapshot.find(arm(CLUSTER)), ManagedCluster)


def test_a_list_of_providers_is_no_inventory_of_resources() -> None:
    names = ("Microsoft.Compute", "Microsoft.Network")
    values = [
        {"id": f"{S}/providers/{name}", "namespace": name, "registrationState": "Registered"}
        for name in names
    ]
    snapshot = made(json.dumps(values)).snapshot
    assert isinstance(snapshot.find(arm(f"{S}/providers/Microsoft.Compute")), Provider)
    assert not snapshot.has_seen(VirtualNetwork.kind, G)


def test_a_subscription_as_az_account_prints_it_keeps_its_state() -> None:
    body = {
        "id": S[15:],
        "name": "n",
        "state": "Warned",
        "tenantId": "t",
        "cloudName": "AzureCloud",
    }
    found = made(json.dumps([body])).snapshot.find(arm(S))
    assert isinstance(found, Subscription)
    assert found.state == "Warned"


def test_a_failed_operation_speaks_about_its_resource() -> None:
    [text] = made(operation("Failed", error=QUOTA, resourceId=CLUSTER)).texts
    assert "QuotaExceeded" in text.text
    assert text.about == arm(CLUSTER)


@pytest.mark.parametrize("status", ["InProgress", "Succeeded", "CreatingAgentPools: 1/3 done"])
def test_an_error_in_an_operation_that_has_not_failed_is_silent(status: str) -> None:
    found = made(operation(status, error=QUOTA))
    assert found.texts == []
    assert found.not_understood == []


def test_an_action_that_failed_speaks_by_its_message() -> None:
    [text] = made(operation("Failed", endTime="2024-08-30T09:46:01Z", message="not ready")).texts
    assert "not ready" in text.text


def test_a_step_of_a_deployment_is_about_what_it_wanted_to_make() -> None:
    members = {
        "provisioningOperation": "Create",
        "provisioningState": "Failed",
        "targetResource": {"id": CLUSTER},
        "statusMessage": {"status": "Failed", "error": QUOTA},
    }
    body = {"id": "/providers/x/operations/1", "operationId": "1", "properties": members}
    [text] = made(json.dumps({"value": [body]})).texts
    assert text.about == arm(CLUSTER)


@pytest.mark.parametrize(
    "body",
    [
        {"error": QUOTA},
        {**QUOTA, "details": None, "subcode": ""},
        {"status": "Failed", "error": QUOTA},
        {"ErrorResponse": {"error": QUOTA}},
        {"errorCode": "QuotaExceeded", "errorResponse": '{"message": "none left"}'},
    ],
)
def test_each_error_envelope_is_known_and_heard(body: dict[str, Any]) -> None:
    found = made(json.dumps(body))
    assert "QuotaExceeded" in found.texts[0].text
    assert found.not_understood == []


def exchange(status: int, body: Any) -> str:
    url = f"https://management.azure.com{CLUSTER}?api-version=2024-05-01"
    headers = {"x-ms-correlation-request-id": "c0ffee", "azure-asyncoperation": f"{url}&s=SIGNED"}
    response = {"status": status, "headers": headers, "body": body}
    return json.dumps({"request": {"method": "PUT", "url": url}, "response": response})


def test_a_refused_request_speaks_about_its_resource_with_its_ids() -> None:
    [text] = made(exchange(409, QUOTA)).texts
    assert text.about == arm(CLUSTER)
    assert "correlation id c0ffee" in text.origin.locator
    assert "SIGNED" not in repr(text)


def test_an_error_page_in_an_exchange_is_heard() -> None:
    [text] = made(exchange(503, "<html><body>Service Unavailable</body></html>")).texts
    assert "Service Unavailable" in text.text


def test_the_resource_in_an_answer_is_taken() -> None:
    body = {"id": CLUSTER, "properties": {"provisioningState": "Creating"}}
    assert made(exchange(201, body)).snapshot.find(arm(CLUSTER))


def test_healthy_statuses_of_a_machine_say_nothing() -> None:
    ready = {"code": "ProvisioningState/succeeded", "level": "Info", "message": "Agent is running"}
    view = {
        "vmAgent": {"statuses": [ready]},
        "statuses": [{**ready, "displayStatus": "VM running"}],
    }
    found = made(json.dumps(view))
    assert found.texts == []
    assert found.not_understood == []


def test_a_failed_extension_speaks_about_its_instance() -> None:
    id = f"{G}/providers/Microsoft.Compute/virtualMachineScaleSets/s/virtualMachines/0"
    bad = {"code": "ProvisioningState/failed/0", "level": "Error", "message": "exit status=50"}
    body = {"id": id, "properties": {"instanceView": {"extensions": [{"statuses": [bad]}]}}}
    [text] = made(json.dumps(body)).texts
    assert text.about == arm(id)


def test_json_of_no_kind_is_heard_as_a_whole_and_admitted() -> None:
    found = made('{"field_of_ours": "memory is short", "n": 1}')
    assert "memory is short" in found.texts[0].text
    assert len(found.not_understood) == 1


def test_a_long_list_of_no_kind_is_admitted_once() -> None:
    assert len(made(json.dumps([{"n": n} for n in range(500)])).not_understood) == 1


KEYS = [
    *("id", "properties", "status", "error", "statuses", "code", "message", "level", "value"),
    *("request", "response", "url", "headers", "body", "startTime", "operationId", "kind"),
    *("eventTimestamp", "operationName", "currentValue", "limit", "data", "rows", "columns"),
    *("resourceType", "locations", "apiVersion", "items", "metadata", "state", "tenantId"),
]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner | st.just(CLUSTER),
            max_size=6,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(JSON_VALUES)
def test_members_of_any_type_break_no_reader(value: Any) -> None:
    made(json.dumps(value))


@pytest.mark.parametrize(
    ("members", "is_this"),
    [
        ({"apiVersion": "v1", "kind": "Pod"}, is_kube),
        ({"eventTimestamp": "t", "operationName": "o"}, is_event),
        ({"request": {"url": "u"}, "response": {"status": 200}}, is_exchange),
        ({"url": "u", "method": "GET", "status": 200}, is_exchange),
        ({"operationId": "o", "properties": {"targetResource": {}}}, is_step),
        ({"status": "Failed", "error": {"code": "c"}}, is_operation),
        ({"currentValue": 1, "limit": 2}, is_usage),
    ],
)
def test_whatever_is_no_resource_although_it_has_an_id_bears_a_mark(
    members: dict[str, Any], is_this: Callable[[dict[str, Any]], bool]
) -> None:
    value = {"id": CLUSTER, **members}
    assert is_this(value)
    assert not is_this({key: member for key, member in value.items() if key not in MARKS})
    assert MARKS.isdisjoint({"id": CLUSTER, "name": "n", "type": "t", "properties": {}})

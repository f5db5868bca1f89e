"""What Azure holds to be ill is heard; what it holds to be well is not."""

import json
from typing import Any

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.evidence import Text
from sickbay.model.ids import arm

SUBSCRIPTION = "/subscriptions/s"
CLUSTER = (
    "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks1"
)


def said(id: str, **properties: Any) -> list[Text]:
    found = made(json.dumps({"value": [{"id": id, "properties": properties}]}))
    assert found.not_understood == []
    texts: list[Text] = found.texts
    return texts


def availability(state: str) -> list[Text]:
    id = f"{CLUSTER}/providers/Microsoft.ResourceHealth/availabilityStatuses/current"
    return said(id, availabilityState=state, title=state, summary="The API server was restarted.")


def test_a_resource_that_is_not_available_is_heard() -> None:
    [text] = availability("Unavailable")
    assert text.about == arm(CLUSTER)
    assert "The API server was restarted." in text.text


@pytest.mark.parametrize("state", ["Available", "Unknown"])
def test_a_resource_that_is_available_says_nothing(state: str) -> None:
    assert availability(state) == []


def incident(status: str) -> list[Text]:
    id = f"{SUBSCRIPTION}/providers/Microsoft.ResourceHealth/events/ABC-123"
    summary = "<p>Starting at <b>10:00</b> UTC, nodes were not created.</p>"
    return said(id, eventType="ServiceIssue", status=status, title="Nodes", summary=summary)


def test_an_incident_that_goes_on_is_heard_without_the_signs_of_a_page() -> None:
    [text] = incident("Active")
    assert text.text == "ServiceIssue: Nodes: Starting at 10:00 UTC, nodes were not created."
    assert text.about == arm(SUBSCRIPTION)


def test_an_incident_that_is_over_says_nothing() -> None:
    assert incident("Resolved") == []


def alert(condition: str) -> list[Text]:
    id = f"{SUBSCRIPTION}/providers/Microsoft.AlertsManagement/alerts/1"
    essentials = {
        "monitorCondition": condition,
        "alertRule": "/x/KubePodCrashLooping",
        "description": "Fires on OOMKilled and ImagePullBackOff.",
        "targetResource": CLUSTER,
    }
    return said(id, essentials=essentials)


def test_an_alert_says_that_it_fired_and_not_what_it_looks_for() -> None:
    [text] = alert("Fired")
    assert (text.text, text.about) == ("alert KubePodCrashLooping has fired", arm(CLUSTER))


def test_an_alert_that_is_resolved_says_nothing() -> None:
    assert alert("Resolved") == []


def detector(**properties: Any) -> list[Text]:
    return said(f"{CLUSTER}/detectors/node-health", **properties)


def rows(status: str) -> list[dict[str, Any]]:
    columns = [{"columnName": "Status"}, {"columnName": "Message"}, {"columnName": "Solutions"}]
    row = [status, "Nodes are <b>not ready</b>", "Check whether the subnet is full."]
    return [{"table": {"columns": columns, "rows": [row]}}]


def test_a_detector_says_what_it_found() -> None:
    [text] = detector(dataset=rows("Critical"), status={"statusId": 4, "message": ""})
    assert (text.text, text.about) == ("Nodes are not ready", arm(CLUSTER))


def test_a_detector_that_found_nothing_says_nothing() -> None:
    well = {"statusId": 3, "message": "All of the nodes are well."}
    assert detector(dataset=rows("Success"), status=well) == []


@pytest.mark.parametrize(
    "broken", [{"dataset": 5}, {"dataset": [{"table": {"rows": [[]], "columns": [{}]}}]}]
)
def test_a_detector_of_another_form_says_nothing(broken: dict[str, Any]) -> None:
    assert detector(**broken) == []

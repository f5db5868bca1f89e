"""Recorded requests with their answers: failures are heard, and every write is an attempt."""

import json
from typing import Any

from evidence_kit import Made, made  # type: ignore[import-not-found]
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.model.aso import Attempt
from sickbay.model.ids import arm

APP = "/subscriptions/0/resourceGroups/rg1/providers/Microsoft.App/containerApps/app1"
ENVIRONMENT = {"error": {"code": "ManagedEnvironmentNotFound", "message": "env1 was not found"}}


def flat(method: str, status: int, body: Any = "", path: str = APP) -> dict[str, Any]:
    url = f"https://management.azure.com{path}?api-version=2024-03-01"
    return {"method": method, "url": url, "status": status, "body": body}


def recorded(*exchanges: dict[str, Any]) -> Made:
    lines = "\n".join(json.dumps(exchange) for exchange in exchanges)
    result: Made = made(lines, "recording.jsonl")
    return result


def attempts(found: Made) -> list[tuple[str, str]]:
    return [(one.verb, one.code) for one in found.snapshot.grouped(Attempt, "kind", Attempt.kind)]


def test_a_failing_answer_is_a_text_about_what_was_asked_for() -> None:
    [text] = recorded(flat("PUT", 404, json.dumps(ENVIRONMENT))).texts
    assert (text.about, "ManagedEnvironmentNotFound" in text.text) == (arm(APP), True)


def test_every_write_is_an_attempt_in_the_order_of_the_recording() -> None:
    found = recorded(flat("PUT", 404, json.dumps(ENVIRONMENT)), flat("PUT", 201, "{}"))
    assert attempts(found) == [("PUT", "ManagedEnvironmentNotFound"), ("PUT", "")]


def test_codes_with_capitals_are_read_too() -> None:
    body = json.dumps({"Code": "Conflict", "Message": "another operation is in progress"})
    assert attempts(recorded(flat("PUT", 409, body))) == [("PUT", "Conflict")]


def test_an_answer_without_a_body_has_its_status_for_a_code() -> None:
    assert attempts(recorded(flat("PUT", 503))) == [("PUT", "HTTP 503")]


def test_reading_is_no_attempt() -> None:
    assert attempts(recorded(flat("GET", 200, "{}"))) == []


def test_polling_is_no_attempt() -> None:
    poll = "/subscriptions/0/providers/Microsoft.App/locations/westus2/operations/1"
    assert attempts(recorded(flat("POST", 200, "{}", poll))) == []


def test_asking_for_what_is_not_there_is_no_failure() -> None:
    assert recorded(flat("GET", 404, '{"error":{"code":"ResourceNotFound"}}')).texts == []


def test_what_is_to_be_deleted_and_is_not_there_is_deleted() -> None:
    assert attempts(recorded(flat("DELETE", 404, "{}"))) == [("DELETE", "")]


def test_the_body_of_a_success_is_a_document() -> None:
    found = recorded(flat("PUT", 201, json.dumps({"id": APP, "type": "Microsoft.App/x"})))
    assert found.snapshot.find(arm(APP)) is not None


def test_a_status_with_its_name_behind_it_is_read() -> None:
    request = {"method": "PUT", "url": f"https://management.azure.com{APP}"}
    exchange = {"request": request, "response": {"status": "409 Conflict", "body": ""}}
    assert attempts(recorded(exchange)) == [("PUT", "HTTP 409")]


def test_a_document_with_a_status_and_a_url_is_no_exchange() -> None:
    assert attempts(recorded({"method": "smtp", "url": APP, "status": 400})) == []


def test_a_timeline_without_bodies_leaves_nothing_in_the_dark() -> None:
    assert recorded(flat("PUT", 200), flat("GET", 200)).not_understood == []


@settings(max_examples=60, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "method": st.sampled_from(["PUT", "DELETE", "", "get"]) | st.none() | st.integers(),
            "url": st.text(max_size=30) | st.none() | st.just(APP),
            "status": st.integers() | st.text(max_size=8) | st.none() | st.lists(st.integers()),
            "body": st.text(max_size=20) | st.just("{") | st.just('{"error": 1}') | st.integers(),
        }
    )
)
def test_no_exchange_is_too_broken_to_be_read(value: dict[str, Any]) -> None:
    assert recorded(value).snapshot is not None

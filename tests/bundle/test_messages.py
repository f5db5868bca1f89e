"""The messages in a document, each with its place."""

from typing import Any

import pytest

from sickbay.bundle.messages import messages


def said(value: Any) -> list[tuple[str, str]]:
    return list(messages(value))


def test_an_error_is_one_message_with_all_that_it_carries() -> None:
    [(place, text)] = said({"e": {"code": "A", "message": "m", "details": [{"message": "deeper"}]}})
    assert place == "$.e"
    assert "deeper" in text


def test_a_reason_goes_with_its_message() -> None:
    assert said({"reason": "R", "message": "why it is so"}) == [("$.message", "R: why it is so")]


def test_a_name_is_no_message() -> None:
    assert said({"a": "aks-nodepool1-12345678-vmss000000"}) == []


@pytest.mark.parametrize("key", ["tags", "metadata", "parameters", "outputs"])
def test_data_is_no_message(key: str) -> None:
    assert said({key: {"x": "a sentence of the user"}}) == []


@pytest.mark.parametrize("level", ["Info", "Information"])
def test_a_status_that_is_well_is_silent(level: str) -> None:
    status = {"code": "ProvisioningState/succeeded", "level": level, "message": "all is fine here"}
    assert said([status]) == []


def test_a_warning_speaks() -> None:
    status = {"code": "ProvisioningState/Unavailable", "level": "Warning", "message": "not ready"}
    assert len(said([status])) == 1


def test_an_empty_error_is_silent() -> None:
    assert said({"status": "Succeeded", "error": {}}) == []


def test_their_number_is_bounded() -> None:
    assert len(said(["a sentence like this"] * 5000)) == 2000


def test_what_lies_deep_is_heard_too() -> None:
    body: Any = {"message": "a sentence at the end"}
    for _ in range(5000):
        body = [body]
    [(place, text)] = said({"a": body, "b": "another sentence"})[1:]
    assert said({"a": body})[0][0] == place
    assert (place[:6], text) == ("$.a[0]", "a sentence at the end")


def test_messages_come_in_the_order_of_the_document() -> None:
    body = {"a": ["the first one", {"x": "the second one"}], "b": "the third one"}
    assert [text for _, text in said(body)] == ["the first one", "the second one", "the third one"]


def test_so_many_messages_are_enough() -> None:
    assert len(said([f"sentence number {n}" for n in range(5000)])) == 2000

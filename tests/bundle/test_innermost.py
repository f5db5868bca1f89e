"""The innermost error is the one to show; what is around it is packing."""

import json

import pytest

from sickbay.bundle.innermost import innermost


def wrapped(*codes: str, message: str = "deep down") -> str:
    """Errors inside errors, as strings of JSON inside strings."""
    text = message
    for code in reversed(codes):
        text = json.dumps({"error": {"code": code, "message": text}})
    return text


def test_the_deepest_code_and_message_are_told_with_what_carried_them() -> None:
    found = innermost(wrapped("ResourceOperationFailure", "Conflict", "SubnetIsFull"))
    assert found.text == "SubnetIsFull: deep down"
    assert found.carriers == ("ResourceOperationFailure", "Conflict")


def test_a_quotation_keeps_the_code_of_what_quotes_it() -> None:
    message = 'VM has reported a failure. Error message: "Enable failed: exit status=50"'
    found = innermost(wrapped("Conflict", "VMExtensionProvisioningError", message=message))
    assert found.text == "VMExtensionProvisioningError: Enable failed: exit status=50"
    assert found.carriers == ("Conflict",)


def test_a_code_that_is_the_whole_sentence_is_not_told_twice() -> None:
    sentence = "Prefix 10.0.0.0/24 overlaps with another"
    found = innermost(wrapped(sentence, message=f"webhook denied: {sentence}"))
    assert found.text == f"webhook denied: {sentence}"


@pytest.mark.parametrize("text", ["plain words", "x" * 300_000, "{", "[[[[", "\x00", "", " "])
def test_any_text_has_an_innermost(text: str) -> None:
    assert isinstance(innermost(text).text, str)

"""Texts that a console broke in the middle of words."""

import pytest

from sickbay.bundle.foreign.wrapped import whole

ERROR = (
    "ERROR: (SubscriptionNotRegistered) The subscription is not registered to use namespace "
    "'Microsoft.ContainerService'. See https://aka.ms/rps-not-found for how to register."
)


def broken_at(width: int, text: str) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


@pytest.mark.parametrize("width", [80, 91, 120, 140])
def test_words_that_the_window_cut_in_two_are_whole_again(width: int) -> None:
    assert ERROR in whole(broken_at(width, f"{ERROR} {ERROR}"))


def test_what_follows_keeps_its_line_number() -> None:
    text = f"{broken_at(80, ERROR)}\nAt line:1 char:1\n"
    assert whole(text).splitlines().index("At line:1 char:1") == 3


@pytest.mark.parametrize(
    "text",
    [
        "web-7d9f8b6c5-x2x4q   1/1   Running   0   3d   10.1.0.4   aks-np1-31-vmss00000   <none>\n"
        "api-7d9f8b6c5-x2x4q   1/1   Running   0   3d   10.1.0.5   aks-np1-31-vmss00000   <none>\n"
        "job-7d9f8b6c5-x2x4q   1/1   Running   0   3d   10.1.0.6   aks-np1-31-vmss00000   <none>\n",
        f"{'-' * 80}\nRESPONSE 400: 400 Bad Request\n{'-' * 80}\nERROR CODE: BadRequest\n",
        "I2026-11-07T06:01:03Z] cache_redis attempt 1 of the deletion of cache2 was refused\n"
        "I2026-11-07T06:04:31Z] cache_redis attempt 2 of the deletion of cache2 was refused\n",
        "A sentence that somebody broke between its words, as every editor and every mail does\n"
        "it, has lines that are almost as long as the longest one, and all of them end in a\n"
        "whole word, so that a space belongs where the line end is, and nothing is mended in it\n",
    ],
)
def test_rows_rules_records_and_paragraphs_are_left_alone(text: str) -> None:
    assert whole(text) == text


def test_a_sentence_that_follows_a_line_of_a_usual_width_is_one_of_its_own() -> None:
    said = "The reason given in the claim is NodeNotFound: Node not registered with cluster"
    text = f"{said}\nWe can see the machines in the account.\n"
    assert len(said) == 79
    assert whole(text) == text


def test_an_answer_after_a_command_as_long_as_a_console_is_wide_begins_anew() -> None:
    command = "az aks create -g rg-shop -n shop --k8s-support-plan AKSLongTermSupport".ljust(
        99, "x"
    )
    text = f"{command}\n(BadRequest) Long Term Support is not available.\n"
    assert whole(text) == text


def test_a_document_that_was_broken_inside_a_string_is_read_again() -> None:
    document = '{"status":"Failed","error":{"code":"Conflict","message":"' + ERROR + '"}}'
    assert whole(broken_at(100, document)).splitlines()[0] == document

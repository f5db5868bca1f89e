"""The same error as users paste it: wrapped, coloured, escaped, broken, quoted or typed."""

import html
import json
import re
from collections.abc import Callable
from typing import Final

import pytest

from sickbay.app import Settings, explain_with
from sickbay.model.finding import Severity
from sickbay.store import Rules

Way = Callable[[str], str]


def one_line(text: str) -> str:
    return " ".join(text.split())


def broken_at(width: int) -> Way:
    def broken(text: str) -> str:
        line = one_line(text)
        return "\n".join(line[at : at + width] for at in range(0, len(line), width))

    return broken


def powershell(text: str) -> str:
    trailer = "At line:1 char:1\n+ az aks create -g rg -n shop\n+ ~~~~~~~~~~~~~~~\n"
    return f"{broken_at(120)(f'az : ERROR: {text}')}\n{trailer}"


def carried(text: str) -> str:
    inner = {"status": "Failed", "error": {"code": "ResourceOperationFailure", "message": text}}
    details = [{"code": "Conflict", "message": json.dumps(inner)}]
    says = "At least one resource deployment operation failed."
    error = {"code": "DeploymentFailed", "message": says, "details": details}
    return json.dumps({"status": "Failed", "error": error})


def described(text: str) -> str:
    head = "Events:\n  Type     Reason  Age              From     Message\n"
    return f"{head}  Warning  Failed  2m (x5 over 8m)  kubelet  {one_line(text)}\n"


def logged(text: str) -> str:
    said = text.replace('"', '\\"').replace("\n", "\\n")
    return f'time="2026-05-01T10:00:00Z" level=error msg="failed to reconcile: {said}"'


def asked(text: str) -> str:
    return f"Hi all, since this morning I get this:\n\n```\n{text}\n```\n\nAny idea?\n"


# How many of a hundred samples must keep their answer; what is lost is lost with the sign itself.
WAYS: Final[dict[str, tuple[Way, float]]] = {
    "in colours": (lambda text: f"\x1b[91mERROR: {text}\x1b[0m\n", 99.5),
    "in a web page": (lambda text: f"<p>{html.escape(text)}</p>", 99.5),
    "with the quotes of a word processor": (
        lambda text: re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", text).replace("'", "\u2019"),
        99.5,
    ),
    "in a fence": (asked, 99.5),
    "quoted in a mail": (lambda text: "".join(f"> {line}\n" for line in text.splitlines()), 98.5),
    "as an event": (described, 99),
    "in a log": (logged, 99),
    "carried by other errors": (carried, 98.5),
    "broken at 80 columns": (broken_at(80), 96),
    "broken at 120 columns": (broken_at(120), 98.5),
    "from a PowerShell": (powershell, 96.5),
    "in lower case": (str.lower, 93.5),
    "without quotes": (lambda text: re.sub("[\"'`]", "", text), 96.5),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_error_is_known_however_it_was_pasted(way: str, rules: Rules) -> None:
    wrap, bar = WAYS[way]
    # Every second rule, the others for the next way: it is a matter of the way, not of the rule.
    ids = list(rules.catalog)[list(WAYS).index(way) % 2 :: 2]
    told = {id: rules.catalog.card(id).signatures for id in ids}
    samples = {id: signatures[0].sample for id, signatures in told.items() if signatures}
    # A note that a failed operation carries does not make it less of a failure.
    if wrap is carried:
        samples = {id: samples[id] for id in samples if not is_note(rules, id)}
    lost = [id for id, sample in samples.items() if top(rules, wrap(sample)) != id]
    kept = 100 * (1 - len(lost) / len(samples))
    assert kept >= bar, f"{kept:.1f} of 100 are kept; lost: {', '.join(lost)}"


def is_note(rules: Rules, id: str) -> bool:
    return rules.catalog.card(id).severity is Severity.INFO


def test_a_note_does_not_hide_the_failure_that_carries_it(rules: Rules) -> None:
    notes = [id for id in rules.catalog if is_note(rules, id) and rules.catalog.card(id).signatures]
    for id in notes:
        sample = rules.catalog.card(id).signatures[0].sample
        found = explain_with(rules, carried(sample).encode(), "pasted", Settings()).causes
        assert found[0].severity is not Severity.INFO, id
        assert id in {cause.rule for cause in found}, id


def top(rules: Rules, text: str) -> str:
    causes = explain_with(rules, text.encode(), "pasted", Settings()).causes
    return causes[0].rule if causes else ""


def test_what_was_typed_off_a_screen_is_likely_and_never_proven(rules: Rules) -> None:
    text = b"unable to connect to the server: net/http: tls handshake timeout"
    first = explain_with(rules, text, "typed", Settings()).causes[0]
    assert (first.rule, first.certainty.value) == ("network.api_handshake_stalls", "likely")


@pytest.mark.parametrize("spoil", [str.lower, lambda text: re.sub("[\"']", "", text)])
def test_a_near_miss_stays_one_when_it_is_typed(spoil: Way, rules: Rules) -> None:
    fired = [
        id
        for id in rules.catalog
        for signature in rules.catalog.card(id).signatures[:1]
        if top(rules, spoil(signature.near_miss)) == id
    ]
    assert fired == []

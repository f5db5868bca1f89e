"""What is cut off, misquoted or hostile still gives what it holds, in bounded time."""

import json
import random
import re
import runpy
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.unwrap import layers

INNER = json.dumps(
    {"error": {"code": "SubnetIsFull", "message": 'Subnet "aks" with prefix 10.0.0.0/24 is full.'}}
)
STATUS = json.dumps(
    {
        "status": "Failed",
        "error": {
            "code": "ResourceOperationFailure",
            "message": "The operation ended in the state 'Failed'.",
            "details": [
                {"code": "VMSSError", "message": INNER},
                {"code": "Second", "message": "plain"},
            ],
        },
    }
)
EVENT = json.dumps({"properties": {"statusMessage": STATUS}, "resourceId": "/subscriptions/s"})
BODIES = {
    "activity log": EVENT,
    "activity log, indented": json.dumps(json.loads(EVENT), indent=2),
    "prose": f"It failed with 'Status: '429'. Response: '{STATUS}'.'.",
    "export": EVENT.replace('"', '""'),
    "log line": f"E1115 22:34:13.6 1 r.go:387] failed err={json.dumps(STATUS)}",
}
CODES = ("ResourceOperationFailure", "VMSSError", "SubnetIsFull", "Second")
ALL_CODES = {"", *CODES}


def _complete(body: str, cut: int) -> set[str]:
    """The codes of a body whose closing quotes stand before the cut."""
    quote = re.compile(r"\\*\"+")
    ends = {code: quote.match(body, body.index(code) + len(code)) for code in CODES}
    return {code for code, end in ends.items() if end and end.end() <= cut}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_body_cut_at_any_place_still_gives_its_complete_codes(body: str) -> None:
    lost = {
        cut: missing
        for cut in range(len(body))
        if (missing := _complete(body, cut) - {layer.code for layer in layers(body[:cut])})
    }
    assert lost == {}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_code_that_broke_off_is_not_taken_for_another_code(body: str) -> None:
    found = {layer.code for cut in range(0, len(body), 7) for layer in layers(body[:cut])}
    assert found <= ALL_CODES


def test_a_message_that_broke_off_is_kept_as_far_as_it_goes() -> None:
    cut = EVENT.index("is full")
    assert layers(EVENT[:cut])[-1].message == 'Subnet "aks" with prefix 10.0.0.0/24'


BROKEN = {
    "quotes inside quotes": (
        '{"code":"InvalidParameter","message":"The name "azure" is reserved.","target":"name"}',
        'InvalidParameter: The name "azure" is reserved.',
    ),
    "a key without its first quote": (
        '{"error": {"code": "InvalidId",\n message": "It must be a GUID."}}',
        "InvalidId: It must be a GUID.",
    ),
    "a bracket too few": (
        '{"error":{"code":"A1","message":"m","details":[{"code":"B1","message":"n"}}',
        "B1: n",
    ),
    "a bracket too many": ('{"code":"A1","message":"m"}]}} and more', "A1: m"),
    "a trailing comma": ('{"code":"A1","message":"m",}', "A1: m"),
    "no comma": ('{"code":"A1"\n"message":"m"}', "A1: m"),
    "line breaks in a string": ('{"code":"A1","message":"one\ntwo"}', "A1: one two"),
    "an unclosed message in prose": (
        'Code="Denied" Message="Resource \'MC_x\' was disallowed by policy.',
        "Denied: Resource 'MC_x' was disallowed by policy.",
    ),
    "quotes inside a message in prose": (
        'Code="Bad"\n\nMessage="Error details: "azure" is reserved.. See https://aka.ms/n."',
        'Bad: Error details: "azure" is reserved.. See https://aka.ms/n.',
    ),
    "a lone surrogate": ('{"code":"A1","message":"x \\ud800 y"}', "A1: x \ufffd y"),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_quoting_is_read_as_it_was_meant(text: str, expected: str) -> None:
    assert expected in [layer.text for layer in layers(text)]


HOSTILE = (
    "{",
    "[",
    '{"a":',
    '{"a":"',
    '{\\"a\\":\\"',
    '{""a"":""',
    "{'a':'",
    '[{"a":[',
    '"',
    "\\",
    'Message="a" "b ',
    'Code="X1" Message="',
    "Reason: A, Severity: B, RetryClassification: C, Cause: ",
    "(BadRequest) ",
    "code = Internal desc = ",
    "<html><body>",
    "<Error><Code>",
    "%7B%22",
    "{&quot;a&quot;:",
    'err="',
    "err=<\n",
    "{ _a_: _",
    "{Code:X Message:",
    "v1.Status{",
    '{"message":"{\\"message\\":',
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_repetition_stays_within_bounds(unit: str) -> None:
    text = (unit * 32_768)[:32_768]
    started = time.process_time()
    found = layers(text)
    assert len(found) <= 200
    # Five times what it takes: anything worse than linear needs minutes.
    assert time.process_time() - started < 5


def test_a_document_of_many_errors_gives_two_hundred_of_them() -> None:
    details = [{"code": f"E{at}", "message": "m"} for at in range(1000)]
    assert len(layers(json.dumps({"details": details}))) == 200


def test_a_hundred_thousand_brackets_cost_no_recursion() -> None:
    assert len(layers("[" * 100_000 + '{"code":"A1"')) >= 1


_WORDS = ("code", "message", "details", "error", "Subnet is full", 'a "b" c', "{", "\\n", "x")


@given(st.recursive(st.sampled_from(_WORDS), lambda inner: st.dictionaries(
    st.sampled_from(("code", "message", "details", "error", "k")), inner | inner.map(json.dumps)
) | st.lists(inner), max_leaves=12))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_any_document_gives_layers_in_order(document: object) -> None:
    depths = [layer.depth for layer in layers(json.dumps(document))]
    assert depths == sorted(depths)


def test_random_bytes_and_mutilated_bodies_never_raise() -> None:
    target = Path(__file__).parents[1] / "fuzz" / "fuzz_unwrap.py"
    one_input = runpy.run_path(str(target))["one_input"]
    chance = random.Random(7)  # noqa: S311 - nothing secret
    pieces = [
        '"',
        "\\",
        "{",
        "}",
        "\n",
        "&quot;",
        "\\u0022",
        "\x1b[1m",
        'err="',
        "│",
        "%7B%22",
        EVENT,
    ]
    for _ in range(150):
        text = "".join(chance.choices([*pieces, *HOSTILE], k=chance.randint(1, 12)))
        one_input(text.encode()[chance.randint(0, 20) :])
        one_input(chance.randbytes(chance.randint(0, 60)))

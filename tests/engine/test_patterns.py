"""The candidate of a pattern is found wherever its pattern matches, however the text was disguised."""

import json

import pytest
import re2
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sickbay.bundle.unwrap import normal
from sickbay.engine import hyper
from sickbay.engine.patterns import PatternError, candidate, candidates
from sickbay.engine.veils import VEIL, is_veiled, unveil

WORDS = ("failed", "to", "pull", "image", "SubnetIsFull", "node", "lookup", "certificate", "x509", "is", "not", "é")
PIECES = st.one_of(
    st.sampled_from(WORDS).map(lambda word: (re2.escape(word), word)),
    st.sampled_from([(r"(?P<host>[\w.-]+)", "esx-1.lab.local"), (r"\d+", "42"), (r"\S+", "a/b")]),
    st.sampled_from([('"', '"'), ("'", "'"), (r"\(", "("), (r"</?p>", "<p>"), ("/", "/"), ("=", "=")]),
    st.sampled_from([(".*", " in between "), (r"[^\"]+", "anything else"), (r"\b", "")]),
    st.sampled_from([("(?:cpu|memory)", "memory"), ("(?: of)?", " of"), (r"\bnow\b", "now")]),
)
SEPARATORS = st.sampled_from([(" ", " "), (r"\s+", " "), (": ", ": "), (", ", ", "), ("", "")])
SPACES = ("  ", "\t", "\n", "\n    ", "\r\n", " \n│ ", "\u00a0", "\\n", "\\r\\n", "\x1b[0m ")


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, str]:
    """A pattern, and a text in normal form that it matches."""
    pieces = draw(st.lists(PIECES, min_size=1, max_size=6))
    pattern, text = "", ""
    for piece, separator in zip(pieces, draw(st.lists(SEPARATORS, min_size=6, max_size=6))):
        pattern += piece[0] + separator[0]
        text += piece[1] + separator[1]
    return (f"(?i){pattern}" if draw(st.booleans()) else pattern), text


def finds(expression: str, raw: str) -> bool:
    """What a scan does with one expression: over the raw text, cleaned if need be."""
    matcher = hyper.Matcher(hyper.compile([expression]))
    block = raw.encode()
    found = matcher.scan(block)
    if is_veiled(block, found):
        found = matcher.scan(unveil(block))
    return any(number < VEIL for number, _ in found)


def rewrapped(text: str, spaces: list[str]) -> str:
    head, *tail = text.split(" ")
    return head + "".join(space + word for space, word in zip(spaces, tail, strict=False))


@settings(max_examples=120, deadline=None)
@given(cases(), st.integers(0, 3), st.lists(st.sampled_from((" ", *SPACES)), min_size=40, max_size=40))
def test_a_text_that_matches_is_found_however_it_is_escaped_and_wrapped(
    case: tuple[str, str], depth: int, spaces: list[str]
) -> None:
    pattern, text = case
    raw = f"before {rewrapped(text, spaces)} after"
    for _ in range(depth):
        raw = json.dumps(raw)[1:-1]
    assume(re2.search(pattern, normal(raw)))
    try:
        expression = candidate(pattern)
    except PatternError:
        assume(False)  # noqa: FBT003 - the way of hypothesis
    assert finds(expression, raw) or finds(expression, normal(raw))

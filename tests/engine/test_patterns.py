"""Where a pattern matches, its candidate is found, however the text is disguised."""

import json
import re

import pytest
import re2
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sickbay.bundle.unwrap import normal
from sickbay.engine.patterns import PatternError, candidate, candidates
from sickbay.engine.veils import VEIL, VEILS, is_veiled, unveil

WORDS = ("failed", "to", "pull", "image", "SubnetIsFull", "node", "certificate", "x509", "is", "é")
PIECES = st.one_of(
    st.sampled_from(WORDS).map(lambda word: (re.escape(word), word)),
    st.sampled_from([(r"([\w.-]+)", "esx-1.local"), (r"\d+", "42"), (r"\S+", "a/b")]),
    st.sampled_from([('"', '"'), ("'", "'"), (r"\(", "("), ("</?p>", "<p>"), ("/", "/")]),
    st.sampled_from([(".*", " between "), (r"[^\"]+", "anything"), (r"\b", ""), ("=", "=")]),
    st.sampled_from([("(?:cpu|memory)", "memory"), ("(?: of)?", " of"), (r"\bnow\b", "now")]),
)
SEPARATORS = st.sampled_from([(" ", " "), (r"\s+", " "), (": ", ": "), (", ", ", "), ("", "")])
SPACES = (" ", "  ", "\t", "\n", "\n    ", "\r\n", " \n│ ", "\u00a0", "\\n", "\\r\\n", "\x1b[0m ")
MANY = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)
WRAPS = st.lists(st.sampled_from(SPACES), min_size=40, max_size=40)


@st.composite
def cases(draw: st.DrawFn, first: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """A pattern, and a text in normal form that it matches."""
    pattern, text = first
    separators = draw(st.lists(SEPARATORS, min_size=6, max_size=6))
    for piece, separator in zip(
        draw(st.lists(PIECES, min_size=2, max_size=6)), separators, strict=False
    ):
        pattern += piece[0] + separator[0]
        text += piece[1] + separator[1]
    return (f"(?i){pattern}" if draw(st.booleans()) else pattern), text


def matches(expression: str, raw: bytes) -> bool:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    return bool(re2.search(expression.encode(), raw, options))


def finds(expression: str, raw: str) -> bool:
    """Whether a scan finds an expression: it cleans what it sees to be veiled."""
    block = raw.encode()
    veils = [(VEIL, 0) for veil in VEILS if matches(veil, block)]
    return matches(expression, unveil(block) if is_veiled(block, veils) else block)


def disguised(text: str, spaces: list[str], depth: int) -> str:
    """A text with other white space, put into a JSON string several times."""
    head, *tail = f"before {text} after".split(" ")
    raw = head + "".join(space + word for space, word in zip(spaces, tail, strict=False))
    for _ in range(depth):
        raw = json.dumps(raw)[1:-1]
    return raw


def candidate_or_none(pattern: str) -> str:
    try:
        return candidate(pattern)
    except PatternError:
        return ""


@MANY
@given(cases(), WRAPS, st.integers(0, 3))
def test_a_text_that_matches_is_found_in_its_raw_or_its_normal_form(
    case: tuple[str, str], spaces: list[str], depth: int
) -> None:
    pattern, raw = case[0], disguised(case[1], spaces, depth)
    expression = candidate_or_none(pattern)
    assume(expression and re2.search(pattern, normal(raw)))
    assert finds(expression, raw) or finds(expression, normal(raw))


@MANY
@given(cases((r"\bSubnetIsFull\b", "SubnetIsFull")), WRAPS, st.integers(0, 3))
def test_a_pattern_with_a_rare_word_is_found_in_raw_text_however_it_is_escaped_and_wrapped(
    case: tuple[str, str], spaces: list[str], depth: int
) -> None:
    pattern, raw = case[0], disguised(case[1], spaces, depth)
    expression = candidate_or_none(pattern)
    assume(expression and re2.search(pattern, normal(raw)))
    assert finds(expression, raw)


@pytest.mark.parametrize(
    "raw",
    [
        '{"code":"SubnetIsFull","message":"Subnet a has 3 addresses"}',
        '{"message":"Subnet a has 3 addresses","code":"SubnetIsFull"}',
        'Code="SubnetIsFull" Message="Subnet a has 3 addresses"',
        "(SubnetIsFull) Subnet a has 3 addresses",
    ],
)
def test_a_code_and_its_message_are_found_although_they_stand_apart(raw: str) -> None:
    assert finds(candidate(r"SubnetIsFull: Subnet (?P<subnet>\S+) has"), raw)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        (r"lookup (?!esx)\S+ failed", "look-around"),
        (r"(?<=lookup )\S+failed", "look-around"),
        (r"(\w+) differs from \1", "back-reference"),
        (r"(?>failed)", "atomic"),
        (r"failed++", "possessive"),
        (r"(a)?(?(1)failed|failing)", "conditional"),
        (r"[[:alpha:]]+ failed", "class out"),
        (r"failed (", "not a regular expression"),
        (r"\d+ is up", "4 or more"),
        (r"failed|\d+", "4 or more"),
        (r"fail(?:ed)?|\d+", "4 or more"),
    ],
)
def test_a_pattern_that_cannot_be_looked_for_is_refused_with_advice(
    pattern: str, says: str
) -> None:
    with pytest.raises(PatternError, match=says):
        candidate(pattern)


def test_the_error_names_the_pattern() -> None:
    with pytest.raises(PatternError) as refusal:
        candidate("a|b")
    assert (refusal.value.pattern, "'a|b'" in str(refusal.value)) == ("a|b", True)


@pytest.mark.parametrize(
    ("pattern", "found", "spared"),
    [
        (r"lookup (?P<host>[\w.-]+)\b.*no such host", "dial: no such host", "lookup of a host"),
        (r"vmssCSE.*exit status=50\b", "exit status=50", "exit status=505"),
        (r"(?i)etcdserver: request timed out", "ETCDSERVER", "etcd"),
        (
            r"Pods not in Running status: .*(?:coredns|metrics)",
            "Pods not in Running status",
            "coredns",
        ),
        (r"foo.*bar: SubnetIsFull|.*QuotaExceeded", "QuotaExceeded", "foo bar"),
    ],
)
def test_the_most_telling_part_is_looked_for(pattern: str, found: str, spared: str) -> None:
    [alone, _] = candidates([pattern, "vmssCSE.*exit status=51"])
    assert (finds(alone, found), finds(alone, spared)) == (True, False)


def test_alternatives_too_many_to_be_told_apart_are_still_looked_for() -> None:
    faults = "|".join(f".{{0,9}}glitch{number}" for number in range(200))
    found = candidate(rf'"code": ".{{1,90}}(?:{faults})')
    assert finds(found, '"code": "7", "message": "glitch8"')
    assert not finds(found, '"code": "7", "message": "all is well"')


def test_patterns_that_share_a_word_are_told_apart_by_what_differs() -> None:
    family = [rf"vmssCSE.*exit status={code}\b" for code in range(100, 140)]
    assert sum(finds(one, "vmssCSE: exit status=117") for one in candidates(family)) == 1


@pytest.mark.parametrize("raw", ["\\u001b[31mSubnet\\u001b[0mIsFull", "\x1b[1mSubnetIs\x1b[0mFull"])
def test_the_colours_of_a_terminal_part_no_word(raw: str) -> None:
    assert finds(candidate("SubnetIsFull"), raw)


@pytest.mark.parametrize(
    "raw",
    [
        "action &quot;join&quot; denied",
        "action &amp;quot;join&amp;quot; denied",
        "action &#34;join&#x22; denied",
        r"action \u0022join\u0022 denied",
        r"action \\\"join\\\" denied",
        "action “join” denied",
        r"action \u201cjoin\u201d denied",
        'action ""join"" denied',
        "action 'join' denied",
    ],
)
def test_a_quote_is_found_in_every_spelling(raw: str) -> None:
    expression = candidate('action "join" denied')
    assert finds(expression, raw) or finds(expression, normal(raw))


def test_cleaning_keeps_the_lines_and_the_strings_of_a_document() -> None:
    raw = b'{"a": "x &quot;y&quot;&#10;z"}\n\x1b[31m{"b":\x1b[0m 1}\n'
    assert unveil(raw) == b'{"a": "x \\"y\\" z"}\n{"b": 1}\n'

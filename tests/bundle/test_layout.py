"""The form of a bundle: what is written is read again, and anything else is refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.frame import Frame
from sickbay.bundle.layout import (
    VERSION,
    Head,
    gap_from,
    gap_to,
    head_line,
    line,
    read_head,
    text_from,
    text_to,
)
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import Ref

words = st.text(max_size=12)
refs = st.none() | st.builds(Ref, words.filter(bool), words.filter(bool))
texts = st.builds(Text, words, st.builds(Origin, words, words), refs, words, words, st.integers(1))
frames = st.builds(Frame, words, refs, words, st.none() | st.integers(1970, 2100), st.integers(1))
gaps = st.builds(Gap, words, words, st.sampled_from(Reason), words, st.booleans())
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
FRAME = {"source": "x", "about": None, "channel": "", "year": None, "first_line": 1}


@settings(max_examples=60)
@given(texts)
def test_a_text_is_read_as_it_was_written(text: Text) -> None:
    assert text_from(json.loads(line(text_to(text)))) == text


@settings(max_examples=60)
@given(gaps)
def test_a_gap_is_read_as_it_was_written(gap: Gap) -> None:
    assert gap_from(json.loads(line(gap_to(gap)))) == gap


@settings(max_examples=60)
@given(frames)
def test_a_head_is_read_as_it_was_written(frame: Frame) -> None:
    head = Head("log", frame)
    assert read_head(head_line(head).decode()) == (VERSION, head)


@settings(max_examples=60)
@given(st.dictionaries(words, values, max_size=3))
def test_whatever_is_written_is_one_line(body: dict[str, Any]) -> None:
    assert line(body).count(b"\n") == 1


def test_half_a_character_pair_is_read_as_it_was_written() -> None:
    body = {"x": "broken \ud83d here"}
    assert json.loads(line(body)) == body


@settings(max_examples=60)
@given(values)
def test_a_head_of_anything_is_a_head_or_none(value: Any) -> None:
    found = read_head(line({"sickbay.bundle": VERSION, "part": "log", "frame": value}).decode())
    assert found is None or found[1].part == "log"


@pytest.mark.parametrize("text", ["", "{}", '{"sickbay":1}', "kubelet: {sickbay.bundle: 1}"])
def test_what_is_no_part_of_a_bundle_has_no_head(text: str) -> None:
    assert read_head(text) is None


@pytest.mark.parametrize("field", ["source", "channel", "about", "first_line"])
def test_a_frame_with_a_value_of_the_wrong_kind_is_refused(field: str) -> None:
    body = {"sickbay.bundle": 1, "part": "log", "frame": {**FRAME, field: {"a": 1}}}
    assert read_head(json.dumps(body, separators=(",", ":"))) is None

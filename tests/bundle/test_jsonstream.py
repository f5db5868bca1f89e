"""Long lists of JSON, read element by element."""

import contextlib
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle import jsonstream

PODS = [
    {"metadata": {"name": f"pod-{i}"}, "spec": {"of": [{"metadata": {}}, {"metadata": {"a": 1}}]}}
    for i in range(200)
]
HEADER = {"apiVersion": "v1", "kind": "PodList", "metadata": {"resourceVersion": "7"}}

scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=12)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["metadata", "a", "items", "}"]), inner, max_size=3)
    ),
    max_leaves=6,
)
layouts = st.sampled_from([None, 0, 2, 4])


def opened(text: bytes, size_hint: int | None = 0) -> jsonstream.Items:
    found = jsonstream.open_list(io.BytesIO(text), size_hint)
    assert found is not None
    return found


def elements(text: bytes) -> list[object]:
    return [json.loads(item) for _, item in opened(text).items]


def broken(text: bytes) -> tuple[list[object], jsonstream.Broken]:
    good: list[object] = []
    with pytest.raises(jsonstream.Broken) as error:
        good.extend(json.loads(item) for _, item in opened(text).items)
    return good, error.value


def compact(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def indented(document: object, by: int) -> bytes:
    return json.dumps(document, indent=by).encode()


def test_a_compact_list_of_the_api_server_is_read_element_by_element() -> None:
    found = opened(compact({**HEADER, "items": PODS}))
    assert found.path == "$.items"
    assert found.header == HEADER
    assert [(i, json.loads(item)) for i, item in found.items] == list(enumerate(PODS))


def test_the_header_that_kubectl_prints_after_the_list_is_there_at_the_end() -> None:
    found = opened(
        indented({"apiVersion": "v1", "items": PODS, "kind": "List", "metadata": {"a": "b"}}, 4)
    )
    assert found.header == {"apiVersion": "v1"}
    assert [json.loads(item) for _, item in found.items] == PODS
    assert found.header == {"apiVersion": "v1", "kind": "List", "metadata": {"a": "b"}}


def test_the_kind_after_the_list_can_be_asked_for_before_it_is_read() -> None:
    found = opened(indented({"items": PODS, "kind": "PodList"}, 4))
    assert found.kind_hint() == "PodList"
    assert [json.loads(item) for _, item in found.items] == PODS


@pytest.mark.parametrize("key", ["items", "value", "resources", "data"])
def test_the_list_is_found_under_each_key_that_lists_have(key: str) -> None:
    found = opened(indented({"count": 2, key: PODS, "nextLink": "https://x"}, 2))
    assert found.path == f"$.{key}"
    assert sum(1 for _ in found.items) == len(PODS)
    assert found.header == {"count": 2, "nextLink": "https://x"}


def test_a_bare_array_of_az_is_a_list_without_header() -> None:
    found = opened(indented(PODS, 2))
    assert (found.path, found.header) == ("$", {})
    assert [json.loads(item) for _, item in found.items] == PODS


def test_a_byte_order_mark_is_skipped() -> None:
    assert elements(b"\xef\xbb\xbf" + compact(PODS)) == PODS


@pytest.mark.parametrize("text", [b"[]", b' { "value" : [ ] , "count" : 0 } ', b"[\n]\n"])
def test_an_empty_list_has_no_elements(text: bytes) -> None:
    assert elements(text) == []


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" \n",
        b"{",
        b"{}",
        b"42",
        b"[INFO] pod started",
        b"[2026-01-01T00:00:00Z] pod started",
        b'["controller"] pod started',
        b'{"items": null}',
        b'{"items": {"a": 1}}',
        b'{"data": {"key": "value"}, "kind": "ConfigMap"}',
        b'{"kind": "Widget", "apiVersion": "x/v1", "items": [1]}',
        b'{"id": "/subscriptions/x", "name": "vm", "resources": [{"id": "y"}]}',
        b'{"apiVersion": "v1", "metadata": {"name": "one"}, "data": [1]}',
    ],
)
def test_what_is_no_list_is_left_to_the_caller(text: bytes) -> None:
    assert jsonstream.open_list(io.BytesIO(text), len(text)) is None


@pytest.mark.parametrize("cut", [100, 5_000, 9_001])
def test_a_list_that_breaks_off_gives_what_is_whole_and_says_where_it_ends(cut: int) -> None:
    good, error = broken(compact({**HEADER, "items": PODS})[:cut])
    assert good == PODS[: len(good)]
    assert isinstance(error, jsonstream.Truncated)
    assert error.index == len(good)


def test_a_list_that_breaks_off_between_elements_keeps_the_last_one() -> None:
    good, error = broken(b'[{"a":1},{"a":2}')
    assert good == [{"a": 1}, {"a": 2}]
    assert isinstance(error, jsonstream.Truncated)


def test_a_document_that_breaks_off_after_its_list_is_truncated() -> None:
    good, error = broken(b'{"items":[{"a":1}],"kind":"Po')
    assert good == [{"a": 1}]
    assert isinstance(error, jsonstream.Truncated)


@pytest.mark.parametrize(
    "bad",
    [b'{"a":01}', b'{"a":1]', b'{"a" 1}', b"{a:1}", b'{"a":1}}', b'{"a":1} {"a":2}', b"", b"nul"],
)
def test_a_malformed_element_comes_after_the_good_ones_before_it(bad: bytes) -> None:
    before = compact(PODS)[:-1]
    good, error = broken(before + b"," + bad + b"," + compact(PODS[0]) + b"]")
    assert good[: len(PODS)] == PODS
    assert isinstance(error, jsonstream.Malformed)
    assert error.index == len(good)


@pytest.mark.parametrize("bracket", [b"[", b'{"a":'])
def test_brackets_without_end_are_malformed_and_no_crash(bracket: bytes) -> None:
    good, error = broken(b'[{"a":1},' + bracket * 100_000)
    assert good == [{"a": 1}]
    assert isinstance(error, jsonstream.Malformed)
    assert "nested too deeply" in error.message


def test_a_list_that_is_nothing_but_brackets_is_malformed() -> None:
    good, error = broken(b"[" * 100_000)
    assert (good, error.index) == ([], 0)


def test_text_after_the_list_is_not_passed_over_in_silence() -> None:
    good, error = broken(compact(PODS) + b"\nTraceback: x")
    assert good == PODS
    assert isinstance(error, jsonstream.Malformed)


def test_bytes_that_are_no_text_are_replaced_and_the_element_stays() -> None:
    assert elements(b'[{"a":"x\xff\xe2\x80"},{"b":"\xc3\xa9"}]') == [
        {"a": "x\ufffd\ufffd"},
        {"b": "\u00e9"},
    ]


def test_what_lax_writers_produce_is_read_by_its_meaning() -> None:
    assert elements(b'[{"a":NaN},{"a":"\\ud800"},{"a":"\t"},{"a":-Infinity}]') == [
        {"a": None},
        {"a": "?"},
        {"a": "\t"},
        {"a": None},
    ]


def test_borders_inside_elements_are_not_taken_for_borders_of_the_list() -> None:
    inner = [{"a": 1}] * 2_000
    outer = [{"a": 1}, {"a": 2}, {"a": inner}, {"a": 3}, {"a": inner}, {"a": 4}]
    assert elements(compact(outer)) == outer


def test_a_list_of_numbers_is_read() -> None:
    assert elements(b'["0",' + b",".join(b"%d" % i for i in range(5_000)) + b"]") == [
        "0",
        *range(5_000),
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(values, max_size=8), layouts, st.integers(1, 60), st.booleans())
def test_any_list_in_any_layout_comes_back_as_it_was(
    inner: list[object], layout: int | None, times: int, under_key: bool
) -> None:
    outer = [{"first": 1}, *inner * times]
    document = {"items": outer, "kind": "List"} if under_key else outer
    text = json.dumps(document, indent=layout, separators=(",", ":")).encode()
    assert elements(text) == outer


@settings(max_examples=60, deadline=None)
@given(st.lists(values, min_size=1, max_size=6), st.integers(0, 2_000), st.binary(max_size=3))
def test_a_damaged_list_gives_good_elements_or_a_broken_and_nothing_else(
    inner: list[object], at: int, damage: bytes
) -> None:
    outer = [{"first": 1}, *inner * 40]
    text = compact(outer)
    at = len(b'[{"first":1},') + at % len(text)
    found = opened(text[:at] + damage)
    good: list[object] = []
    with contextlib.suppress(jsonstream.Broken):
        good.extend(json.loads(item) for _, item in found.items)
    untouched = max(0, len(good) - len(damage) - 1)
    assert good[:untouched] == outer[:untouched]

"""Texts that hold several JSON documents, and prose between them."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle import jsonstream
from sickbay.bundle.jsonstream import Items, Junk
from sickbay.bundle.jsonwindow import WINDOW

NODES = {"kind": "NodeList", "items": [{"metadata": {"name": f"node-{i}"}} for i in range(3)]}
EVENTS = {"kind": "EventList", "items": []}
LOG = (
    b"==== START logs for container app of pod shop/web-1 ====\n"
    b'{"level":"error","msg":"no route"}\n'
    b"[WARN] retry\n"
    b"==== END logs for container app of pod shop/web-1 ====\n"
)

objects = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=8), max_size=4)


def indented(document: object) -> bytes:
    return json.dumps(document, indent=4).encode() + b"\n"


def split(text: bytes) -> list[bytes]:
    return list(jsonstream.documents(io.BytesIO(text)))


def junk(pieces: list[bytes]) -> list[bytes]:
    return [piece for piece in pieces if isinstance(piece, Junk)]


def decoded(pieces: list[bytes]) -> list[object]:
    return [json.loads(piece) for piece in pieces if not isinstance(piece, Junk)]


def test_indented_documents_one_after_another_are_split() -> None:
    found = split(indented(NODES) + indented(EVENTS))
    assert decoded(found) == [NODES, EVENTS]
    assert junk(found) == []


def test_documents_without_anything_between_them_are_split() -> None:
    assert split(b'{"a":1}{"b":2}[3]{"c":4}') == [b'{"a":1}', b'{"b":2}', b"[3]", b'{"c":4}']


def test_each_line_of_ndjson_is_a_document() -> None:
    assert split(b'{"a":1}\r\n{"b":"}{"}\n\n{"c":3}') == [b'{"a":1}', b'{"b":"}{"}', b'{"c":3}']


def test_a_log_in_a_dump_is_text_even_where_its_lines_look_like_json() -> None:
    found = split(indented(NODES) + LOG + indented(EVENTS))
    assert decoded(found) == [NODES, EVENTS]
    assert junk(found) == [LOG]


def test_a_log_longer_than_the_window_comes_in_pieces_and_nothing_is_lost() -> None:
    lines = b'{"level":"info"}\n' * (WINDOW // 8)
    log = b"==== START logs for x ====\n" + lines + b"==== END logs for x ====\n"
    found = split(log + indented(EVENTS))
    assert b"".join(junk(found)) == log
    assert decoded(found) == [EVENTS]


def test_prose_between_documents_is_junk_without_a_reason() -> None:
    found = split(b'Cluster "aks" set.\n[INFO] go\n' + indented(NODES) + b"done\n")
    assert decoded(found) == [NODES]
    assert [(bytes(piece), piece.why) for piece in found if isinstance(piece, Junk)] == [
        (b'Cluster "aks" set.\n', ""),
        (b"[INFO] go\n", "is no JSON"),
        (b"done\n", ""),
    ]


def test_a_line_of_prose_without_end_is_not_kept_in_memory() -> None:
    assert len(split(b"x" * (3 * WINDOW))) >= 3


def test_a_malformed_document_is_junk_with_a_reason_and_the_next_one_is_read() -> None:
    found = split(b'{"a":01}\n{"b":2}\n')
    assert decoded(found) == [{"b": 2}]
    assert [piece.why for piece in found if isinstance(piece, Junk)] != [""]


def test_a_document_whose_strings_a_terminal_broke_over_lines_is_read() -> None:
    found = split(b'{"code": "X", "message": "timed out\nwhile \xc3\xa9 waiting"}\n{"b":2}\n')
    assert decoded(found) == [{"code": "X", "message": "timed out\nwhile \u00e9 waiting"}, {"b": 2}]
    assert junk(found) == []


def test_a_broken_string_with_bytes_that_are_no_text_does_not_shift_what_follows() -> None:
    found = split(b'{"message": "a\xff\nb"}\n{"b":2}\n')
    assert decoded(found)[1:] == [{"b": 2}]


def test_a_last_document_that_breaks_off_is_kept_as_text_and_reported() -> None:
    found: list[bytes] = []
    with pytest.raises(jsonstream.Truncated) as error:
        found.extend(jsonstream.documents(io.BytesIO(b'{"a":1}\n{"b":')))
    assert found == [b'{"a":1}', b'{"b":']
    assert error.value.index == 1


def test_brackets_without_end_are_junk_and_no_crash() -> None:
    found = split(b"[" * 100_000 + b'\n{"a":1}\n')
    assert decoded(found) == [{"a": 1}]


def test_bytes_that_are_no_text_are_replaced_in_documents() -> None:
    assert split(b'{"a":"\xff"}\n') == ['{"a":"\ufffd"}'.encode()]


def test_a_byte_order_mark_before_a_document_is_skipped() -> None:
    assert split(b'\xef\xbb\xbf{"a":1}\n') == [b'{"a":1}']


def test_pieces_are_lists_documents_and_text_in_their_order() -> None:
    text = indented(NODES) + LOG + b'{"kind":"Node"}\n' + json.dumps(EVENTS).encode()
    kinds = [
        piece.kind_hint() if isinstance(piece, Items) else bytes(piece)
        for piece in jsonstream.pieces(io.BytesIO(text))
    ]
    assert kinds == ["NodeList", LOG, b'{"kind":"Node"}', "EventList"]


def test_a_list_among_pieces_can_be_read_before_the_next_piece() -> None:
    text = indented(NODES) + indented(NODES)
    names = [
        json.loads(item)["metadata"]["name"]
        for piece in jsonstream.pieces(io.BytesIO(text))
        if isinstance(piece, Items)
        for _, item in piece.items
    ]
    assert names == ["node-0", "node-1", "node-2"] * 2


def test_a_broken_list_is_the_last_piece() -> None:
    pieces = jsonstream.pieces(io.BytesIO(b'{"items":[{"a":1},{"a":01},{"a":2}]}\n{"b":1}\n'))
    first = next(pieces)
    assert isinstance(first, Items)
    with pytest.raises(jsonstream.Malformed):
        list(first.items)
    assert list(pieces) == []


@settings(max_examples=100, deadline=None)
@given(
    st.lists(objects, max_size=6),
    st.sampled_from([None, 0, 4]),
    st.sampled_from(["", "\n", "\r\n", " \n\n"]),
)
def test_any_documents_in_any_layout_come_back_as_they_were(
    given_documents: list[object], layout: int | None, between: str
) -> None:
    text = between.join(json.dumps(one, indent=layout) for one in given_documents).encode()
    assert decoded(split(text)) == given_documents


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}[]",:\\\n 1ax=', max_size=60))
def test_no_byte_is_lost_whatever_the_text_is(text: str) -> None:
    seen = b""
    try:
        for piece in jsonstream.documents(io.BytesIO(text.encode())):
            seen += piece
    except jsonstream.Truncated:
        pass
    assert b"".join(seen.split()) == b"".join(text.encode().split())

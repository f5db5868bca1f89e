"""Fuzzes the reading of JSON streams: good elements or `Broken`, whatever the bytes."""

import contextlib
import io

import msgspec

from sickbay.bundle import jsonstream

# More than one window of the least size, so that borders of windows are met too.
REPEATED = 400


def one_input(data: bytes) -> None:
    """What must hold for any bytes at all."""
    _as_list(data)
    _as_list(b'[{"a":1},{"a":2},' + (data + b",") * REPEATED + b"3]")
    _as_list(b'{"kind":"List","items":[' + data + b'],"metadata":{}}')
    _as_documents(data)
    _as_documents(b'{"a":1}\n' + data + b'\n{"b":2}\n')


def seeds() -> list[bytes]:
    """Lists, documents, and what stands between them."""
    return [
        b'{"a": [1, "x", null, true, -1.5e3]}',
        b'{"items": [{"kind": "Pod"}, {}], "kind": "List"}',
        b'{"value": [], "nextLink": "https://x"} {"value": [{}]}',
        b'[{"a": "\\u00e9\\"]}"}, [[]]] tail',
        b'{"broken": [1, 2',
    ]


def _as_list(text: bytes) -> None:
    found = jsonstream.open_list(io.BytesIO(text), 0)
    if found is None:
        return
    items: list[bytes] = []
    is_whole = False
    with contextlib.suppress(jsonstream.Broken):
        for index, item in found.items:
            assert index == len(items), "the numbers of elements have holes"
            items.append(_canonical(item))
        is_whole = True
    expected = _oracle(text, found.path)
    if expected is not None:
        assert is_whole, "a good list was refused"
        assert items == expected, "the elements are not those of the list"


def _oracle(text: bytes, path: str) -> list[bytes] | None:
    """The elements as a decoder of the whole text finds them."""
    try:
        if path == "$":
            raw = msgspec.json.decode(text, type=list[msgspec.Raw])
        else:
            members = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
            raw = msgspec.json.decode(members[path.removeprefix("$.")], type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return [_canonical(bytes(one)) for one in raw]


def _canonical(item: bytes) -> bytes:
    msgspec.json.decode(item, type=msgspec.Raw)
    return item.decode(errors="replace").encode()


def _as_documents(text: bytes) -> None:
    with contextlib.suppress(jsonstream.Broken):
        for piece in jsonstream.documents(io.BytesIO(text)):
            assert piece, "an empty piece"
            if not isinstance(piece, jsonstream.Junk):
                _canonical(piece)
    with contextlib.suppress(jsonstream.Broken):
        for found in jsonstream.pieces(io.BytesIO(text)):
            assert found, "an empty piece"

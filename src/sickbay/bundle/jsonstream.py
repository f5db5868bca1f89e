"""Reads big JSON as a stream: the elements of one long list, or documents one after another."""

import io
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, NamedTuple

import msgspec

from sickbay.bundle.jsondocuments import DocumentReader, Junk
from sickbay.bundle.jsonitems import ListReader, decoded, valid_text
from sickbay.bundle.jsonwindow import (
    Broken,
    Malformed,
    NotJsonError,
    TooDeepError,
    Truncated,
    Walk,
    Window,
)

__all__ = [
    "Broken",
    "Items",
    "Junk",
    "Malformed",
    "Truncated",
    "documents",
    "open_list",
    "pieces",
]

_BRACE: Final = ord("{")
_BRACKET: Final = ord("[")
_LIST_KEYS: Final = frozenset({b"items", b"value", b"resources", b"data"})
_WHOLE: Final = "$"
_HEAD: Final = 1 << 20
_TAIL: Final = 64 << 10
_TAIL_TRIES: Final = 16
_KEY: Final = re.compile(rb'[ \t\r\n]*+"((?:[^"\\\n]|\\.)*+)"[ \t\r\n]*+:[ \t\r\n]*+')
_LINE_END: Final = re.compile(rb"[ \t\r]*+(?:\n|\Z)")
_MEMBERS: Final = msgspec.json.Decoder(dict[str, object])


class Items(NamedTuple):
    """A long list that is being read.

    `header` holds what stands beside the list (scalars and objects); what stands after it is there
    once `items` is exhausted. `kind_hint()` says the kind as early as it can be known, or "".
    """

    header: dict[str, object]
    path: str
    items: Iterator[tuple[int, bytes]]
    kind_hint: Callable[[], str]


def open_list(reader: BinaryIO, size_hint: int | None = None) -> Items | None:
    """The elements of the list that makes up the text, or None if the head shows no such list.

    `items` raises `Truncated` or `Malformed` after the last good element.
    """
    window = Window(reader, size_hint)
    if not window.skip_space():
        return None
    found = _items(window, reader)
    return None if found is None else found._replace(items=_nothing_after(found, window))


def documents(reader: BinaryIO) -> Iterator[bytes]:
    """Each JSON document of a text that holds several; what is no JSON comes as `Junk`.

    Raises `Truncated` or `Malformed` after the last good one.
    """
    window = Window(reader)
    reading = DocumentReader(window)
    while window.skip_space():
        yield from reading.read()


def pieces(reader: BinaryIO, size_hint: int | None = None) -> Iterator[Items | bytes]:
    """Everything in a text: long lists as `Items`, other documents as bytes, the rest as `Junk`.

    What the caller leaves unread of an `Items` is skipped. A broken list is the last piece.
    """
    window = Window(reader, size_hint)
    reading = DocumentReader(window)
    while window.skip_space():
        line = reading.short_line()
        found = _items(window, None) if line is None else None
        if line is not None:
            yield line
        elif found is None:
            yield from reading.read()
        else:
            yield found
            for _ in found.items:
                pass


def _nothing_after(found: Items, window: Window) -> Iterator[tuple[int, bytes]]:
    index = -1
    for index, item in found.items:
        yield index, item
    if window.skip_space():
        raise Malformed(index + 1, "more text follows the end of the list")


class _Shape(NamedTuple):
    path: str
    header: dict[str, object]
    # Behind the opening bracket.
    start: int


def _items(window: Window, reader: BinaryIO | None) -> Items | None:
    """The list that begins where the window stands; None, and nothing is read, if there is none."""
    if not window.exhausted and window.end - window.start < _HEAD:
        window.fill()
    try:
        shape = _shape(window)
    except NotJsonError:
        return None
    if shape is None:
        return None
    window.start = shape.start
    header = shape.header

    def kind_hint() -> str:
        kind = header.get("kind")
        if kind is None and reader is not None and shape.path != _WHOLE:
            kind = _kind_after_list(reader)
        return kind if isinstance(kind, str) else ""

    return Items(header, shape.path, _read_list(window, shape), kind_hint)


def _read_list(window: Window, shape: _Shape) -> Iterator[tuple[int, bytes]]:
    elements = ListReader(window)
    try:
        yield from elements
        if shape.path != _WHOLE:
            shape.header.update(_members_after(window, elements))
    except Broken:
        window.close()
        raise


def _shape(window: Window) -> _Shape | None:
    buffer, first = window.buffer, window.start
    if buffer[first] == _BRACKET:
        return _Shape(_WHOLE, {}, first + 1) if _begins_list(window, first + 1) else None
    if buffer[first] != _BRACE:
        return None
    at = first + 1
    while key := _KEY.match(buffer, at, window.end):
        value = key.end()
        if key[1] in _LIST_KEYS and buffer.startswith(b"[", value, window.end):
            header = _members(buffer[first + 1 : at - 1]) if at > first + 1 else {}
            if header is None:
                return None
            path = f"$.{key[1].decode()}"
            return None if _is_one_thing(header) else _Shape(path, header, value + 1)
        end = Walk().end(window, value)
        if end is None or not buffer.startswith(b",", comma := window.space(end), window.end):
            return None
        at = comma + 1
    return None


def _begins_list(window: Window, at: int) -> bool:
    """Whether JSON follows the bracket; a line of a log can begin with a bracket too."""
    at = window.space(at)
    if window.buffer.startswith(b"]", at, window.end):
        return _fills_its_line(window, at)
    if not window.buffer.startswith((b"{", b"[", b'"'), at, window.end):
        return False
    try:
        end = Walk().end(window, at)
    except TooDeepError:
        return True
    after = window.end if end is None else window.space(end)
    if window.buffer.startswith(b"]", after, window.end):
        return _fills_its_line(window, after)
    return after == window.end or window.buffer.startswith(b",", after, window.end)


def _fills_its_line(window: Window, closing: int) -> bool:
    return _LINE_END.match(window.buffer, closing + 1, window.end) is not None


def _is_one_thing(header: dict[str, object]) -> bool:
    """Whether the members before the list are those of a resource or object that has a list."""
    kind, metadata = header.get("kind"), header.get("metadata")
    return (
        not header.keys().isdisjoint(("id", "name", "properties"))
        or (isinstance(kind, str) and not kind.endswith("List"))
        or (isinstance(metadata, dict) and "name" in metadata)
    )


def _members_after(window: Window, elements: ListReader) -> dict[str, object]:
    walk = Walk()
    try:
        # The members after the list are an object again once a brace stands in front of them.
        while (end := walk.end(window, window.put_before(_BRACE))) is None:
            if not window.more():
                raise elements.stuck()
    except NotJsonError:
        raise Malformed(elements.count, "what follows the list is no JSON") from None
    members = _members(b'"":0' + window.take(end)[:-1])
    if members is None:
        raise Malformed(elements.count, "what follows the list is malformed")
    return members


def _members(text: bytes | bytearray) -> dict[str, object] | None:
    """The scalars and objects among these members of an object; None if they are no JSON."""
    found = decoded(_MEMBERS, valid_text(b"{" + text + b"}"))
    return found and {
        key: value for key, value in found.items() if key and not isinstance(value, list)
    }


def _kind_after_list(reader: BinaryIO) -> object:
    tail = _tail(reader)
    at = len(tail)
    for _ in range(_TAIL_TRIES):
        at = tail.rfind(b"]", 0, at)
        if at < 0:
            break
        found = decoded(_MEMBERS, b'{"":0' + tail[at + 1 :])
        if found is not None:
            return found.get("kind")
    return None


def _tail(reader: BinaryIO) -> bytes:
    """The end of a plain file. To seek in a compressed one would mean to unpack it all."""
    is_plain = isinstance(reader, io.BytesIO) or (
        isinstance(reader, io.BufferedReader) and isinstance(reader.raw, io.FileIO)
    )
    if not is_plain or not reader.seekable():
        return b""
    here = reader.tell()
    size = reader.seek(0, io.SEEK_END)
    reader.seek(max(0, size - _TAIL))
    tail = reader.read(_TAIL)
    reader.seek(here)
    return tail

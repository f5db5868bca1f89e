"""JSON lists from sources of all kinds: slow, cut short, compressed, larger than memory."""

import gzip
import io
import json
import tracemalloc
from collections.abc import Iterator
from typing import BinaryIO, cast

import pytest

from sickbay.bundle import jsonstream
from sickbay.bundle.jsonitems import ListReader
from sickbay.bundle.jsonwindow import WINDOW, Window

PODS = [{"metadata": {"name": f"pod-{i}"}, "spec": {"of": [{}, {"a": 1}]}} for i in range(200)]


class Dripping(io.RawIOBase):
    """A source that gives one byte at a time."""

    def __init__(self, data: bytes) -> None:
        self._left = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        room = memoryview(buffer)  # type: ignore[arg-type]  # typeshed has no Buffer protocol here
        return self._left.readinto(room[:1])


class Endless(io.RawIOBase):
    """A long list that exists nowhere as a whole."""

    def __init__(self, size: int) -> None:
        element = b'{"metadata":{"name":"' + b"x" * 4_000 + b'"}}'
        self._parts = self._made(element, size // len(element))
        self._left = b""

    @staticmethod
    def _made(element: bytes, count: int) -> Iterator[bytes]:
        yield b"[" + element
        for _ in range(count):
            yield b"," + element
        yield b"]"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        room = memoryview(buffer)  # type: ignore[arg-type]  # typeshed has no Buffer protocol here
        self._left = self._left or next(self._parts, b"")
        part, self._left = self._left[: len(room)], self._left[len(room) :]
        room[: len(part)] = part
        return len(part)


def opened(reader: BinaryIO) -> jsonstream.Items:
    found = jsonstream.open_list(reader, None)
    assert found is not None
    return found


def compact(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def unpacking(packed: bytes) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=io.BytesIO(packed)))


def test_the_kind_of_a_compressed_file_is_not_looked_for_at_its_end() -> None:
    packed = gzip.compress(compact({"items": PODS, "kind": "PodList"}))
    found = opened(unpacking(packed))
    assert found.kind_hint() == ""
    assert sum(1 for _ in found.items) == len(PODS)
    assert found.kind_hint() == "PodList"


def test_a_compressed_file_that_breaks_off_gives_what_could_be_unpacked() -> None:
    packed = gzip.compress(compact(PODS * 50), mtime=0)
    found = opened(unpacking(packed[:-400]))
    good: list[bytes] = []
    with pytest.raises(jsonstream.Truncated):
        good.extend(item for _, item in found.items)
    assert len(good) > len(PODS)


def test_an_element_larger_than_the_window_is_read_whole() -> None:
    outer = [{"a": "x"}, {"a": "y"}, {"a": '},{"a":"' * (WINDOW // 4)}, {"a": "z"}]
    found = opened(io.BytesIO(compact(outer)))
    assert [json.loads(item) for _, item in found.items] == outer


def test_a_source_that_drips_gives_the_same() -> None:
    found = opened(io.BufferedReader(Dripping(compact(PODS))))
    assert [json.loads(item) for _, item in found.items] == PODS


def test_a_source_without_a_buffer_gives_the_same() -> None:
    found = opened(cast("BinaryIO", Dripping(compact(PODS))))
    assert [json.loads(item) for _, item in found.items] == PODS


def test_an_element_that_memory_should_not_hold_is_refused() -> None:
    text = compact([{"a": "x"}, {"a": "y" * WINDOW}])
    window = Window(io.BytesIO(text[1:]), cap=WINDOW)
    good: list[bytes] = []
    with pytest.raises(jsonstream.Malformed, match="element 1 is too large"):
        good.extend(item for _, item in ListReader(window))
    assert good == [b'{"a":"x"}']


def test_memory_does_not_grow_with_the_list() -> None:
    tracemalloc.start()
    found = opened(io.BufferedReader(Endless(64 << 20)))
    count = sum(1 for _ in found.items)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count > 10_000
    assert peak < 16 << 20

"""Splits the inside of one JSON list into its elements: fast where borders repeat, exact always."""

import json
import re
from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

from sickbay.bundle.jsonwindow import WINDOW, Malformed, NotJsonError, Truncated, Walk, Window

_TRIES: Final = 4
_PATIENCE: Final = 64 << 10
_COMMA: Final = ord(",")
_OPEN: Final = ord("[")
_CLOSE: Final = ord("]")
_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
_VALUE: Final = msgspec.json.Decoder(msgspec.Raw)
# How an element ends and how the next one begins, with the indentation that makes the border rare.
_ENDING: Final = re.compile(rb'(?:\n[ \t]{0,64})?[}\]"]\Z')
_FIRST_KEY: Final = re.compile(rb'\{[ \t\r\n]*+"[^"\\\n]{1,200}+"[ \t\r\n]*+:')

_Decoded = TypeVar("_Decoded")


class ListReader:
    """Reads from behind the opening bracket of a list to behind the closing one."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._separators: tuple[bytes, ...] = ()
        self._patience = _PATIENCE
        self._is_closed = False
        self.count = 0

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        self._is_closed = self._closes_at_once()
        while not self._is_closed:
            yield from self._by_separator()
            yield from self._by_walk()

    def stuck(self) -> Truncated | Malformed:
        """Why there is no further element although the list is not closed."""
        if self._window.exhausted:
            return Truncated(self.count, f"the text breaks off after {self.count} elements")
        return Malformed(self.count, f"element {self.count} is too large to read")

    def _closes_at_once(self) -> bool:
        window = self._window
        if not window.skip_space() or window.buffer[window.start] != _CLOSE:
            return False
        window.start += 1
        return True

    def _by_separator(self) -> Iterator[tuple[int, bytes]]:
        """Whole windows of elements, as long as the learnt border is found and proves right."""
        window = self._window
        while border := self._border():
            batch, window.start = border
            self._patience = _PATIENCE
            is_ascii = window.buffer.isascii()
            for raw in batch:
                item = bytes(raw)
                yield self.count, item if is_ascii else valid_text(item)
                self.count += 1
            batch.clear()
            if not window.more():
                return

    def _border(self) -> tuple[list[msgspec.Raw], int] | None:
        """The elements before the last border in the window, and where the next one begins.

        A comma ends an element of this list exactly when the text before it, closed by a bracket,
        is a list. So the decoder is the proof, and no guess is ever trusted.
        """
        buffer, first = self._window.buffer, self._window.start - 1
        for at in self._candidates():
            buffer[first], buffer[at] = _OPEN, _CLOSE
            batch = decoded(_LIST, memoryview(buffer)[first : at + 1])
            buffer[at] = _COMMA
            if batch is not None:
                return batch, at + 1
        return None

    def _candidates(self) -> Iterator[int]:
        window = self._window
        for separator in self._separators:
            limit = window.end
            for _ in range(_TRIES):
                limit = window.buffer.rfind(separator, window.start, limit)
                if limit < 0:
                    break
                yield window.buffer.index(_COMMA, limit)

    def _by_walk(self) -> Iterator[tuple[int, bytes]]:
        """Elements one by one: two to learn a border, or more where no learnt one proves right.

        More each time, so that the tries in vain cost no more than the walk itself.
        """
        budget = self._patience if self._separators else 1
        self._patience = min(2 * self._patience, WINDOW)
        before, gap = b"", b""
        while not self._is_closed:
            item = self._element()
            yield self.count, item
            self.count += 1
            budget -= len(item) + len(gap)
            if budget < 0:
                self._learn(before, gap, item)
            before, gap = item, self._gap()
            if budget < 0 and self._separators:
                return

    def _element(self) -> bytes:
        window, walk = self._window, Walk()
        if not window.skip_space():
            raise self.stuck()
        try:
            while (end := walk.end(window, window.start)) is None:
                if not window.more():
                    raise self.stuck()
        except NotJsonError as error:
            raise Malformed(self.count, f"element {self.count} {error.why}") from None
        item = window.take(end)
        good = good_value(item)
        if good is None:
            raise Malformed(self.count, f"element {self.count} {why_refused(item)}")
        return good

    def _gap(self) -> bytes:
        """Step over what parts two elements, and say what it is when it is all in sight."""
        window = self._window
        end = window.start
        is_in_sight = window.space(end) < window.end
        if not window.skip_space():
            raise self.stuck()
        mark = window.buffer[window.start]
        if mark not in (_COMMA, _CLOSE):
            raise Malformed(self.count, f"element {self.count - 1} is followed by no comma")
        window.start += 1
        self._is_closed = mark == _CLOSE
        following = window.space(window.start)
        is_in_sight = is_in_sight and following < window.end
        return bytes(window.buffer[end:following]) if is_in_sight else b""

    def _learn(self, before: bytes, gap: bytes, after: bytes) -> None:
        if not gap:
            return
        ending = _ENDING.search(before[-80:])
        if ending is None:
            self._separators = (gap,)
            return
        plain = ending[0] + gap + after[:1]
        key, other = _FIRST_KEY.match(after), _FIRST_KEY.match(before)
        if key and other and key[0] == other[0]:
            self._separators = (ending[0] + gap + key[0], plain)
        else:
            self._separators = (plain,)


def decoded(decoder: "msgspec.json.Decoder[_Decoded]", data: bytes | memoryview) -> _Decoded | None:
    """What the decoder makes of the data; None if it refuses."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def good_value(item: bytes) -> bytes | None:
    """The value as strict JSON in valid UTF-8, repaired where its meaning is clear; else None."""
    if decoded(_VALUE, item) is not None:
        return valid_text(item)
    if len(item) > WINDOW:
        return None
    # Python and JavaScript write control characters, NaN and halves of surrogate pairs.
    try:
        value = json.loads(
            item.decode(errors="replace"), strict=False, parse_constant=lambda _: None
        )
        repaired = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    except (ValueError, RecursionError):
        return None
    return repaired if decoded(_VALUE, repaired) is not None else None


def why_refused(item: bytes) -> str:
    try:
        _VALUE.decode(item)
    except RecursionError:
        return "is nested too deeply"
    except msgspec.DecodeError as error:
        return f"is malformed: {error}"
    return "is malformed"


def valid_text(item: bytes) -> bytes:
    """The item with bytes that are no UTF-8 replaced."""
    if item.isascii():
        return item
    try:
        item.decode()
    except UnicodeDecodeError:
        return item.decode(errors="replace").encode()
    return item

"""Takes a text apart that holds several JSON documents, and perhaps prose between them."""

import json
import re
from collections.abc import Iterator
from typing import Final, Self

import msgspec

from sickbay.bundle.jsonitems import decoded, good_value, valid_text, why_refused
from sickbay.bundle.jsonwindow import WINDOW, Malformed, NotJsonError, Truncated, Walk, Window

_VALUE: Final = msgspec.json.Decoder(msgspec.Raw)
_OPENING: Final = b"{["
_CLOSING: Final = b"}]"
_SPACE: Final = b" \t\r\n"
# `kubectl cluster-info dump` prints the log of a container between two such lines.
_LOG_BEGINS: Final = b"==== START logs"
_LOG_ENDS: Final = re.compile(rb"\n==== END logs[^\n]*+\n")
_PROSE_ENDS: Final = re.compile(rb"\n(?=[{\[]|==== START logs)")
_LIST_KEY: Final = re.compile(rb'"(?:items|value|resources|data)"[ \t]*+:[ \t]*+\[')
_SHORT: Final = 64 << 10
_MISSES: Final = 16
BREAKS_OFF: Final = "breaks off"


class Junk(bytes):
    """What stands between documents. `why` is empty for plain prose, else what is wrong with it."""

    why: str

    def __new__(cls, data: bytes | bytearray, why: str = "") -> Self:
        junk = super().__new__(cls, data)
        junk.why = why
        return junk


class DocumentReader:
    """Reads one document, or one stretch of junk, at a time from where the window stands."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._misses = 0
        self.count = 0

    def short_line(self) -> bytes | None:
        """The line at hand if it is a document by itself and holds no list worth a stream."""
        window = self._window
        end = self._line_end()
        if end < 0 or _LIST_KEY.search(window.buffer, window.start, end):
            return None
        return self._taken(end)

    def read(self) -> Iterator[bytes]:
        """One document or some pieces of junk; raises after them if the text cannot go on."""
        window = self._window
        if window.buffer[window.start] in _OPENING:
            piece = self._by_line() or self._by_indentation() or self._by_walk()
            yield piece
            if isinstance(piece, Junk) and piece.why == BREAKS_OFF:
                raise Truncated(self.count, f"the text breaks off in document {self.count}")
        elif window.buffer.startswith(_LOG_BEGINS, window.start, window.end):
            yield from _text(window, _LOG_ENDS)
        else:
            yield from _text(window, _PROSE_ENDS)

    def _by_line(self) -> bytes | None:
        end = self._line_end()
        return None if end < 0 else self._taken(end)

    def _line_end(self) -> int:
        """Where the document ends if it fills the rest of its line; -1 if it does not."""
        window = self._window
        limit = min(window.end, window.start + _SHORT)
        end = window.buffer.find(b"\n", window.start, limit)
        if end < 0:
            if not window.exhausted or limit < window.end:
                return -1
            end = limit
        while end > window.start and window.buffer[end - 1] in _SPACE:
            end -= 1
        return end if window.buffer[end - 1] in _CLOSING else -1

    def _by_indentation(self) -> bytes | None:
        """The document whose closing bracket is the next one at the start of a line.

        A guess that the decoder confirms; after some wrong ones it is not worth the search.
        """
        window = self._window
        if self._misses > _MISSES:
            return None
        is_object = window.buffer[window.start] == ord("{")
        closing = window.buffer.find(b"\n}" if is_object else b"\n]", window.start, window.end)
        document = None if closing < 0 else self._taken(closing + 2)
        self._misses += document is None
        return document

    def _taken(self, end: int) -> bytes | None:
        window = self._window
        if decoded(_VALUE, memoryview(window.buffer)[window.start : end]) is None:
            return None
        self.count += 1
        return valid_text(window.take(end))

    def _by_walk(self) -> bytes:
        window, walk = self._window, Walk()
        try:
            while (end := walk.end(window, window.start)) is None:
                if not window.more():
                    return self._unfinished()
        except NotJsonError as error:
            if (wrapped := self._by_wrapping()) is not None:
                return wrapped
            line_end = window.buffer.find(b"\n", error.at, window.end)
            return Junk(window.take(line_end + 1 or window.end), error.why)
        item = window.take(end)
        good = good_value(item)
        if good is None:
            return Junk(item, why_refused(item))
        self.count += 1
        return good

    def _by_wrapping(self) -> bytes | None:
        """The document whose strings a terminal has broken over lines; short, and all there."""
        window = self._window
        if self._misses > _MISSES or not window.exhausted or window.end - window.start > _SHORT:
            return None
        self._misses += 1
        with memoryview(window.buffer) as view:
            text = bytes(view[window.start : window.end]).decode(errors="surrogateescape")
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(text)
        except (ValueError, RecursionError):
            return None
        window.take(window.start + len(text[:end].encode(errors="surrogateescape")))
        self.count += 1
        return json.dumps(value, ensure_ascii=False).encode(errors="replace")

    def _unfinished(self) -> bytes:
        window = self._window
        if not window.exhausted:
            raise Malformed(self.count, f"document {self.count} is too large to read")
        return Junk(window.take(window.end), BREAKS_OFF)


def _text(window: Window, ending: re.Pattern[bytes]) -> Iterator[bytes]:
    """What is no JSON, in pieces of whole lines as far as lines are short enough."""
    while True:
        found = ending.search(window.buffer, window.start, window.end)
        if found or window.exhausted:
            yield Junk(window.take(found.end() if found else window.end))
            return
        # The last line may be the beginning of the ending: it stays, with its line feed.
        last_line = window.buffer.rfind(b"\n", window.start, window.end)
        if last_line > window.start:
            yield Junk(window.take(last_line))
        elif window.end - window.start >= WINDOW - 1:
            yield Junk(window.take(window.end))
        window.more()

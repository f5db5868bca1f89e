"""A moving window over JSON text, and an exact walk over one value in it."""

import io
import re
from collections.abc import Callable
from typing import BinaryIO, Final

WINDOW: Final = 4 << 20
CAP: Final = 64 << 20
# No decoder follows deeper than this, and nobody means to write it.
DEEPEST: Final = 1000
_SLACK: Final = 4096
_OPENING: Final = b"{["

# Possessive throughout: each byte is looked at once, whatever the text is.
_STRING: Final = rb'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"'
_OUTSIDE: Final = rb"[ \t\r\n,:0-9+\-.eEtrufalsnNIiy]++"
_TO_BRACKET: Final = re.compile(rb"(?:" + _OUTSIDE + rb"|" + _STRING + rb")*+([\[\]{}])?")
_OPEN_STRING: Final = re.compile(rb'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+\\?')
_SCALAR: Final = re.compile(rb"(?:" + _STRING + rb"|[0-9+\-.eEtrufalsnNIiy]++)")
_SPACE: Final = re.compile(rb"(?:[ \t\r\n]++|\xef\xbb\xbf)*+")


class Broken(Exception):  # noqa: N818 - the callers' vocabulary: what happened to the text
    """The JSON ends here; everything before `index` was good."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(message)
        self.index = index
        self.message = message


class Truncated(Broken):
    """The text breaks off in the middle."""


class Malformed(Broken):
    """The text goes on, but not as JSON that we accept."""


class NotJsonError(Exception):
    """A byte that no JSON has at this place. Internal to the readers."""

    why = "is no JSON"

    def __init__(self, at: int) -> None:
        super().__init__(f"byte {at}")
        self.at = at


class TooDeepError(NotJsonError):
    """More brackets inside each other than any decoder follows."""

    why = "is nested too deeply"


class Window:
    """The unread bytes are `buffer[start:end]`; before them is at least one byte that is free."""

    __slots__ = ("_cap", "_read", "buffer", "end", "exhausted", "start")

    def __init__(self, reader: BinaryIO, size_hint: int | None = None, cap: int = CAP) -> None:
        room = WINDOW if size_hint is None else max(_SLACK, min(WINDOW, size_hint + _SLACK))
        self.buffer = bytearray(room)
        self.start = self.end = 1
        self.exhausted = False
        self._cap = cap
        self._read = _into(reader)

    def fill(self) -> None:
        """Make room in front and read until the buffer is full or the source ends."""
        with memoryview(self.buffer) as view:
            if self.start > 1:
                rest = self.end - self.start
                view[1 : 1 + rest] = view[self.start : self.end]
                self.start, self.end = 1, 1 + rest
            while not self.exhausted and self.end < len(view):
                count = self._read(view[self.end :])
                self.end += count
                self.exhausted = count == 0

    def more(self) -> bool:
        """Read on, in a larger buffer if the value needs it.

        False when the source is exhausted, and when there is more but the buffer may not grow.
        """
        is_full = self.start == 1 and self.end == len(self.buffer)
        if self.exhausted or (is_full and self.end >= self._cap):
            return False
        if is_full:
            self._grow()
        self.fill()
        return True

    def skip_space(self) -> bool:
        """Go to the next byte that is no white space; False when there is none."""
        while True:
            self.start = self.space(self.start)
            if self.start < self.end:
                return True
            if not self.more():
                return False

    def put_before(self, byte: int) -> int:
        """Set the byte before the unread ones, and say where it is."""
        self.buffer[self.start - 1] = byte
        return self.start - 1

    def close(self) -> None:
        """Give up the rest."""
        self.start, self.exhausted = self.end, True

    def take(self, end: int) -> bytes:
        """The bytes up to `end`, which thereby are read."""
        with memoryview(self.buffer) as view:
            taken = bytes(view[self.start : end])
        self.start = end
        return taken

    def space(self, at: int) -> int:
        """Where the white space (or byte order mark) that begins at `at` ends."""
        found = _SPACE.match(self.buffer, at, self.end)
        return found.end() if found else at

    def _grow(self) -> None:
        larger = bytearray(max(WINDOW, min(self._cap, 2 * len(self.buffer))))
        with memoryview(self.buffer) as view:
            larger[: self.end] = view[: self.end]
        self.buffer = larger


class Walk:
    """How far one value has been followed. Offsets count from where the value starts."""

    __slots__ = ("_at", "_depth")

    def __init__(self) -> None:
        self._at = 0
        self._depth = 0

    def end(self, window: Window, start: int) -> int | None:
        """The offset in the buffer after the value at `start`, or None if it goes on beyond.

        May be asked again after the window has grown. Brackets are counted, not matched: whether
        the value is good JSON is for the decoder to say.
        """
        if start >= window.end:
            return None
        if window.buffer[start] not in _OPENING:
            return _scalar_end(window, start)
        at, depth, limit = start + self._at, self._depth, window.end
        while found := _TO_BRACKET.match(window.buffer, at, limit):
            if found[1] is None:
                _must_be_open(window, found.end())
                break
            depth += 1 if found[1] in _OPENING else -1
            if depth > DEEPEST:
                raise TooDeepError(at)
            at = found.end()
            if depth == 0:
                return at
        self._at, self._depth = at - start, depth
        return None


def _scalar_end(window: Window, start: int) -> int | None:
    found = _SCALAR.match(window.buffer, start, window.end)
    if found is None:
        _must_be_open(window, start)
        return None
    is_string = window.buffer[start : start + 1] == b'"'
    return found.end() if is_string or found.end() < window.end else None


def _must_be_open(window: Window, at: int) -> None:
    """Refuse the byte at `at` unless it opens a string that may be closed further on."""
    found = _OPEN_STRING.match(window.buffer, at, window.end)
    if at < window.end and (found is None or found.end() < window.end):
        raise NotJsonError(at)


def _into(reader: BinaryIO) -> Callable[[memoryview], int]:
    if isinstance(reader, io.BufferedIOBase):
        # One read at a time: what came before a broken end of a compressed stream is kept.
        return _until_cut(reader.readinto1)

    def copy(room: memoryview) -> int:
        data = reader.read(min(len(room), WINDOW)) or b""
        room[: len(data)] = data
        return len(data)

    return _until_cut(copy)


def _until_cut(read: Callable[[memoryview], int]) -> Callable[[memoryview], int]:
    def into(room: memoryview) -> int:
        try:
            return read(room)
        except EOFError:  # how gzip, bz2 and lzma say that the archive breaks off
            return 0

    return into

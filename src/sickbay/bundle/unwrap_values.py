"""JSON and its broken relatives, as far as they can be read: cut off, misquoted, Go, Python."""

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from sickbay.record import NamedTuple

_MOST_NESTED: Final = 100
_NO_LIMIT: Final = 1 << 60
# Patterns stay as text: only broken input needs them, and compiling costs more than reading.
_SKIP: Final = r"(?:[\s,;]|\\+[nrt])*"
_SEPARATOR: Final = r"(?:\s|\\+[nrt])*(?::=|=>|[:=])(?:\s|\\+[nrt])*"
_KEY: Final = rf"([\"'])((?:[^\"'\\\n]|\\.){{0,200}})\1{_SEPARATOR}"
# A key may have lost its opening quote.
_NEXT_KEY: Final = r"[\"'][^\"'\n]{0,200}(?:[\"']\s*(?:[:=]|$)|$)|\w{1,80}[\"']\s*:"
_AFTER_MEMBER: Final = rf"\s*(?:[}}\])]|$|[,;]?\s*(?:{_NEXT_KEY}|}}|$))"
_AFTER_FIELD: Final = rf"{_AFTER_MEMBER}|[,;]?\s*[\w.]{{1,80}}\s?[:=]"
_AFTER_ITEM: Final = r"\s*(?:\]|$|,\s*(?:[\"'{\[\d\]tfn]|$))"
_BARE: Final = r"[^\s,;:={}\[\]\"'\\]+"
# A bare value may be a sentence, as Go prints it: up to the next field or the end of the struct.
_BARE_END: Final = r"[{}\[\]\n\"]|,?\s(?=[A-Z]\w{0,40}:\S)|,(?=\s*[\"'\w]+\s*[:=])|,$"
_STOPS: Final = {'"': r"[\"\\]", "'": r"['\\]"}
_ESCAPE: Final = r"(?s:\\(?:u([0-9a-fA-F]{4})|(.)|$))"
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": "", "0": ""}
_SURROGATE: Final = "[\ud800-\udfff]"


class Cut(str):
    """A string that broke off before its end."""

    __slots__ = ()


class Value(NamedTuple):
    """What stood at a place, and where it ended."""

    value: object
    end: int


def read(text: str, start: int) -> Value:
    """The object or list that opens at `start`; what is broken or missing is made up for."""
    try:
        value, end = _decoder()(text, start)
    except (ValueError, RecursionError):
        return _Salvage(text, start).read()
    return Value(value, end)


@cache
def _decoder() -> Callable[[str, int], tuple[object, int]]:
    from json import JSONDecoder  # noqa: PLC0415 - many texts hold no JSON

    decoder = JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)
    return decoder.raw_decode


def unescape(text: str) -> str:
    """One level of backslash escapes taken off."""
    if "\\" not in text:
        return text
    text = re.sub(_ESCAPE, _character, text)
    if not text.isascii() and re.search(_SURROGATE, text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def quoted(text: str, start: int, closes: str, limit: int = _NO_LIMIT) -> tuple[str, int]:
    """The string whose quote stands at `start`: up to the quote that something can follow."""
    stop, after = re.compile(_STOPS[text[start]]), re.compile(closes)
    at = start + 1
    limit = min(limit, len(text))
    while found := stop.search(text, at, limit):
        if found[0] == "\\":
            at = found.end() + 1
        elif after.match(text, found.end()):
            return unescape(text[start + 1 : found.start()]), found.end()
        else:
            at = found.end()
    return Cut(unescape(text[start + 1 : limit])), limit


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    if not match[2]:
        return ""
    if match[2] in "\"'\\/`":
        return match[2]
    return _ESCAPES.get(match[2], match[0])


class _Salvage:
    """A reader that never gives up: each step takes a token; the end of the text closes all."""

    __slots__ = ("_at", "_key", "_stack", "_text", "_value_ends")

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._stack: list[dict[str, object] | list[object]] = []
        self._key = ""
        self._value_ends = _AFTER_MEMBER

    def read(self) -> Value:
        root = self._open()
        while self._at < len(self._text) and 0 < len(self._stack) <= _MOST_NESTED:
            self._step()
            # Only between values: what follows the last bracket belongs to the caller.
            if self._stack:
                self._at = self._end_of(_SKIP)
        return Value(root, self._at)

    def _end_of(self, pattern: str) -> int:
        match = re.compile(pattern).match(self._text, self._at)
        return match.end() if match else self._at

    def _step(self) -> None:
        character = self._text[self._at]
        if character in "{[":
            self._open()
        elif character in "}]":
            self._close(dict if character == "}" else list)
        elif isinstance(self._stack[-1], list):
            self._item(character)
        elif self._key:
            self._member(character)
        else:
            self._name(character)

    def _open(self) -> object:
        container: dict[str, object] | list[object] = {} if self._text[self._at] == "{" else []
        if self._stack:
            self._put(container)
        self._stack.append(container)
        self._at += 1
        return container

    def _close(self, wanted: type) -> None:
        self._at += 1
        self._key = ""
        # A bracket that was never opened is noise; one that was left open closes with its parent.
        if any(isinstance(container, wanted) for container in self._stack[-3:]):
            while not isinstance(self._stack.pop(), wanted):
                pass

    def _item(self, character: str) -> None:
        if character in _STOPS:
            value, self._at = quoted(self._text, self._at, _AFTER_ITEM)
            self._put(value)
        else:
            self._bare()

    def _member(self, character: str) -> None:
        if character in _STOPS:
            value, self._at = quoted(self._text, self._at, self._value_ends)
            self._put(value)
        else:
            self._bare()

    def _bare(self) -> None:
        found = re.compile(_BARE_END).search(self._text, self._at)
        end = found.start() if found else len(self._text)
        value = self._text[self._at : end].strip()
        self._at = max(end, self._at + 1)
        # `v1.Status{` is the type of the struct that follows, not a value.
        if value and not (found and found[0] == "{"):
            self._put(value if found else Cut(value))

    def _name(self, character: str) -> None:
        if character not in _STOPS:
            self._bare_name()
            return
        match = re.compile(_KEY).match(self._text, self._at)
        if match:
            self._key, self._at = unescape(match[2]) or "?", match.end()
            self._value_ends = _AFTER_MEMBER
            return
        # A sentence where a key should be: people cut `message:` away when they copy.
        value, self._at = quoted(self._text, self._at, _AFTER_MEMBER)
        if not isinstance(value, Cut) or " " in value:
            self._key = "message"
            self._put(value)

    def _bare_name(self) -> None:
        start, self._at = self._at, max(self._end_of(_BARE), self._at + 1)
        name, self._at = self._text[start : self._at], self._at
        end = self._end_of(rf"[\"']?{_SEPARATOR}")
        if end > self._at:
            self._key, self._at = name, end
            self._value_ends = _AFTER_FIELD

    def _put(self, value: object) -> None:
        container = self._stack[-1]
        if isinstance(container, list):
            container.append(value)
        else:
            container.setdefault(self._key or "?", value)
        self._key = ""

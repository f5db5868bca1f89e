"""Values of keys that name a secret: in JSON, YAML, XML, queries, settings and flags."""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from sickbay.bundle.secretkeys import WORDS, Rank, holds_no_secret, matched, rank
from sickbay.bundle.secretvalues import Span, Word, block_below, line_end, quoted_end, word_at
from sickbay.record import NamedTuple

_KEY_LENGTH: Final = 80
_KEY_SIGNS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-"
_FOLLOWERS: Final = frozenset("0123456789-_dD\\\"' \t\r\n:=%>,")
_SUFFIX: Final = r"(?P<suffix>(?:[-_]?[dD]ata)?+\d{0,2}+)"
_OPEN: Final = r"""(?P<open>\\*+["'])?+"""
_ASSIGNED: Final = (
    _SUFFIX + r"""(?:\\*+["'])?+[ \t]{0,16}+(?P<sep>==|:=|=>|[:=]|%3[dD]|%3[aA])"""
    r"""(?P<gap>[ \t]{0,64}+)(?P<list>\[[ \t]*+(?![a-zA-Z]++\())?+""" + _OPEN
)
_PAIRED: Final = (
    _SUFFIX + r"""(?:\\*+["'])?+[ \t]*+(?:,|(?=[\r\n]|\\[nr]))(?:\s|\\[nrt])*+"""
    r"""\\*+["']?+(?:value|Value)\\*+["']?+[ \t]*+[:=][ \t]*+""" + _OPEN
)
_NESTED: Final = (
    _SUFFIX
    + r"""\\*+["']\s*+:\s*+\{(?:\s|\\[nrt])*+\\*+["'](?:value|defaultValue)\\*+["']\s*+:\s*+"""
    r"""(?P<open>\\*+["'])"""
)
_TAGGED: Final = _SUFFIX + r">(?P<value>[^<\r\n]++)</"
_FLAGGED: Final = _SUFFIX + r"""(?:\\*+["'][ \t]*+,?[ \t]*+|[ \t]++)""" + _OPEN
_NEXT: Final = r"""[ \t\r\n]*+,[ \t\r\n]*+(?P<open>\\*+["'])"""
_BLOCK: Final = r"[|>][+-]?\d?[ \t]*+(?=\r?\n|\\n)"
_NAMED: Final = r"[a-z][a-z0-9-]*[a-z0-9]/[a-z0-9][a-z0-9.-]*"
_OBJECT: Final = r"[a-z0-9]+(?:[.-][a-z0-9]+)*"
_PATH: Final = r"/|~|\.|[A-Za-z]:\\"


class _Position(Enum):
    LINE = "first on its line"
    FIELD = "in a structure"
    PROSE = "behind a word"


class _Key(NamedTuple):
    start: int
    text: str
    rank: Rank
    position: _Position

    @property
    def kind(self) -> str:
        lowered = self.text.lower()
        kinds = ("secret", "token", "key", "cookie")
        return next((kind for kind in kinds if kind in lowered), "password")

    @property
    def owns_the_line(self) -> bool:
        """Whether all that follows on the line is its value."""
        if self.text.lower().endswith("cookie"):
            return True
        return self.rank is Rank.STRONG and self.position is _Position.LINE


def keyed_secrets(text: str, lowered: str) -> Iterator[Span]:
    """Values of all keys that name a secret."""
    for word in WORDS:
        at = lowered.find(word)
        while at >= 0:
            end = at + len(word)
            if text[end : end + 1] in _FOLLOWERS and _may_end_a_key(text, at, word):
                for span in _behind(text, at, end):
                    yield span
                    end = max(end, span.end)
            at = lowered.find(word, end)


def _may_end_a_key(text: str, at: int, word: str) -> bool:
    """Keys of all kinds stand in every log; only with a word before it is it a secret's."""
    return word != "key" or text[at - 1 : at] in _KEY_SIGNS


def _behind(text: str, at: int, end: int) -> Iterator[Span]:
    """The value behind a word, if that word ends a key."""
    for pattern, finder in _FORMS:
        found = matched(pattern, text, end)
        if found is None:
            continue
        key = _key(text, at, found.end("suffix"))
        if key:
            yield from finder(text, key, found)
        return


def _key(text: str, at: int, end: int) -> _Key | None:
    window = text[max(0, at - _KEY_LENGTH) : at]
    start = at - len(window) + len(window.rstrip(_KEY_SIGNS))
    # In escaped text the letter of a line end sticks to the word behind it.
    is_escaped = start < at and text[start - 1 : start] == "\\" and text[start] in "nrt"
    start += is_escaped
    key = text[start:end]
    sure = rank(key)
    if not sure:
        return None
    return _Key(start, key, sure, _Position.LINE if is_escaped else _position(text, start))


def _position(text: str, start: int) -> _Position:
    floor = max(0, start - 2 * _KEY_LENGTH)
    newline = text.rfind("\n", floor, start)
    before = text[max(floor, newline + 1) : start]
    if not before.strip(" \t\r-") and (newline >= 0 or floor == 0):
        return _Position.LINE
    is_field = before.endswith(('"', "'", "\\")) or before.rstrip()[-1:] in "{[(,;|&?<>"
    return _Position.FIELD if is_field else _Position.PROSE


def _assigned(text: str, key: _Key, found: re.Match[str]) -> Iterator[Span]:
    if found["sep"] == "==":
        return
    if found["open"]:
        yield from _quoted(text, key, found)
    elif found["sep"] in (":", "%3a", "%3A") and not found["list"]:
        yield from _colon(text, key, found.end(), found["gap"])
    else:
        yield from _equals(text, key, found.end())


def _quoted(text: str, key: _Key, found: re.Match[str]) -> Iterator[Span]:
    start, opener = found.end(), found["open"]
    in_prose = key.position is _Position.PROSE and found["sep"] == ":"
    while True:
        end = quoted_end(text, start, opener)
        if not _is_name(key, text[start:end], in_prose=in_prose):
            yield from _unless_harmless(text, key, start, end)
        following = matched(_NEXT, text, end + len(opener)) if found["list"] else None
        if following is None:
            return
        start, opener = following.end(), following["open"]


def _is_name(key: _Key, value: str, *, in_prose: bool) -> bool:
    """Whether a value is the name of an object, as in `secret="kube-system/regcred"`."""
    if key.rank is not Rank.WEAK:
        return False
    pattern = rf"{_NAMED}|{_OBJECT}" if in_prose else _NAMED
    return re.fullmatch(pattern, value) is not None


def _equals(text: str, key: _Key, start: int) -> Iterator[Span]:
    word = word_at(text, start)
    if word is None or word.is_prose or _is_name(key, word.text, in_prose=False):
        return
    yield from _unless_harmless(text, key, start, word.end)


def _colon(text: str, key: _Key, start: int, gap: str) -> Iterator[Span]:
    if key.text.startswith(("/", "./")) or (not gap and "/" in key.text):
        return  # a path or an image, with a message or a tag behind it
    if matched(_BLOCK, text, start):
        first, last = block_below(text, key.start, start)
        yield from _unless_harmless(text, key, first, last)
        return
    word = word_at(text, start)
    if word is None or word.is_prose:
        return
    if key.owns_the_line:
        yield from _unless_harmless(text, key, start, line_end(text, start))
        return
    if word.is_giant or _is_told(key, word, gap):
        yield from _unless_harmless(text, key, start, word.end)


def _is_told(key: _Key, word: Word, gap: str) -> bool:
    """Whether the word behind a colon is a secret rather than part of a sentence."""
    if word.text.endswith(":"):
        return False
    in_prose = key.position is _Position.PROSE
    if in_prose and key.rank is Rank.WEAK:
        return word.alone and word.is_mixed and not word.names_something
    if in_prose and not word.alone and word.names_something:
        return False
    return word.alone or word.is_mixed or not gap


def _paired(text: str, key: _Key, found: re.Match[str]) -> Iterator[Span]:
    """A setting that is told as a name and, behind it, a value."""
    start = found.end()
    end = quoted_end(text, start, found["open"]) if found["open"] else line_end(text, start)
    yield from _unless_harmless(text, key, start, end)


def _tagged(text: str, key: _Key, found: re.Match[str]) -> Iterator[Span]:
    if text[key.start - 1 : key.start] == "<":
        yield from _unless_harmless(text, key, *found.span("value"))


def _flagged(text: str, key: _Key, found: re.Match[str]) -> Iterator[Span]:
    before = text[key.start - 1 : key.start] if key.start else " "
    stands_alone = before.isspace() or before in "\"'[(,`"
    if "--" not in key.text and not (key.text.startswith("-") and stands_alone):
        return
    start = found.end()
    if found["open"]:
        yield from _unless_harmless(text, key, start, quoted_end(text, start, found["open"]))
        return
    word = word_at(text, start)
    if word is None or word.is_prose or word.text.startswith("-"):
        return
    is_usage = word.text.isupper() and rank(word.text)
    if not is_usage:
        yield from _unless_harmless(text, key, start, word.end)


def _unless_harmless(text: str, key: _Key, start: int, end: int) -> Iterator[Span]:
    value = text[start:end]
    is_folder = key.text.lower().endswith("pwd") and matched(_PATH, value, 0)
    if not is_folder and not holds_no_secret(value):
        yield Span(start, end, key.kind)


_FORMS: Final[tuple[tuple[str, Callable[[str, _Key, re.Match[str]], Iterator[Span]]], ...]] = (
    (_NESTED, _paired),
    (_ASSIGNED, _assigned),
    (_PAIRED, _paired),
    (_TAGGED, _tagged),
    (_FLAGGED, _flagged),
)

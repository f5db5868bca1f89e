"""What a text that breaks off would have to go on with, for a pattern to match it."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sickbay.engine.needs import Way, Words
from sickbay.engine.pieces import Node, characters, flat, items_of
from sickbay.record import NamedTuple

_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT")
# Fewer signs at the end could be the beginning of anything.
_SHORTEST_RUN: Final = 3
# A shorter word at the end is no word that a pattern is known by.
_SHORTEST_WORD: Final = 3
_LAST_WORD: Final = re.compile(rb"([a-z0-9_]+)[^a-z0-9_]*$")
# Signs that stand for a class of them, the plainest first.
_PLAIN: Final = "x1- "


class Continuation(NamedTuple):
    """How a text would go on, and how much of a pattern that leaves behind and before it."""

    rest: str
    # Letters and digits of the pattern that are there, and that are not.
    seen: int
    missing: int


class Begun:
    """A text that breaks off, asked what its last word may be the beginning of."""

    def __init__(self, text: str) -> None:
        self._low = text.lower().encode()
        last = _LAST_WORD.search(self._low)
        self._last = last[1] if last else b""
        self._known: dict[bytes, bool] = {}

    def may_go_on(self, words: Words) -> bool:
        """Whether half of what a pattern needs is there, and the last word begins some of it."""
        return any(self._is_half_there(way) for way in words if self._begins_one_of(way))

    def _begins_one_of(self, way: Way) -> bool:
        if len(self._last) < _SHORTEST_WORD:
            return bool(self._last)
        for need in way:
            if isinstance(need, bytes):
                if need.startswith(self._last):
                    return True
            elif any(word.startswith(self._last) for word in need):
                return True
        return False

    def _is_half_there(self, way: Way) -> bool:
        there = wanted = 0
        for need in way:
            choices = (need,) if isinstance(need, bytes) else need
            wanted += len(choices[0])
            if any(map(self._holds, choices)):
                there += len(choices[0])
            elif any(word.startswith(self._last) for word in choices):
                there += len(self._last)
        return there * 2 >= wanted

    def _holds(self, word: bytes) -> bool:
        if word not in self._known:
            self._known[word] = word in self._low
        return self._known[word]


class _Place(NamedTuple):
    """Where in a pattern we are: what it spells out just before, and what is before and behind."""

    run: str
    seen: int
    rest: str
    missing: int


def continuations(pattern: str, text: str) -> Iterator[Continuation]:
    """Every way in which a text can end in the middle of what a pattern spells out."""
    return _within(items_of(pattern), text, _Place("", 0, "", 0))


def _within(nodes: Sequence[Node], text: str, place: _Place) -> Iterator[Continuation]:
    behind = [place]
    for node in reversed(nodes):
        after = behind[-1]
        rest, missing = _shortest(node) + after.rest, _letters(node) + after.missing
        behind.append(_Place("", 0, rest, missing))
    run, seen = place.run, place.seen
    for node, after in zip(nodes, reversed(behind[:-1]), strict=True):
        here = _Place(run, seen, after.rest, after.missing)
        for tree in _trees(node):
            yield from _within(list(flat(tree, is_caseless=node.is_caseless)), text, here)
        run = run + chr(node.argument) if node.operator == "LITERAL" else ""
        seen += _letters(node)
        gap = _gap(text, run, is_caseless=node.is_caseless) if after.missing else None
        if gap is not None:
            yield Continuation(gap + after.rest, seen, after.missing)


def _gap(text: str, run: str, *, is_caseless: bool) -> str | None:
    """What must come between a text and the rest, if it ends with what a pattern spells out."""
    if len(run) < _SHORTEST_RUN or text[-1].lower() not in run[-2:].lower():
        return None
    known, wanted = (text.lower(), run.lower()) if is_caseless else (text, run)
    if known.endswith(wanted):
        return ""
    # The end of a text is cut off behind its last word.
    return " " if run[-1] == " " and known.endswith(wanted[:-1]) else None


def _trees(node: Node) -> Sequence[Any]:
    """What an item of a tree is made of, each with a way of its own."""
    if node.operator == "BRANCH":
        return tuple(node.argument[1])
    return (node.argument[2],) if node.operator in _REPEATS else ()


def _letters(node: Node) -> int:
    """How many letters and digits a pattern spells out at least."""
    if node.operator == "LITERAL":
        return int(chr(node.argument).isalnum())
    below = (sum(map(_letters, flat(tree, is_caseless=False))) for tree in _trees(node))
    return min(below, default=0) * _times(node)


def _shortest(node: Node) -> str:
    """The shortest text that an item of a tree matches."""
    if node.operator == "LITERAL":
        return chr(node.argument)
    below = ["".join(map(_shortest, flat(tree, is_caseless=False))) for tree in _trees(node)]
    if below:
        return min(below, key=len) * _times(node)
    return "" if node.operator == "AT" else _plain(node)


def _times(node: Node) -> int:
    return int(node.argument[0]) if node.operator in _REPEATS else 1


def _plain(node: Node) -> str:
    wanted = characters(node).ascii
    plain = (sign for sign in _PLAIN if ord(sign) in wanted)
    return next(plain, chr(min(wanted)) if wanted else "")

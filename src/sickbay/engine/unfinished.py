"""What a text that breaks off would have to go on with, for a pattern to match it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from typing import Any, Final

from sickbay.engine.needs import Way, Words
from sickbay.engine.pieces import Node, characters, flat, items_of
from sickbay.record import NamedTuple

_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT")
# Fewer signs at the end could be the beginning of anything.
_SHORTEST_RUN: Final = 3
_LAST_WORD: Final = re.compile(rb"([a-z0-9_]+)[^a-z0-9_]*$")
# Signs that stand for a class of them, the plainest first.
_PLAIN: Final = "x1- "


class Continuation(NamedTuple):
    """How a text would go on, and how much of a pattern that leaves behind and before it."""

    rest: str
    # Letters and digits of the pattern that are there, and that are not.
    seen: int
    missing: int
    # Those of them that stand behind a gap, where anything could be.
    beyond: int


class Begun:
    """A text that breaks off, asked what its last word may be the beginning of."""

    def __init__(self, text: str) -> None:
        self._low = text.lower().encode()
        last = _LAST_WORD.search(self._low)
        self._begun = last[1] if last else b""
        self._last = self._begun.decode()
        self._known: dict[bytes, bool] = {}

    def may_go_on(self, pattern: str, words: Words) -> bool:
        """Whether a pattern spells out the last word, and half of what it needs is there."""
        is_spelt = bool(self._last) and self._last in pattern.lower()
        return is_spelt and any(map(self._is_half_there, words))

    def _is_half_there(self, way: Way) -> bool:
        there = wanted = 0
        for need in way:
            choices = (need,) if isinstance(need, bytes) else need
            wanted += len(choices[0])
            if any(map(self._holds, choices)):
                there += len(choices[0])
            elif any(word.startswith(self._begun) for word in choices):
                there += len(self._begun)
        return there * 2 >= wanted

    def _holds(self, word: bytes) -> bool:
        if word not in self._known:
            self._known[word] = word in self._low
        return self._known[word]


class _Place(NamedTuple):
    """Where in a pattern we are: what it spells out just before, and what is before and behind."""

    run: str
    before: tuple[Node, ...]
    behind: tuple[Node, ...]


def continuations(pattern: str, text: str) -> Iterator[Continuation]:
    """Every way in which a text can end in the middle of what a pattern spells out."""
    return _within(tuple(items_of(pattern)), text, _Place("", (), ()))


def _within(nodes: tuple[Node, ...], text: str, place: _Place) -> Iterator[Continuation]:
    run = place.run
    for at, node in enumerate(nodes):
        trees = _trees(node)
        if trees:
            here = _Place(run, place.before + nodes[:at], nodes[at + 1 :] + place.behind)
            for tree in trees:
                below = tuple(flat(tree, is_caseless=node.is_caseless))
                yield from _within(below, text, here)
        run = run + chr(node.argument) if node.operator == "LITERAL" else ""
        behind = nodes[at + 1 :] or place.behind
        gap = _gap(text, run, is_caseless=node.is_caseless)
        # Where anything may follow, nothing says that the text went on at all.
        if gap is None or not behind or behind[0].operator != "LITERAL":
            continue
        left = (*nodes[at + 1 :], *place.behind)
        seen = _letters((*place.before, *nodes[: at + 1]))
        rest = dropwhile(lambda node: node.operator == "LITERAL", left)
        yield Continuation(gap + _shortest(left), seen, _letters(left), _letters(rest))


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


def _letters(nodes: Iterable[Node]) -> int:
    """How many letters and digits a pattern spells out at least."""
    return sum(map(_letters_of, nodes))


def _letters_of(node: Node) -> int:
    if node.operator == "LITERAL":
        return int(chr(node.argument).isalnum())
    below = (_letters(flat(tree, is_caseless=False)) for tree in _trees(node))
    return min(below, default=0) * _times(node)


def _shortest(nodes: Iterable[Node]) -> str:
    """The shortest text that a pattern matches."""
    return "".join(map(_shortest_of, nodes))


def _shortest_of(node: Node) -> str:
    if node.operator == "LITERAL":
        return chr(node.argument)
    below = [_shortest(flat(tree, is_caseless=False)) for tree in _trees(node)]
    if below:
        return min(below, key=len) * _times(node)
    return "" if node.operator == "AT" else _plain(node)


def _times(node: Node) -> int:
    return int(node.argument[0]) if node.operator in _REPEATS else 1


def _plain(node: Node) -> str:
    wanted = characters(node).ascii
    plain = (sign for sign in _PLAIN if ord(sign) in wanted)
    return next(plain, chr(min(wanted)) if wanted else "")

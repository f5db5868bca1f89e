"""Errors inside errors: every message that a text carries, from the outermost to the innermost."""

import re
from typing import Final

from sickbay.bundle.unwrap_normal import normal
from sickbay.bundle.unwrap_prose import pairs
from sickbay.bundle.unwrap_spans import spans, without
from sickbay.record import NamedTuple

__all__ = ["Layer", "layers", "normal"]

_MOST_LAYERS: Final = 200
_MOST_STEPS: Final = 12
_DEEPEST: Final = 64
_MOST_TEXT: Final = 262_144
_COST_OF_A_LOOK: Final = 200
_MOST_WORK: Final = 1_048_576
_LONGEST_MESSAGE: Final = 8192
_MOST_ITEMS: Final = 20_000
_STRUCTURE: Final = tuple("{[=:<%(")
# What stands before every line of a text, and is no part of it: a box, containerd's prefix.
_GUTTER: Final = r"(?m)^[ \t]*[\u2502\u2503\u2577\u2575] ?"
_CONTAINER_PREFIX: Final = r"(?m)^\d{4}-\d\d-\S{10,40} std(?:out|err) (?:P (.*)\n|F ?)"


class Layer(NamedTuple):
    """One message: `text` is the normal form of "code: message".

    The first layer is the whole text. A leaf has nothing nested below it.
    """

    code: str
    message: str
    text: str
    path: str
    depth: int
    leaf: bool = True


class _Node(NamedTuple):
    """Something still to be looked into; what it says gets its depth."""

    value: object
    path: str
    key: str
    depth: int
    parent: int
    # How many texts inside texts it took to get here.
    steps: int = 0
    speaks: bool = False


def layers(text: str) -> tuple[Layer, ...]:
    """Every message that a text carries: the whole text first, what is nested deepest last."""
    return _Unfolding(text[:_MOST_TEXT]).result()


def _unprefixed(text: str) -> str:
    """The text as its program wrote it: a pattern must not stumble over another's line prefixes."""
    if "\u2502" in text:
        text = re.sub(_GUTTER, "", text)
    if " stdout " in text or " stderr " in text:
        text = re.sub(_CONTAINER_PREFIX, lambda match: match[1] or "", text)
    return text


class _Unfolding:
    """One text being unfolded, with a stack and budgets of its own: nesting costs no recursion."""

    __slots__ = ("_found", "_parents", "_stack", "_work")

    def __init__(self, text: str) -> None:
        whole = normal(text)
        self._found = [Layer("", whole, whole, "$", 0)]
        self._parents: set[int] = set()
        inner = _unprefixed(text)
        self._stack = [_Node(inner, "$", "", 1, 0, speaks=normal(inner) != whole)]
        self._work = 0

    def result(self) -> tuple[Layer, ...]:
        while self._stack and self._work < _MOST_WORK and len(self._found) < _MOST_LAYERS:
            self._work += _COST_OF_A_LOOK
            self._look(self._stack.pop())
        marked = [
            layer._replace(leaf=False) if at in self._parents else layer
            for at, layer in enumerate(self._found)
        ]
        return tuple(sorted(marked, key=lambda layer: layer.depth))

    def _look(self, node: _Node) -> None:
        if node.steps > _MOST_STEPS or node.depth > _DEEPEST:
            return
        if isinstance(node.value, str):
            self._prose(node, node.value)
        elif isinstance(node.value, dict):
            self._object(node, node.value)
        elif isinstance(node.value, list):
            from sickbay.bundle.unwrap_envelopes import is_error_key  # noqa: PLC0415 - as below

            speaks = is_error_key(node.key)
            items = [
                node._replace(value=item, path=f"{node.path}[{at}]", speaks=speaks)
                for at, item in enumerate(node.value[:_MOST_ITEMS])
            ]
            self._stack.extend(reversed(items))

    def _object(self, node: _Node, value: dict[str, object]) -> None:
        # A plain text holds no objects, and need not wait for what reads them.
        from sickbay.bundle.unwrap_envelopes import (  # noqa: PLC0415
            envelope,
            is_error_key,
            says_something,
        )

        said = envelope(value, node.key)
        # A message that is nothing but an object says nothing of its own.
        if said and (said.code or not said.message.lstrip().startswith(("{", "[{"))):
            node = self._say(node, said.code, said.message, said.member)
        spoken = (said.code, said.message) if said else ()
        children = []
        for key, item in value.items():
            child = node._replace(value=item, path=f"{node.path}.{key}", key=key, speaks=False)
            if isinstance(item, str):
                is_new = item not in spoken and is_error_key(key) and says_something(item)
                if not item or not (is_new or any(mark in item for mark in _STRUCTURE)):
                    continue
                child = child._replace(speaks=is_new)
            children.append(child)
        self._stack.extend(reversed(children))

    def _prose(self, node: _Node, text: str) -> None:
        self._work += len(text)
        if node.speaks:
            node = self._say(node, "", text, "")
        taken = spans(text)
        # What stands behind a pair belongs below it; the text itself is the home of the rest.
        homes = [(-1, 0, node)]
        for pair in pairs(without(text, taken))[: _MOST_LAYERS - len(self._found)]:
            above = next(home for _, level, home in reversed(homes) if level < pair.level)
            own = above._replace(depth=node.depth + pair.level - 1)
            homes.append((pair.start, pair.level, self._say(own, pair.code, pair.message, "")))
        children = []
        for span in taken:
            home = next(home for start, _, home in reversed(homes) if start < span.start)
            child = home._replace(value=span.value, key="", steps=node.steps + 1)
            children.append(child._replace(speaks=span.speaks))
        self._stack.extend(reversed(children))

    def _say(self, node: _Node, code: str, message: str, member: str) -> _Node:
        """Add a layer, and return the node for what is nested in it."""
        path = f"{node.path}.{member}" if member else node.path
        code, message = normal(code[:_LONGEST_MESSAGE]), normal(message[:_LONGEST_MESSAGE])
        text = f"{code}: {message}" if code and message else code or message
        self._found.append(Layer(code, message, text, path, node.depth))
        self._parents.add(node.parent)
        return node._replace(parent=len(self._found) - 1, depth=node.depth + 1, speaks=False)

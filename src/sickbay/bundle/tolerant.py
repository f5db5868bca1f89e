"""Decodes what can be decoded.

A member of a wrong type is left out and named, and the rest counts.
"""

import json
import re
from typing import Any, Final, NamedTuple

import msgspec

# So many are left out one by one; after that whatever holds another goes as a whole.
_MOST_BAD_MEMBERS: Final = 8
_MOST_ATTEMPTS: Final = 100
_NULL: Final = ", got `null`"
_ANY: Final = "[...]"
_STEP: Final = re.compile(r"\.[^.\[]+|\[(?:\d+|\.\.\.)\]")


class Decoded(NamedTuple):
    """The value, or None if nothing of it made sense, and what had to be left out."""

    value: Any
    problems: tuple[str, ...]


def convert(body: Any, cls: type[Any]) -> Decoded:
    """Decode a document, without its members of wrong types."""
    problems: list[str] = []
    for attempt in range(_MOST_ATTEMPTS):
        try:
            return Decoded(msgspec.convert(body, cls, strict=False), tuple(problems))
        except msgspec.ValidationError as error:
            message = str(error)
        # Null, absent and empty are equal: nothing is wrong with a null.
        if _NULL not in message:
            problems.append(message)
        steps = _steps(message)
        if attempt >= _MOST_BAD_MEMBERS:
            steps = steps[:1]
        if not steps or not (_drop(body, steps) or _drop(body, steps[:1])):
            break
    return Decoded(None, tuple(problems))


def decoded(raw: bytes) -> Any:
    """Any JSON value; one that cannot be held, for its depth or its numbers, as the text it is."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw.decode("utf-8", "replace")


def _steps(message: str) -> list[str]:
    """The path that an error message points to: "… - at `$.spec.containers[0].image`"."""
    _, found, path = message.rpartition(" - at `$")
    return _STEP.findall(path.rstrip("`")) if found else []


def _drop(node: Any, steps: list[str]) -> bool:
    """Remove the member at a path."""
    step, rest = steps[0], steps[1:]
    if step == _ANY:
        return _drop_in_each(node, rest)
    key: Any = int(step[1:-1]) if step.startswith("[") else step.removeprefix(".")
    present = key < len(node) if isinstance(node, list) else isinstance(node, dict) and key in node
    if not present:
        return False
    if rest:
        return _drop(node[key], rest)
    del node[key]
    return True


def _drop_in_each(node: Any, rest: list[str]) -> bool:
    """Remove a member of every element: for maps the message does not tell which one it was."""
    if not isinstance(node, list | dict) or not node:
        return False
    if not rest:
        node.clear()
        return True
    members = node if isinstance(node, list) else list(node.values())
    return sum(_drop(member, rest) for member in members) > 0

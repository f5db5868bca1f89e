"""Finds the messages in a document.

Every error body as a whole, every other sentence with its place.
"""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

_MOST_MESSAGES: Final = 2_000
_SHORTEST: Final = 12
_MOST_KEYS: Final = 2_000
# Members whose strings are data, not messages.
_DATA: Final = frozenset(
    {
        "tags",
        "metadata",
        "labels",
        "annotations",
        "claims",
        "managedfields",
        "customdata",
        "kubeconfig",
        "parameters",
        "outputs",
        "template",
        # What a machine is made of; what it says stands in its view.
        "hardwareprofile",
        "identity",
        "networkprofile",
        "networkprofileconfiguration",
        "osprofile",
        "securityprofile",
        "sku",
        "storageprofile",
        "systemdata",
    }
)
_ERROR_MEMBERS: Final = 6
# The way to a node: that of what holds it, and its key or its number there.
_Link = tuple[Any, Any] | None
_Node = tuple[tuple[Any, Any], Any]
_DEEPEST: Final = 100
_FAILED: Final = frozenset({"failed", "canceled", "cancelled"})
_QUIET_LEVELS: Final = frozenset({"info", "information", "informational"})


def messages(value: Any, path: str = "$") -> Iterator[tuple[str, str]]:
    """Yield place and text of the messages in a JSON value, in order, a bounded number of them."""
    found: list[_Node] = []
    # What lies too deep for one call; it grows while it is read.
    deep: list[_Node] = [((None, path), value)]
    for (above, key), node in deep:
        _hear({key: node}.items(), above, found, deep, 0)
    # Every document of an estate goes through here: places are spelled only for what speaks.
    for link, node in found[:_MOST_MESSAGES]:
        if text := as_text(node):
            yield _spelled(link), text


def _hear(
    members: Iterable[tuple[Any, Any]],
    link: _Link,
    found: list[_Node],
    deep: list[_Node],
    depth: int,
) -> None:
    """Note what the members of an object or a list say."""
    for key, member in members:
        kind = type(member)
        if kind is str:
            # Most are names, and fall at a glance.
            may_say = len(member) >= _SHORTEST and (" " in member or member[0] in "{[")
            if may_say and is_sentence(member) and not _IS_DATA[key]:
                found.append(((link, key), member))
        elif (kind is not dict and kind is not list) or not member or _IS_DATA[key]:
            continue
        elif depth >= _DEEPEST:
            deep.append(((link, key), member))
        elif kind is list:
            _hear(enumerate(member), (link, key), found, deep, depth + 1)
        elif inner := _opened(member, (link, key), found):
            _hear(inner.items(), (link, key), found, deep, depth + 1)


def _opened(node: dict[str, Any], link: tuple[Any, Any], found: list[_Node]) -> dict[str, Any]:
    """What an object holds to be heard: nothing, if it speaks as a whole, or all is well."""
    # Only an object with one of these can be an error, or a report that all is well.
    if not ("code" in node or "message" in node or "status" in node or "error" in node):
        return node
    if is_quiet(node):
        return {}
    if is_error(node):
        found.append((link, node))
        return {}
    return _joined(node)


def _joined(node: dict[str, Any]) -> dict[str, Any]:
    """The members of an object; a condition's reason goes with its message."""
    reason, message = node.get("reason"), node.get("message")
    if not isinstance(reason, str) or not isinstance(message, str):
        return node
    rest = {key: member for key, member in node.items() if key not in {"reason", "message"}}
    return {"message": f"{reason}: {message}", **rest}


class _Keys(dict[Any, bool]):
    """Whether what a key holds is data. It learns the keys that it meets: estates have few."""

    def __missing__(self, key: Any) -> bool:
        is_data = isinstance(key, str) and key.casefold() in _DATA
        if len(self) < _MOST_KEYS:
            self[key] = is_data
        return is_data


_IS_DATA: Final = _Keys()


def _spelled(link: _Link) -> str:
    words: list[str] = []
    while link is not None:
        link, key = link
        words.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    return "".join(reversed(words)).removeprefix(".")


def is_error(node: dict[str, Any]) -> bool:
    """Whether a member is an error body.

    Which is read as a whole so that what it carries stays inside it.
    """
    if isinstance(node.get("message"), str) and isinstance(node.get("code"), str):
        return bool(node["message"] or node["code"])
    error = node.get("error")
    return isinstance(error, dict) and bool(error) and len(node) <= _ERROR_MEMBERS


def is_quiet(node: dict[str, Any]) -> bool:
    """Whether an object reports that all is well: a status of a machine, or a running operation.

    An operation that runs, or that has succeeded, can hold an error that is overcome.
    """
    code, level = node.get("code"), node.get("level")
    if isinstance(code, str) and isinstance(level, str):
        return _is_well(code, level)
    status = node.get("status")
    if isinstance(status, str) and isinstance(node.get("startTime"), str):
        return "error" in node and not has_failed(status)
    return False


# Every machine of an estate repeats the same few.
@lru_cache(maxsize=1024)
def _is_well(code: str, level: str) -> bool:
    return level.casefold() in _QUIET_LEVELS and "failed" not in code.casefold()


def has_failed(status: Any) -> bool:
    """Whether the status of an operation is an end without success."""
    return isinstance(status, str) and status.casefold() in _FAILED


def is_sentence(text: str) -> bool:
    """Whether a string says something, rather than naming something."""
    if len(text) < _SHORTEST:
        return False
    return (" " in text and " " in text.strip()) or text.lstrip()[:1] in ("{", "[")


def as_text(value: Any) -> str:
    """A body as the text that it was, also when it nests deeper than can be written."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return ""

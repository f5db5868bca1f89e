"""Finds the messages in a document.

Every error body as a whole, every other sentence with its place.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

_MOST_MESSAGES: Final = 2_000
_MOST_NODES: Final = 1_000_000
_SHORTEST: Final = 12
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
    }
)
_ERROR_MEMBERS: Final = 6
_FAILED: Final = frozenset({"failed", "canceled", "cancelled"})
_QUIET_LEVELS: Final = frozenset({"info", "information", "informational"})


def messages(value: Any, path: str = "$") -> Iterator[tuple[str, str]]:
    """Yield place and text of the messages in a JSON value, in order, a bounded number of them."""
    count = nodes = 0
    stack: list[tuple[str, Any]] = [(path, value)]
    while stack and count < _MOST_MESSAGES and nodes < _MOST_NODES:
        place, node = stack.pop()
        nodes += 1
        message = _message(node)
        if message:
            count += 1
            yield place, message
        elif isinstance(node, dict) and not is_quiet(node):
            stack.extend(reversed(_members(node, place)))
        elif isinstance(node, list):
            stack.extend(reversed([(f"{place}[{n}]", item) for n, item in enumerate(node)]))


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
        return level.casefold() in _QUIET_LEVELS and "failed" not in code.casefold()
    status = node.get("status")
    if isinstance(status, str) and isinstance(node.get("startTime"), str):
        return "error" in node and not has_failed(status)
    return False


def has_failed(status: Any) -> bool:
    """Whether the status of an operation is an end without success."""
    return isinstance(status, str) and status.casefold() in _FAILED


def is_sentence(text: str) -> bool:
    """Whether a string says something, rather than naming something."""
    return len(text) >= _SHORTEST and (" " in text.strip() or text.lstrip()[:1] in "{[")


def as_text(value: Any) -> str:
    """A body as the text that it was, also when it nests deeper than can be written."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return ""


def _message(node: Any) -> str:
    if isinstance(node, str):
        return node if is_sentence(node) else ""
    if isinstance(node, dict) and is_error(node) and not is_quiet(node):
        return as_text(node)
    return ""


def _members(node: dict[str, Any], place: str) -> list[tuple[str, Any]]:
    """The members of an object; a condition's reason goes with its message."""
    reason, message = node.get("reason"), node.get("message")
    joined = []
    if isinstance(reason, str) and isinstance(message, str):
        joined = [(f"{place}.message", f"{reason}: {message}")]
        node = {key: member for key, member in node.items() if key not in {"reason", "message"}}
    return joined + [
        (f"{place}.{key}", member)
        for key, member in node.items()
        if str(key).casefold() not in _DATA
    ]

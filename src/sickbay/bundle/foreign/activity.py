"""Events of the activity log: each is a text about its resource, with the error that it carries."""

from typing import Any, Final

from sickbay.bundle.foreign.operations import resource
from sickbay.bundle.messages import as_text
from sickbay.bundle.sink import Sink
from sickbay.bundle.times import normal
from sickbay.model.evidence import Origin, Text

# What an incident of the platform is while it lasts.
_ACTIVE: Final = "active"
_ENDED_BADLY: Final = frozenset({"failed", "failure", "canceled", "cancelled"})
_SAID: Final = ("statusMessage", "message", "policies")


def is_event(value: dict[str, Any]) -> bool:
    """Whether a value is an event, as REST or as `az` prints it."""
    return "eventTimestamp" in value and ("operationName" in value or "correlationId" in value)


def take_event(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take an event; one that has not failed says nothing that is wrong."""
    if _word(value.get("status")).casefold() not in {_ACTIVE, *_ENDED_BADLY}:
        return
    about = resource(value.get("resourceId") or value.get("resourceUri"))
    at = normal(str(value.get("eventTimestamp") or ""))
    correlation = value.get("correlationId")
    note = f" (correlation id {correlation})" if correlation else ""
    for place, message in _messages(value):
        where = Origin(origin.source, f"{origin.locator}.{place}{note}")
        sink.text(Text(message, where, about, "activity-log", at))


def _messages(value: dict[str, Any]) -> list[tuple[str, str]]:
    members = value.get("properties")
    found = [
        (f"properties.{name}", f"{_word(value.get('operationName'))}: {text}")
        for name in _SAID
        if isinstance(members, dict) and (text := _said(members.get(name)))
    ]
    if text := _said(value.get("description")):
        found.append(("description", text))
    # An event without a word about its error still tells what failed, and how.
    return found or [("status", _bare(value))]


def _bare(value: dict[str, Any]) -> str:
    words = (_word(value.get(key)) for key in ("operationName", "status", "subStatus"))
    return ": ".join(word for word in words if word)


def _said(value: Any) -> str:
    text = as_text(value) if isinstance(value, str | dict | list) and value else ""
    return text if text.strip() else ""


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("value") or value.get("localizedValue") or "")
    return str(value or "")

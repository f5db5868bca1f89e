"""Events of the activity log: the errors that they carry, and who called from where."""

from typing import Any, Final

from sickbay.bundle.foreign.operations import resource
from sickbay.bundle.messages import as_text
from sickbay.bundle.sink import Sink
from sickbay.bundle.times import normal
from sickbay.model.evidence import Origin, Text

# What an incident of the platform is while it lasts.
_ACTIVE: Final = "active"
_ENDED_WELL: Final = frozenset({"succeeded", "success"})
_ENDED_BADLY: Final = frozenset({"failed", "failure", "canceled", "cancelled"})
_PASTED: Final = "stdin"
_LONGEST_ADDRESS: Final = 45
_LONGEST_NAME: Final = 200
_SAID: Final = ("statusMessage", "message", "policies")
_POLICY: Final = "microsoft.authorization/policies/"


def is_event(value: dict[str, Any]) -> bool:
    """Whether a value is an event, as REST or as `az` prints it."""
    return "eventTimestamp" in value and ("operationName" in value or "correlationId" in value)


def take_event(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Hand an event on, whole: what it is good for, the sink knows."""
    sink.event(value, origin)


def hear_event(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take what an event says: a failure, or a good end that takes an earlier failure back."""
    _take_caller(value, origin, sink)
    status = _word(value.get("status")).casefold()
    if status not in {_ACTIVE, *_ENDED_BADLY, *_ENDED_WELL}:
        return
    about = resource(value.get("resourceId") or value.get("resourceUri"))
    at = normal(str(value.get("eventTimestamp") or ""))
    correlation = value.get("correlationId")
    note = f" (correlation id {correlation})" if correlation else ""
    if status in _ENDED_WELL:
        operation = _word(value.get("operationName"))
        # That a policy looked at a request is no good end of the request.
        if about and at and operation and not operation.casefold().startswith(_POLICY):
            where = Origin(origin.source, f"{origin.locator}.status{note}")
            sink.text(Text(_bare(value), where, about, "activity-log/succeeded", at))
        return
    for place, message in _messages(value):
        where = Origin(origin.source, f"{origin.locator}.{place}{note}")
        sink.text(Text(message, where, about, "activity-log", at))


def _take_caller(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    request = value.get("httpRequest")
    address = request.get("clientIpAddress") if isinstance(request, dict) else None
    if not isinstance(address, str) or not 0 < len(address) <= _LONGEST_ADDRESS:
        return
    # Beside what is pasted stands no cluster, and a decoder takes longer than the whole answer.
    if origin.source == _PASTED:
        return
    from sickbay.model.naming import Caller  # noqa: PLC0415 - msgspec is not needed for text

    who = str(value.get("caller") or "")[:_LONGEST_NAME]
    day = normal(str(value.get("eventTimestamp") or ""))[: len("2024-08-30")]
    sink.entity(Caller(who=who, address=address, day=day), origin)


def _messages(value: dict[str, Any]) -> list[tuple[str, str]]:
    members = value.get("properties")
    found = [
        (f"properties.{name}", f"{_word(value.get('operationName'))}: {text}")
        for name in _SAID
        if isinstance(members, dict) and (text := _said(members.get(name)))
    ]
    if text := _said(value.get("description")):
        found.append(("description", f"{_word(value.get('operationName'))}: {text}"))
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

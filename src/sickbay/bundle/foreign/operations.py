"""What became of an operation: the polled body of a long one, and the steps of a deployment.

An operation speaks when it has failed; the error that a running one shows may yet be overcome.
"""

from typing import Any, Final

from sickbay.bundle.messages import as_text, has_failed
from sickbay.bundle.names import subjects
from sickbay.bundle.sink import Sink
from sickbay.bundle.times import normal
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, arm

_SUBSCRIPTION: Final = "/subscriptions/"
_POLLED: Final = ("/operationstatuses/", "/operations/", "/operationresults/")
_STATES: Final = frozenset({"succeeded", "failed", "canceled", "cancelled", "inprogress"})


def is_operation(value: dict[str, Any]) -> bool:
    """Whether a value is what polling a long operation answers."""
    status = value.get("status")
    if not isinstance(status, str) or ("properties" in value and "location" in value):
        return False
    if isinstance(value.get("startTime"), str):
        return "name" in value or "endTime" in value or "error" in value
    id = str(value.get("id") or "").casefold()
    is_polled = any(part in id for part in _POLLED)
    return is_polled or (status.casefold() in _STATES and isinstance(value.get("error"), dict))


def take_operation(
    value: dict[str, Any], origin: Origin, sink: Sink, about: Ref | None = None
) -> None:
    """Take an operation; only one that has failed says something."""
    if not has_failed(value["status"]):
        return
    error = value.get("error")
    text = as_text({"status": value["status"], "error": error} if error else value)
    at = normal(str(value.get("endTime") or value.get("startTime") or ""))
    subject = _resource(value) or about or named_in(text)
    sink.text(Text(text, origin, subject, "error", at))


def is_step(value: dict[str, Any]) -> bool:
    """Whether a value is an operation of a deployment, in either form."""
    members = _members(value)
    return "operationId" in value and (
        "provisioningOperation" in members or "targetResource" in members
    )


def take_step(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take an operation of a deployment: its message is about the resource that it wanted."""
    members = _members(value)
    message = members.get("statusMessage")
    if not message or not has_failed(members.get("provisioningState")):
        return
    target = members.get("targetResource")
    id = target.get("id") if isinstance(target, dict) else None
    text = as_text(message)
    place = Origin(origin.source, f"{origin.locator}.properties.statusMessage")
    at = normal(str(members.get("timestamp") or ""))
    sink.text(Text(text, place, resource(id) or named_in(text), "error", at))


def resource(id: Any) -> Ref | None:
    """The Ref of what looks like the id of an Azure resource."""
    is_id = isinstance(id, str) and id[: len(_SUBSCRIPTION)].casefold() == _SUBSCRIPTION
    return arm(id) if is_id else None


def named_in(text: str) -> Ref | None:
    """The thing that a message itself names."""
    named = subjects(text)
    return named[0] if named else None


def _resource(value: dict[str, Any]) -> Ref | None:
    error = value.get("error")
    target = error.get("target") if isinstance(error, dict) else None
    return resource(value.get("resourceId")) or resource(target) or _owner(value.get("id"))


def _owner(id: Any) -> Ref | None:
    """The resource under which an operation is kept; one of a location belongs to nobody."""
    found = resource(id)
    if found is None or "/locations/" in found.key:
        return None
    at = max(found.key.rfind(part) for part in _POLLED)
    return arm(found.id[:at]) if at > 0 else None


def _members(value: dict[str, Any]) -> dict[str, Any]:
    properties = value.get("properties")
    return properties if isinstance(properties, dict) else value

"""Decoded JSON and YAML values.

Which are resources, objects, events of the activity log, errors, or nothing we know.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from sickbay.bundle.foreign.activity import is_event, take_event
from sickbay.bundle.foreign.effective_rules import is_effective, take_effective
from sickbay.bundle.foreign.entra import is_application, is_secret, take_application, take_secret
from sickbay.bundle.foreign.exchanges import exchange_of, is_exchange, take_exchange
from sickbay.bundle.foreign.health import is_health, take_health
from sickbay.bundle.foreign.instance_views import is_view, take_view
from sickbay.bundle.foreign.ipam_state import is_node_state, take_node_state
from sickbay.bundle.foreign.kube_values import ListScopes, is_kube, take_kube
from sickbay.bundle.foreign.log_tables import is_log_tables, take_log_tables
from sickbay.bundle.foreign.metrics import is_metric, take_metric
from sickbay.bundle.foreign.offers import (
    is_judgement,
    is_offer,
    is_version,
    is_versions,
    take_judgement,
    take_offer,
    take_versions,
)
from sickbay.bundle.foreign.operations import (
    is_operation,
    is_step,
    named_in,
    take_operation,
    take_step,
)
from sickbay.bundle.foreign.scopes import is_whole, note_list
from sickbay.bundle.foreign.service_tags import is_service_tags, take_service_tags
from sickbay.bundle.foreign.together import taken_together
from sickbay.bundle.foreign.unnamed import is_unnamed, take_unnamed
from sickbay.bundle.foreign.usages import is_usage
from sickbay.bundle.messages import as_text, is_error, messages
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import arm

__all__ = ["MARKS", "ListScopes", "is_resource", "is_taken", "note_unknown", "take", "take_list"]

_LISTS: Final = ("items", "value", "resources", "data", "body", "interactions")
# Policies and roles can stand above all subscriptions.
_PLACES: Final = (
    "/subscriptions/",
    "/providers/microsoft.management/managementgroups/",
    "/providers/microsoft.authorization/",
)
# Most lists of an estate are empty.
_NOTHING: Final[dict[str, Any]] = {"value": []}
_LONGEST_PLACE: Final = max(map(len, _PLACES))
_DEEPEST: Final = 4
_SMALL: Final = 65_536
_ERRORS: Final = (
    "error",
    "errors",
    "message",
    "Message",
    "ErrorResponse",
    "errorResponse",
    "errorCode",
    "ErrorCode",
    "ErrorDetails",
    # What the bootstrap of a node leaves behind.
    "ExitCode",
)


def take(value: Any, source: str, sink: Sink, locator: str = "$", depth: int = 0) -> None:
    """Take a document; what it is, its own members tell."""
    if (value != _NOTHING or depth) and not is_taken(value, Origin(source, locator), sink, depth):
        note_unknown(locator, 1, source, sink)


def is_taken(value: Any, origin: Origin, sink: Sink, depth: int = 0) -> bool:
    """Take a document, and say whether it was understood; its texts are heard in any case."""
    if isinstance(value, list):
        take_list(value, origin.source, sink, origin.locator, depth)
        return True
    if not isinstance(value, dict):
        return _is_heard(value, origin, sink)
    if MARKS.isdisjoint(value) and _is_named(value) and not is_health(value):
        sink.arm(value, origin)
        return True
    for is_this, take_this in _KINDS:
        if is_this(value):
            take_this(value, origin, sink)
            return True
    if depth < _DEEPEST and (inner := _inner_list(value)):
        key, items = inner
        place = Origin(origin.source, f"{origin.locator}.{key}")
        _take_inner(value, items, place, sink, depth)
        return True
    return _is_heard(value, origin, sink)


def note_unknown(first: str, count: int, source: str, sink: Sink) -> None:
    """Admit that something was not understood: once for a list, however long it is."""
    if count:
        others = f" and {count - 1} others" if count > 1 else ""
        what = f"{first}{others}: JSON of no kind that is known; only its texts were read"
        sink.gap(Gap(source, what, Reason.NOT_UNDERSTOOD, asked_for=True))


def take_list(values: list[Any], source: str, sink: Sink, locator: str, depth: int = 0) -> None:
    """Take a list of documents, and note what a complete list says of its kind."""
    _take_members(values, Origin(source, locator), sink, depth)
    _note(values, sink)


def is_resource(value: Any) -> bool:
    """Whether a value is an Azure resource, in any of the forms that there are."""
    if not isinstance(value, dict) or not _is_named(value):
        return False
    return MARKS.isdisjoint(value) or not (
        is_event(value)
        or is_operation(value)
        or is_step(value)
        or is_usage(value)
        or is_metric(value)
    )


def _is_named(value: dict[str, Any]) -> bool:
    """Whether a value has an id as resources have."""
    id = value.get("id")
    if not isinstance(id, str):
        return False
    return id.startswith(_PLACES[0]) or id[:_LONGEST_PLACE].casefold().startswith(_PLACES)


def _take_members(values: list[Any], origin: Origin, sink: Sink, depth: int) -> None:
    take_them = taken_together(values[0]) if values else None
    if take_them and all(taken_together(value) is take_them for value in values):
        take_them(values, origin, sink)
        return
    unknown = []
    for index, value in enumerate(values):
        place = Origin(origin.source, f"{origin.locator}[{index}]")
        if not is_taken(value, place, sink, depth + 1):
            unknown.append(place.locator)
    note_unknown("".join(unknown[:1]), len(unknown), origin.source, sink)


def _take_inner(
    holder: dict[str, Any], values: list[Any], origin: Origin, sink: Sink, depth: int
) -> None:
    """Take the list that an answer holds; only the last page of it is complete."""
    _take_members(values, origin, sink, depth)
    if is_whole(holder):
        _note(values, sink)


def _note(values: list[Any], sink: Sink) -> None:
    note_list([arm(value["id"]) for value in values if is_resource(value)], sink)


def _inner_list(value: dict[str, Any]) -> tuple[str, list[Any]] | None:
    for key in _LISTS:
        inner = value.get(key)
        if isinstance(inner, dict) and (rows := _rows(inner)) is not None:
            return f"{key}.rows", rows
        if isinstance(inner, list) and (not inner or isinstance(inner[0], dict)):
            return key, inner
    return None


def _rows(table: dict[str, Any]) -> list[Any] | None:
    """The rows of a table as Resource Graph gives them, each as an object."""
    columns, rows = table.get("columns"), table.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return None
    names = [str(column.get("name")) for column in columns if isinstance(column, dict)]
    return [dict(zip(names, row, strict=False)) for row in rows if isinstance(row, list)]


def _is_heard(value: Any, origin: Origin, sink: Sink) -> bool:
    """Hear what a value says, and say whether it is an error, or nothing at all."""
    known = _is_known_error(value)
    channel = "error" if known else "document"
    for place, message in _said(value, origin.locator):
        about = named_in(message) if known else None
        sink.text(Text(message, Origin(origin.source, place), about, channel))
    return known or value in (None, "", {}, [])


def _said(value: Any, locator: str) -> Iterable[tuple[str, str]]:
    """A small value as a whole, for its members explain each other; a large one by sentences."""
    whole = as_text(value) if isinstance(value, dict) else ""
    return [(locator, whole)] if 0 < len(whole) <= _SMALL else messages(value, locator)


def _is_known_error(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return is_error(value) or any(key in value for key in _ERRORS) or _is_finding(value)


def _is_finding(value: dict[str, Any]) -> bool:
    """Whether a value is a result of the hardware validation of a machine."""
    return "comparison_result" in value or "device_login" in value


def _take_resource(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    sink.arm(value, origin)


def _take_exchange(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    def take_body(body: Any, place: str) -> None:
        take(body, origin.source, sink, place)

    take_exchange(exchange_of(value), origin, sink, take_body)


def _is_alone(value: dict[str, Any]) -> bool:
    """Whether a value is one of those that mostly come in a list."""
    return taken_together(value) is not None


def _take_alone(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    if take_them := taken_together(value):
        take_them([value], origin, sink)


def _is_account(value: dict[str, Any]) -> bool:
    """Whether a value is a subscription as `az account` prints it: its id is no path."""
    return "tenantId" in value and "state" in value and isinstance(value.get("id"), str)


def _take_account(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    body = {"displayName": value.get("name"), "state": value["state"]}
    sink.arm({"id": f"/subscriptions/{value['id']}", **body}, origin)


def _say_nothing(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Known, and nothing that a text could say better."""


# What has an id as resources have, and none of these, is a resource or speaks of its health.
MARKS: Final = frozenset(
    "apiVersion currentValue eventTimestamp operationId request status timeseries url".split()
)
_Take = Callable[[dict[str, Any], Origin, Sink], None]
# The first that recognises a value takes it.
_KINDS: Final[tuple[tuple[Callable[[dict[str, Any]], bool], _Take], ...]] = (
    (is_kube, take_kube),
    (is_event, take_event),
    (is_exchange, _take_exchange),
    (is_step, take_step),
    (is_operation, take_operation),
    (_is_alone, _take_alone),
    (is_health, take_health),
    (is_metric, take_metric),
    (is_resource, _take_resource),
    (is_log_tables, take_log_tables),
    (is_effective, take_effective),
    (is_service_tags, take_service_tags),
    (is_view, take_view),
    (is_node_state, take_node_state),
    (is_offer, take_offer),
    (is_judgement, take_judgement),
    (is_version, _say_nothing),
    (is_versions, take_versions),
    (is_secret, take_secret),
    (is_application, take_application),
    (_is_account, _take_account),
    (is_unnamed, take_unnamed),
)

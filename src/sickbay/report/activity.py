"""The activity log and a followed operation: as documents, and in the forms made of them."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from sickbay import __version__
from sickbay.bundle.innermost import innermost
from sickbay.bundle.redact import Redactor
from sickbay.bundle.times import seconds_between
from sickbay.bundle.unwrap import layers
from sickbay.engine.operations import Log
from sickbay.model.activity import Event, Operation, Outcome
from sickbay.report.document import gap_of

if TYPE_CHECKING:
    from sickbay.collect.operation import Followed

Document = dict[str, Any]
FORMATS: Final = ("text", "json", "yaml")
_TELL: Final = (Outcome.FAILED, Outcome.CANCELED, Outcome.REPORTED, Outcome.UNKNOWN)


def document(log: Log) -> Document:
    """The log as data, the event that was asked for in full."""
    every = [one for tree in log.operations for one in (tree, *tree.children)]
    counts = {outcome.value: _count(every, outcome) for outcome in Outcome}
    asked = log.asked
    data: Document = {
        "schema": "sickbay.activity/v1",
        "version": __version__,
        "source": log.source,
        "since": asked.since or None,
        "until": asked.until or None,
        "filters": {name: value for name, value in asked.filters._asdict().items() if value},
        "counts": {"events": len(log.events), "operations": len(every), **counts},
        "operations": [_operation(one) for one in log.operations],
        "events": [_event(one) for one in log.picked],
        "gaps": [gap_of(gap) for gap in log.gaps],
    }
    return Redactor().document(data)  # type: ignore[no-any-return]  # a document stays one


def followed(found: "Followed") -> Document:
    """A followed operation as data."""
    data: Document = {
        "schema": "sickbay.operation/v1",
        "version": __version__,
        **found._asdict(),
        "outcome": found.outcome.value,
        "begun": found.begun or None,
        "ended": found.ended or None,
        "error": _error(found.error),
        "history": [{"at": at or None, "status": status} for at, status in found.history],
        "gaps": [gap_of(gap) for gap in found.gaps],
    }
    return Redactor().document(data)  # type: ignore[no-any-return]  # a document stays one


def render(data: Document, form: str, *, colour: bool = False, is_full: bool = False) -> str:
    """Return either document in one of the output formats."""
    if form == "json":
        return json.dumps(data, indent=2, ensure_ascii=False)
    from importlib import import_module  # noqa: PLC0415 - each format only when it is the one

    if form == "yaml":
        rendered: str = import_module("sickbay.report.yaml").render(data)
        return rendered
    page: str = import_module("sickbay.report.activity_text").text(
        data, colour=colour, is_full=is_full
    )
    return page


def exit_code(data: Document) -> int:
    """What a script may conclude: all was read, or not."""
    return 3 if any(gap["asked_for"] for gap in data["gaps"]) else 0


def _count(every: list[Operation], outcome: Outcome) -> int:
    return sum(one.outcome is outcome for one in every)


def _operation(one: Operation) -> Document:
    last, first = one.last, one.events[0]
    return {
        "name": last.name,
        "outcome": one.outcome.value,
        "status": last.status,
        "statuses": [event.status for event in one.events],
        "resource": last.resource or first.resource,
        "group": last.group,
        "caller": first.caller or last.caller,
        "category": last.category,
        "level": last.level,
        "correlation": last.correlation,
        "begun": one.begun or None,
        "ended": one.ended or None,
        "seconds": _seconds(one),
        "error": _error(one.said) if one.outcome in _TELL else None,
        "events": list(dict.fromkeys(event.id for event in one.events if event.id)),
        "children": [_operation(child) for child in one.children],
    }


def _seconds(one: Operation) -> float | None:
    """How long it took; an end of which the beginning is not known took nobody knows how long."""
    if not one.begun or not one.ended or len(one.events) == 1:
        return None
    return max(seconds_between(one.begun, one.ended), 0.0)


def _error(said: str) -> Document | None:
    if not said.strip():
        return None
    found = innermost(said)
    return {"text": found.text, "code": found.code, "carriers": list(found.carriers)}


def _event(event: Event) -> Document:
    return {
        "id": event.id,
        "at": event.at or None,
        "submitted": event.submitted or None,
        "name": event.name,
        "status": event.status,
        "resource": event.resource,
        "caller": event.caller,
        "correlation": event.correlation,
        "error": _error(event.said),
        "layers": list(_layers(event.said)),
        "raw": event.raw,
    }


def _layers(said: str) -> Iterator[dict[str, str]]:
    """Every error that a message carries, the outermost first; without the packing itself."""
    found = layers(said) if said.strip() else ()
    for layer in found[1:] or found:
        yield {"code": layer.code, "message": layer.message}

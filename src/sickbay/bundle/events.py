"""Decodes events of the activity log, in whatever form they were saved."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from sickbay.bundle.foreign.activity import is_event
from sickbay.bundle.frame import Frame
from sickbay.bundle.messages import as_text
from sickbay.bundle.times import normal
from sickbay.model.activity import Event, Outcome, outcome_of
from sickbay.model.evidence import Gap, Origin, Text
from sickbay.model.ids import arm_part

if TYPE_CHECKING:
    from sickbay.model.entity import Entity

# Who exactly called, with which groups, and from where: nobody needs it to see what went wrong.
_PRIVATE: Final = frozenset({"claims", "httprequest", "authorization"})
_SAID: Final = ("statusMessage", "message", "policies")
_QUIET: Final = (Outcome.SUCCEEDED, Outcome.RUNNING)
_LONGEST: Final = 2_000


def event_of(body: dict[str, Any]) -> Event | None:
    """The event in a document, or None if it is none."""
    if not is_event(body):
        return None
    name = _word(body.get("operationName"))
    resource = str(body.get("resourceId") or body.get("resourceUri") or "")[:_LONGEST]
    status = _word(body.get("status"))
    return Event(
        id=_plain(body.get("eventDataId") or _id_in(body.get("id"))),
        at=normal(str(body.get("eventTimestamp") or "")),
        submitted=normal(str(body.get("submissionTimestamp") or "")),
        name=name,
        status=status,
        sub_status=_word(body.get("subStatus")),
        level=_plain(body.get("level")),
        category=_word(body.get("category")),
        caller=_plain(body.get("caller")),
        resource=resource,
        group=_plain(body.get("resourceGroupName")) or arm_part(resource, "resourcegroups"),
        correlation=_plain(body.get("correlationId")),
        operation=_plain(body.get("operationId")),
        said="" if outcome_of(status) in _QUIET else _said(body, name),
        raw={key: value for key, value in body.items() if key.casefold() not in _PRIVATE},
    )


def _said(body: dict[str, Any], name: str) -> str:
    """What went wrong; a message that is only the name of the operation says nothing."""
    properties = body.get("properties")
    members = properties if isinstance(properties, dict) else {}
    for key in _SAID:
        value = members.get(key)
        text = as_text(value) if isinstance(value, str | dict | list) else ""
        if text.strip() and text.casefold() != name.casefold():
            return text
    return _plain(body.get("description"))


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return _plain(value.get("value") or value.get("localizedValue"))
    return _plain(value)


def _plain(value: Any) -> str:
    return value[:_LONGEST] if isinstance(value, str) else ""


def _id_in(id: Any) -> str:
    return arm_part(id, "events") if isinstance(id, str) else ""


class EventSink:
    """Keeps the events of all that is read, each once, and what could not be read."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, ...], Event] = {}
        self.gaps: list[Gap] = []
        self.undated = 0

    def event(self, body: dict[str, Any], origin: Origin) -> None:
        found = event_of(body)
        if found is None:
            return
        if not found.at:
            self.undated += 1
        place = found.id or f"{origin.source} {origin.locator}"
        key = (place, found.status, found.at, found.name, found.resource)
        self.events.setdefault(key, found)

    def gap(self, gap: Gap) -> None:
        if gap.asked_for:
            self.gaps.append(gap)

    def text(self, text: Text) -> None:
        """Only events are of interest here."""

    def log(self, blocks: Iterator[bytes], frame: Frame) -> None:
        """As above."""

    def file(self, source: str) -> None:
        """As above."""

    def seen(self, kind: str, scope: str = "") -> None:
        """As above."""

    def arm(self, body: dict[str, Any], origin: Origin) -> None:
        """As above."""

    def kube(self, body: dict[str, Any], origin: Origin) -> None:
        """As above."""

    def kube_raw(self, kind: str, raw: bytes, origin: Origin) -> None:
        """As above."""

    def entity(self, entity: "Entity", origin: Origin) -> None:
        """As above."""

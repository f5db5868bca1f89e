"""What Azure itself holds to be ill: resource health, incidents, fired alerts, detectors of AKS.

Each has much to say of what is well, too, and of what could be done; only what is wrong is heard.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.bundle.times import normal
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, arm

_CHANNEL: Final = "health"
_TAG: Final = re.compile(r"<[^>]{0,400}>")
_BAD_STATES: Final = frozenset({"unavailable", "degraded"})
_BAD_STATUS: Final = frozenset({"critical", "warning"})
# How the detectors number what they found: critical, warning, then all that is well.
_BAD_NUMBERS: Final = frozenset({0, 1})
_MARKS: Final = (
    "/providers/microsoft.resourcehealth/availabilitystatuses/",
    "/providers/microsoft.resourcehealth/events/",
    "/providers/microsoft.alertsmanagement/alerts/",
)
_DETECTOR: Final = "/detectors/"


def is_health(value: dict[str, Any]) -> bool:
    """Whether a value is a judgement of Azure about something else."""
    id = value.get("id")
    if not isinstance(id, str) or not isinstance(value.get("properties"), dict):
        return False
    lowered = id.casefold()
    for mark in _MARKS:
        if mark in lowered:
            return True
    return _DETECTOR in lowered and "/managedclusters/" in lowered


def take_health(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take what it finds wrong."""
    id, properties = value["id"], value["properties"]
    says = next((say for mark, say in _SAY.items() if mark in id.casefold()), _of_detector)
    for place, text, about, at in says(id, properties):
        where = Origin(origin.source, f"{origin.locator}.properties.{place}")
        sink.text(Text(text, where, about, _CHANNEL, normal(at)))


_Said = tuple[str, str, Ref, str]


def _of_resource(id: str, properties: dict[str, Any]) -> Iterator[_Said]:
    state = _word(properties, "availabilityState")
    if state.casefold() in _BAD_STATES:
        words = (_word(properties, name) for name in ("title", "summary", "reasonType"))
        text = ": ".join([state, *(word for word in words if word)])
        about = arm(id[: id.casefold().rfind("/providers/microsoft.resourcehealth/")])
        at = _word(properties, "occuredTime") or _word(properties, "occurredTime")
        yield "summary", _plain(text), about, at


def _of_incident(id: str, properties: dict[str, Any]) -> Iterator[_Said]:
    if _word(properties, "status").casefold() == "active":
        words = (_word(properties, name) for name in ("eventType", "title", "summary"))
        text = ": ".join(word for word in words if word)
        about = arm(id[: id.casefold().rfind("/providers/microsoft.resourcehealth/")])
        yield "summary", _plain(text), about, _word(properties, "impactStartTime")


def _of_alert(id: str, properties: dict[str, Any]) -> Iterator[_Said]:
    essentials = properties.get("essentials")
    if not isinstance(essentials, dict):
        return
    if _word(essentials, "monitorCondition").casefold() == "fired":
        # What its author wrote beside it is what it looks for, and not what it found.
        rule = _word(essentials, "alertRule").rpartition("/")[2]
        about = arm(_word(essentials, "targetResource") or id)
        yield "essentials", f"alert {rule} has fired", about, _word(essentials, "startDateTime")


def _of_detector(id: str, properties: dict[str, Any]) -> Iterator[_Said]:
    about = arm(id[: id.casefold().rfind(_DETECTOR)])
    status = properties.get("status")
    if isinstance(status, dict) and status.get("statusId") in _BAD_NUMBERS:
        message = _plain(_word(status, "message"))
        if message:
            yield "status.message", message, about, ""
    datasets = properties.get("dataset")
    for number, dataset in enumerate(datasets if isinstance(datasets, list) else ()):
        table = dataset.get("table") if isinstance(dataset, dict) else None
        for row, text in _insights(table if isinstance(table, dict) else {}):
            yield f"dataset[{number}].table.rows[{row}]", text, about, ""


def _insights(table: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The rows of a table that say what is wrong; tables of other forms are figures."""
    columns, rows = table.get("columns"), table.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return
    names = [_word(one, "columnName").casefold() for one in columns if isinstance(one, dict)]
    if "status" not in names or "message" not in names:
        return
    status, message = names.index("status"), names.index("message")
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(names):
            continue
        text = _plain(str(row[message] or ""))
        if str(row[status]).casefold() in _BAD_STATUS and text:
            yield number, text


def _word(members: dict[str, Any], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _plain(text: str) -> str:
    """A text without the signs of a page."""
    return " ".join(_TAG.sub(" ", text).split())


_SAY: Final[dict[str, Callable[[str, dict[str, Any]], Iterator[_Said]]]] = dict(
    zip(_MARKS, (_of_resource, _of_incident, _of_alert), strict=True)
)

"""Tables that a Log Analytics workspace answers with: a message a row, counted, about something."""

from collections.abc import Iterator
from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.bundle.times import normal
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, arm, kube

_MESSAGE: Final = "message"
_LONGEST: Final = 1_000_000_000


def is_log_tables(value: dict[str, Any]) -> bool:
    """Whether a value is such an answer."""
    tables = value.get("tables")
    if not isinstance(tables, list) or not tables:
        return False
    return all(isinstance(one, dict) and isinstance(one.get("columns"), list) for one in tables)


def take_log_tables(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take the message of each row."""
    for number, table in enumerate(value["tables"]):
        for row, words in _rows(table):
            message = words.get(_MESSAGE, "")
            if not message.strip():
                continue
            where = Origin(origin.source, f"{origin.locator}.tables[{number}].rows[{row}]")
            reason = words.get("reason", "")
            text = f"{reason}: {message}" if reason else message
            at = normal(words.get("last") or words.get("timegenerated", ""))
            sink.text(Text(text, where, _about(words), _channel(words), at, _times(words)))


def _rows(table: dict[str, Any]) -> Iterator[tuple[int, dict[str, str]]]:
    names = [
        str(column.get("name", "")).casefold() if isinstance(column, dict) else ""
        for column in table["columns"]
    ]
    rows = table.get("rows")
    for number, row in enumerate(rows if isinstance(rows, list) else ()):
        if isinstance(row, list) and len(row) == len(names):
            pairs = zip(names, row, strict=True)
            yield number, {name: str(cell) for name, cell in pairs if cell is not None}


def _about(words: dict[str, str]) -> Ref | None:
    """The object that an event is about; else the resource that wrote the row."""
    kind, name = words.get("objectkind", ""), words.get("name", "")
    if kind and name:
        return kube(kind, words.get("namespace", ""), name)
    id = words.get("_resourceid", "")
    return arm(id) if id.casefold().startswith("/subscriptions/") else None


def _channel(words: dict[str, str]) -> str:
    return "event" if words.get("objectkind") else f"log/{words.get('category') or 'workspace'}"


def _times(words: dict[str, str]) -> int:
    told = words.get("times", "")
    return max(1, min(int(told), _LONGEST)) if told.isdecimal() and len(told) < 12 else 1  # noqa: PLR2004

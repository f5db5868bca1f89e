"""One event of the activity log in full, and a followed operation."""

from collections.abc import Iterator
from typing import Any, Final

from sickbay.report.columns import visible, wrap
from sickbay.report.shell import COLUMNS

Document = dict[str, Any]

_LEFT: Final = 15
_MOST_LINES: Final = 12
_MOST_MEMBERS: Final = 40
_SECONDS: Final = len("2026-01-01T00:00:00")
_COLOURS: Final = {"failed": "1;31", "canceled": "33", "running": "36", "succeeded": "1;32"}
_TOLD: Final = frozenset({"statusmessage", "message", "entity"})


def event_lines(event: Document) -> Iterator[list[str]]:
    """What an event says of itself, then its error from the outside in, then its properties."""
    raw = event["raw"]
    rows = (
        ("event", event["id"]),
        ("at", _times(event)),
        ("status", " ".join(word for word in (event["status"], _sub(raw)) if word)),
        ("level", str(raw.get("level") or "")),
        ("operation", event["name"]),
        ("resource", event["resource"]),
        ("by", event["caller"]),
        ("category", _word(raw.get("category"))),
        ("correlation", event["correlation"]),
        ("operation id", str(raw.get("operationId") or "")),
    )
    yield [line for name, value in rows if value for line in _row(name, value)]
    if event["layers"]:
        yield ["Error, from the outside in", *_numbered(event["layers"])]
    members = raw.get("properties")
    if isinstance(members, dict):
        told = [(k, v) for k, v in members.items() if k.casefold() not in _TOLD and v]
        rows_of = [line for k, v in told[:_MOST_MEMBERS] for line in _row(visible(k), str(v))]
        yield ["Properties", *rows_of] if rows_of else []
    yield ["As JSON, with everything: -o json"]


def operation_lines(data: Document, *, colour: bool) -> list[str]:
    """How an operation stands, and how it came there."""
    word = data["outcome"].upper()
    code = _COLOURS.get(data["outcome"]) if colour else ""
    shown = f"\x1b[{code}m{word}\x1b[0m" if code else word
    pad = " " * max(11 - len(word), 1)
    first, *more = wrap(data["status"] or "nothing is known of it", COLUMNS - 11)
    lines = [shown + pad + first, *(" " * 11 + line for line in more)]
    error = data["error"]
    is_over = data["outcome"] in {"failed", "canceled"}
    rows = (
        # What a running or a succeeded operation shows was met on the way, and overcome or not.
        ("error" if is_over else "last seen", error["text"] if error else ""),
        ("wrapped in", " > ".join(error["carriers"]) if error else ""),
        ("resource", data["resource"]),
        ("operation", data["name"]),
        ("begun", _at(data["begun"])),
        ("ended", _at(data["ended"])),
        ("done", f"{data['percent']:.0f} %" if data["percent"] is not None else ""),
        ("url", data["url"]),
    )
    lines += [line for name, value in rows if value for line in _row(name, value)]
    if len(data["history"]) > 1:
        steps = data["history"][-_MOST_LINES:]
        lines += [
            "",
            "Its way",
            *(f"  {_at(one['at'])}  {visible(one['status'])}" for one in steps),
        ]
    return lines


def _numbered(found: list[dict[str, str]]) -> Iterator[str]:
    for number, layer in enumerate(found, 1):
        words = ": ".join(word for word in (layer["code"], layer["message"]) if word)
        first, *more = wrap(words, COLUMNS - 5, _MOST_LINES) or [""]
        yield f"  {number:<3}{first}"
        yield from (f"     {line}" for line in more)


def _row(name: str, value: str) -> list[str]:
    """A name and its value; a long one hangs below it."""
    start = f"  {name:<{_LEFT - 2}}"
    if len(name) > _LEFT - 3:
        return [start.rstrip(), *(" " * _LEFT + line for line in wrap(value, COLUMNS - _LEFT, 6))]
    first, *more = wrap(value, COLUMNS - _LEFT, _MOST_LINES) or [""]
    return [start + first, *(" " * _LEFT + line for line in more)]


def _times(event: Document) -> str:
    logged = f", in the log since {_at(event['submitted'])}" if event["submitted"] else ""
    return f"{_at(event['at'])}{logged}" if event["at"] else ""


def _at(time: str | None) -> str:
    return f"{(time or '')[:_SECONDS].replace('T', ' ')} UTC" if time else ""


def _sub(raw: Document) -> str:
    found = _word(raw.get("subStatus"))
    return f"({found})" if found else ""


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("value") or value.get("localizedValue") or "")
    return value if isinstance(value, str) else ""

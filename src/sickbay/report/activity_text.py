"""The activity log for a terminal: what failed first to the eye, each operation a line or two."""

from collections.abc import Iterator
from typing import Any, Final

from sickbay.report.activity_event import event_lines, operation_lines
from sickbay.report.columns import pad, shorten, visible, width, wrap
from sickbay.report.labels import clock, counted, day, moment
from sickbay.report.sections import not_seen
from sickbay.report.shell import COLUMNS
from sickbay.report.status_names import noun

Document = dict[str, Any]

_MARKS: Final = {
    "failed": "FAILED",
    "canceled": "CANCELED",
    "running": "running",
    "succeeded": "ok",
    "reported": "reported",
    "unknown": "unknown",
}
_COLOURS: Final = {"failed": "1;31", "canceled": "33", "running": "36", "unknown": "33"}
_GUTTER: Final = 10
_WHEN: Final = 12
_LONG: Final = 8
_MOST: Final = 40
_MOST_CHILDREN: Final = 8
_MOST_LINES: Final = 3
_LATE: Final = (
    "Events come minutes late: an operation without an end may have ended, and an empty log right "
    "after a failure proves nothing. Ask again in some minutes."
)


def text(data: Document, *, colour: bool, is_full: bool) -> str:
    """The log, one event, or a followed operation as a page."""
    if data["schema"].startswith("sickbay.operation"):
        parts = [operation_lines(data, colour=colour)]
    elif data["events"]:
        parts = [part for event in data["events"] for part in event_lines(event)]
    else:
        parts = _Log(data, colour=colour, is_full=is_full).parts()
    parts.append(not_seen(data["gaps"], is_settled=False))
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


class _Log:
    """Writes a log as paragraphs, a day after the other, the newest first."""

    def __init__(self, data: Document, *, colour: bool, is_full: bool) -> None:
        self._data = data
        self._colour = colour
        self._is_full = is_full

    def parts(self) -> list[list[str]]:
        shown = self._data["operations"]
        hidden = 0 if self._is_full else max(len(shown) - _MOST, 0)
        parts = [self._head()]
        today = ""
        for one in shown[: len(shown) - hidden]:
            if day(one["begun"] or "") != today:
                today = day(one["begun"] or "")
                parts.append([f"{today} (UTC)" if today else "At no known time"])
            parts[-1] += self._block(one)
        if hidden:
            parts.append([f"and {hidden} older operations: -v, or a narrower --since"])
        return [*parts, self._late(), self._foot()]

    def _head(self) -> list[str]:
        counts = self._data["counts"]
        words = [counted(counts["operations"], "operation")]
        words += [
            f"{counts[one]} {one}" for one in ("failed", "canceled", "running") if counts[one]
        ]
        span = " to ".join(moment(self._data[end] or "") for end in ("since", "until")).strip()
        asked = [f"{name} {value}" for name, value in self._data["filters"].items()]
        when = f"{span} UTC" if span and span != "to" else "at any time"
        scope = "; ".join([self._data["source"], when, *asked])
        says = f"{', '.join(words)} out of {counted(counts['events'], 'event')}"
        return [*_beside("ACTIVITY", says), *_beside("", scope)]

    def _block(self, one: Document) -> Iterator[str]:
        yield from self._lines(one, "")
        children = one["children"]
        shown = children if self._is_full else _worst_first(children)[:_MOST_CHILDREN]
        for child in shown:
            yield from self._lines(child, "└ ")
        if len(children) > len(shown):
            rest = len(children) - len(shown)
            yield " " * _GUTTER + f"  and {rest} more on its behalf: -v"

    def _lines(self, one: Document, lead: str) -> Iterator[str]:
        mark = _MARKS[one["outcome"]]
        when = pad(f"{lead}{clock(one['begun'] or '') or '--:--'}", _WHEN - 4)
        long = pad(_lasted(one["seconds"]), _LONG)
        room = COLUMNS - _GUTTER - len(when) - len(long)
        first, *more = wrap(self._title(one, is_child=bool(lead)), room) or [""]
        yield f"{self._inked(mark, one['outcome'])}{' ' * (_GUTTER - len(mark))}{when}{long}{first}"
        for line in more:
            yield " " * (COLUMNS - room) + line
        notes = self._notes(one, is_child=bool(lead))
        yield from (" " * (_GUTTER + 2) + line for line in notes)

    def _title(self, one: Document, *, is_child: bool) -> str:
        """What was done, and who did it where nothing else is to be said."""
        is_alone = one["caller"] and not is_child and not self._is_told(one)
        return f"{_what(one)} · {one['caller']}" if is_alone else _what(one)

    def _notes(self, one: Document, *, is_child: bool) -> Iterator[str]:
        """What went wrong, who did it, and by which ids more is to be had."""
        room = COLUMNS - _GUTTER - 2
        if one["error"]:
            yield from wrap(one["error"]["text"], room, _MOST_LINES)
        if not self._is_told(one):
            return
        ids = [f"by {visible(one['caller'])}"] if one["caller"] and not is_child else []
        ids += [f"event {visible(one['events'][-1])}"] if one["events"] else []
        if one["correlation"] and not is_child:
            ids.append(f"correlation {visible(one['correlation'])}")
        yield from _packed(ids, room)

    def _is_told(self, one: Document) -> bool:
        """Whether it has more than a line."""
        return self._is_full or one["outcome"] not in {"succeeded", "running"}

    def _late(self) -> list[str]:
        is_open = not self._data["operations"] or self._data["counts"]["running"]
        is_live = self._data["source"].startswith("subscription ")
        return wrap(_LATE, COLUMNS) if is_live and is_open else []

    def _foot(self) -> list[str]:
        failed = [one for one in self._data["operations"] if _failed(one)]
        ids = [event for one in failed for event in _failed(one)[0]["events"][-1:]]
        lines = [f"One of them in full: add --event {ids[0]}"] if ids else []
        if not self._data["operations"] and self._data["counts"]["events"]:
            lines.append("No operation is as asked for; take a filter away to see the others.")
        return lines

    def _inked(self, word: str, outcome: str) -> str:
        code = _COLOURS.get(outcome) if self._colour else ""
        return f"\x1b[{code}m{word}\x1b[0m" if code else word


def _packed(words: list[str], room: int) -> Iterator[str]:
    """Words on as few lines as they need; an id is never broken."""
    line = ""
    for word in words:
        joined = f"{line} · {word}" if line else word
        if line and width(joined) > room:
            yield line
            joined = word
        line = joined
    yield from wrap(line, room) if line else ()


def _failed(one: Document) -> list[Document]:
    return [each for each in (one, *one["children"]) if each["outcome"] == "failed"]


def _worst_first(children: list[Document]) -> list[Document]:
    order = ("failed", "canceled", "unknown", "running", "reported", "succeeded")
    return sorted(children, key=lambda one: order.index(one["outcome"]))


def _what(one: Document) -> str:
    """What was done in every day's words: `write pool np1`."""
    words = one["name"].split("/")
    if not one["name"]:
        return shorten(one["resource"] or "an operation without a name", COLUMNS)
    verb = words[-2] if words[-1].casefold() == "action" and len(words) > 1 else words[-1]
    parts = one["resource"].rstrip("/").split("/")
    kind = "/".join(words[: -2 if words[-1].casefold() == "action" else -1])
    if not kind or not one["resource"]:
        return str(one["name"])
    return f"{verb} {noun(kind)} {parts[-1]}"


def _lasted(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 120:  # noqa: PLR2004
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"  # noqa: PLR2004


def _beside(mark: str, says: str) -> list[str]:
    first, *more = wrap(says, COLUMNS - _GUTTER) or [""]
    return [f"{mark:<{_GUTTER}}{first}".rstrip(), *(" " * _GUTTER + line for line in more)]

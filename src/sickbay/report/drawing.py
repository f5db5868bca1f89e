"""Geometry of the two drawings on the page: the chain of a cause, and the timeline of a case."""

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sickbay.report.chain import Link, links_of
from sickbay.report.columns import shorten, visible, wrap
from sickbay.report.labels import label, moment

Document = dict[str, Any]

WIDTH: Final = 760
_STEP: Final = 34
_GAP: Final = 14
_PADDING: Final = 12
_LINE: Final = 18
# Mean width of a character of the page's fonts, rounded up.
_BOLD: Final = 8.6
_PLAIN: Final = 7.2
_CLOCK: Final = 128
_MOST_EFFECTS: Final = 30
_LANE: Final = 30
_MOST_LANES: Final = 10
_LEFT: Final = 220
_RIGHT: Final = 20
_TICKS: Final = 4
_FEWEST_TIMES: Final = 2
_DAY: Final = 86_400


class Box(NamedTuple):
    """One thing in the chain."""

    x: int
    y: int
    width: int
    height: int
    name: str
    at: str
    says: tuple[str, ...]
    # The line from what brought it about; none for the cause itself.
    path: str
    depth: int


class Chain(NamedTuple):
    boxes: tuple[Box, ...]
    height: int
    hidden: int


class Dot(NamedTuple):
    x: float
    lane: int
    tells: str


class Tick(NamedTuple):
    x: float
    label: str
    anchor: str


class Timeline(NamedTuple):
    lanes: tuple[str, ...]
    dots: tuple[Dot, ...]
    ticks: tuple[Tick, ...]
    left: int
    height: int
    day: str

    def y(self, lane: int) -> int:
        return _LANE * lane + _LANE // 2 + 4


def draw_chain(cause: Document, times: dict[tuple[str, str], str]) -> Chain | None:
    """Place the chain of a cause; None when it explains nothing."""
    if not cause["explains"]:
        return None
    boxes: list[Box] = []
    above: dict[int, Box] = {}
    y = 1
    for link in links_of(cause, times, _MOST_EFFECTS):
        box = _box(link, y, above.get(link.depth - 1))
        boxes.append(box)
        above[link.depth] = box
        y += box.height + _GAP
    hidden = max(len(cause["explains"]) - _MOST_EFFECTS, 0)
    return Chain(tuple(boxes), y - _GAP + 1, hidden)


def draw_timeline(data: Document) -> Timeline | None:
    """Place what happened on lanes of its subjects; None when there are not two times."""
    dated = [(at, one) for one in data["timeline"] if (at := _seconds(one["at"])) is not None]
    times = sorted({at for at, _ in dated})
    if len(times) < _FEWEST_TIMES:
        return None
    every = list(dict.fromkeys(label(one["subject"]) for _, one in dated))
    shown = every[:_MOST_LANES]
    start, end = times[0], times[-1]
    dots = tuple(
        Dot(_x(at, start, end), shown.index(name), f"{moment(one['at'])} {visible(one['says'])}")
        for at, one in dated
        if (name := label(one["subject"])) in shown
    )
    is_one_day = _written(start, "%F") == _written(end, "%F")
    return Timeline(
        tuple(shorten(name, int((_LEFT - 20) / _PLAIN)) for name in shown),
        dots,
        tuple(_tick(number, start, end) for number in range(_TICKS + 1)),
        _LEFT,
        _LANE * len(shown) + 34,
        _written(start, "%F") if is_one_day else "",
    )


def _box(link: Link, y: int, cause: Box | None) -> Box:
    x = _STEP * link.depth + 1
    width = WIDTH - x - 1
    says = tuple(wrap(link.says, int((width - 2 * _PADDING) / _PLAIN), 3))
    height = 2 * _PADDING - 4 + _LINE * (1 + len(says))
    name = shorten(link.label, int((width - 2 * _PADDING - _CLOCK) / _BOLD))
    path = ""
    if cause is not None:
        start, middle = cause.x + _STEP // 2, y + height // 2
        bend = f"V{middle - 8} q0 8 8 8 H{x - 2}"
        path = f"M{start} {cause.y + cause.height} {bend}"
    at = f"{moment(link.at)} UTC" if link.at else ""
    return Box(x, y, width, height, name, at, says, path, link.depth)


def _tick(number: int, start: float, end: float) -> Tick:
    at = start + (end - start) * number / _TICKS
    anchor = "start" if number == 0 else "end" if number == _TICKS else "middle"
    is_long = _written(start, "%F") != _written(end, "%F")
    form = "%m-%d %H:%M" if is_long and end - start < 20 * _DAY else "%F" if is_long else "%H:%M"
    if end - start < _DAY / 240:
        form = "%H:%M:%S"
    return Tick(_x(at, start, end), _written(at, form), anchor)


def _x(at: float, start: float, end: float) -> float:
    return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * (at - start) / (end - start), 1)


def _written(at: float, form: str) -> str:
    return datetime.fromtimestamp(at, UTC).strftime(form)


def _seconds(at: str) -> float | None:
    try:
        parsed = datetime.fromisoformat(at)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None

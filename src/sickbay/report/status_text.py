"""The tree of states for a terminal and for a ticket: eighty columns, and plain without colour."""

from typing import Any, Final

from sickbay.report.columns import pad, shorten, width, wrap
from sickbay.report.labels import listed
from sickbay.report.sections import not_seen
from sickbay.report.shell import COLUMNS, command_lines
from sickbay.report.status_names import label
from sickbay.report.status_rows import Row, one_row, rows

Document = dict[str, Any]

_MARKS: Final = {
    "unhealthy": "SICK",
    "unknown": "UNKNOWN",
    "changing": "changing",
    "off": "off",
    "unseen": "unread",
    "healthy": "",
}
_COLOURS: Final = {
    "sick": "1;31",
    "unhealthy": "31",
    "unknown": "33",
    "changing": "36",
    "off": "2",
    "unseen": "2",
    "healthy": "32",
}
_GUTTER: Final = 9
_WIDEST_LABEL: Final = 36
_NARROWEST_NAME: Final = 8
_MOST_LINES: Final = 3
_NOTE: Final = 3
_MOST_WELL: Final = 30


def text(data: Document, *, colour: bool, is_full: bool) -> str:
    """The answer first, then the trees, what could not be seen, and where to go on."""
    parts = [_head(data, colour=colour), *_trees(data, colour=colour, is_full=is_full)]
    parts += [not_seen(data["gaps"], is_settled=False), _foot(data)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def markdown(data: Document, *, is_full: bool) -> str:
    """The same for a ticket: the tree keeps its columns in a fence."""
    from sickbay.report.markup import fence, inline, prose  # noqa: PLC0415

    head = " ".join(line.strip() for line in _head(data, colour=False))
    lines = [f"## {prose(head)}", ""]
    for tree in _trees(data, colour=False, is_full=is_full):
        lines += [*fence("\n".join(tree)), ""]
    if data["gaps"]:
        lines += ["### Not seen", ""]
        lines += [f"- {inline(gap['source'])}: {prose(gap['what'])}" for gap in data["gaps"]]
        lines.append("")
    return "\n".join([*lines, *fence(data["next"], "sh")]) + "\n"


def _head(data: Document, *, colour: bool) -> list[str]:
    counts = data["counts"]
    whole = sum(counts.values()) - counts["unseen"]
    who = listed((label(root["subject"]) for root in data["trees"]), 2) or data["target"]["id"]
    if data["health"] == "sick":
        few = counts["unhealthy"]
        says = f"{who}: {few} of {_things(whole)} {'is' if few == 1 else 'are'} not healthy"
    elif not whole:
        says = f"{who}: no state of any Azure resource is known"
    elif data["health"] == "unknown":
        says = f"{who}: no state is known to be bad, but not all are known"
    else:
        says = f"{who}: {_things(counts['healthy'])} in a healthy state"
    others = [f"{counts[one]} {one}" for one in ("changing", "off", "unknown") if counts[one]]
    first, *more = wrap("; ".join([says, *others]), COLUMNS - _GUTTER)
    word = _inked(data["health"].upper(), data["health"], colour=colour)
    gap = " " * (_GUTTER - len(data["health"]))
    return [word + gap + first, *(" " * _GUTTER + line for line in more)]


def _trees(data: Document, *, colour: bool, is_full: bool) -> list[list[str]]:
    trees: list[list[str]] = []
    quiet: list[Row] = []
    is_many = len(data["trees"]) > 1
    for root in data["trees"]:
        if is_many and not is_full and root["below"] in {"healthy", "unseen"}:
            quiet.append(one_row(root))
        else:
            trees.append(_lines(rows(root, is_full=is_full), colour=colour))
    beside = [
        row
        for one in data["beside"]
        if is_full or one["below"] not in {"healthy", "unseen"}
        for row in rows(one, is_full=is_full)
    ]
    if quiet:
        rest = len(quiet) - _MOST_WELL
        more = [f"{' ' * _GUTTER}and {rest} more"] if rest > 0 else []
        trees.append(["Well", *_lines(quiet[:_MOST_WELL], colour=colour), *more])
    if beside:
        trees.append(["Beside", *_lines(beside, colour=colour)])
    return trees


def _lines(found: list[Row], *, colour: bool) -> list[str]:
    labels = [_label(row) for row in found]
    left = max((width(one) for one in labels), default=0)
    lines: list[str] = []
    for row, shown in zip(found, labels, strict=True):
        mark = _MARKS[row.standing]
        start = _inked(mark, row.standing, colour=colour) + " " * (_GUTTER - len(mark))
        below = " " * _GUTTER + row.trail
        states = wrap(row.states, COLUMNS - _GUTTER - left - 2) or [""]
        first, *more = [_inked(line, row.standing, colour=colour) for line in states]
        lines.append(f"{start}{pad(shown, left)}  {first}".rstrip())
        lines += [pad(below, _GUTTER + left) + "  " + line for line in more]
        # Notes are sentences: they take the whole width, below the name.
        indent = pad(below, len(below) + _NOTE)
        room = COLUMNS - width(indent)
        lines += [indent + line for note in row.notes for line in wrap(note, room, _MOST_LINES)]
    return lines


def _label(row: Row) -> str:
    noun, name = row.label
    room = max(_WIDEST_LABEL - len(row.guide) - len(noun) - 1, _NARROWEST_NAME)
    return f"{row.guide}{noun} {shorten(name, room)}".rstrip()


def _foot(data: Document) -> list[str]:
    lead = {
        "sick": "Why:",
        "unknown": "To know more:",
        # A state says how the last operation ended, and not whether anything works.
        "healthy": "A good state is no proof of health:",
    }[data["health"]]
    first, *more = command_lines(data["next"], len(lead) + 2, 2)
    return [f"{lead}  {first}", *more]


def _things(number: int) -> str:
    return "1 thing" if number == 1 else f"{number} things"


def _inked(words: str, standing: str, *, colour: bool) -> str:
    code = _COLOURS[standing] if colour and words and standing != "healthy" else ""
    return f"\x1b[{code}m{words}\x1b[0m" if code else words

"""The rows of a tree of states: what is well is folded, what is not is named."""

from collections.abc import Iterator
from typing import Any, Final

from sickbay.record import NamedTuple
from sickbay.report.labels import listed, moment
from sickbay.report.status_names import many, name, noun

Document = dict[str, Any]

_MOST_NAMED: Final = 5
_MOST_NAMES: Final = 3
_MOST_KINDS: Final = 3
# States whose word speaks for itself.
_UNTITLED: Final = frozenset({"provisioning", "power", "existence"})
_QUIET: Final = frozenset({"healthy", "unseen"})


class Row(NamedTuple):
    """One line of the tree; `guide` is drawn before its label, `trail` on the lines below it.

    A label is what it is and its name: where there is no room for both, the name gives way.
    """

    depth: int
    standing: str
    label: tuple[str, str]
    states: str
    notes: tuple[str, ...] = ()
    guide: str = ""
    trail: str = ""


def rows(root: Document, *, is_full: bool) -> list[Row]:
    """A tree in drawing order."""
    return _drawn([_own(root), *_below(root, 1, is_full=is_full)])


def one_row(root: Document) -> Row:
    """A tree in a line, for one among many that is well."""
    row = _own(root)
    number = _size(root)
    things = f" · {number} things below" if number > 1 else ""
    return row._replace(states=row.states + things)


def _size(branch: Document) -> int:
    return len(branch["children"]) + sum(map(_size, branch["children"]))


def _below(branch: Document, depth: int, *, is_full: bool) -> Iterator[Row]:
    for group in _groups(branch["children"], is_full=is_full):
        first = group[0]
        if len(group) > 1:
            yield _folded(group)._replace(depth=depth)
        elif not is_full and all(child["below"] in _QUIET for child in first["children"]):
            yield _own(first)._replace(depth=depth, states=_with_below(first))
        else:
            yield _own(first)._replace(depth=depth)
            yield from _below(first, depth + 1, is_full=is_full)


def _groups(children: list[Document], *, is_full: bool) -> list[list[Document]]:
    """Siblings that one line tells: of one kind, in the same states, with nothing worse below."""
    groups: dict[object, list[Document]] = {}
    for number, child in enumerate(children):
        is_alike = not is_full and child["below"] == child["standing"]
        groups.setdefault(_likeness(child) if is_alike else number, []).append(child)
    return [part for group in groups.values() for part in _named(group)]


def _likeness(child: Document) -> tuple[str, ...]:
    error = child["error"]
    words = (_word(state) for state in child["states"] if not _is_time(state))
    return (
        noun(child["subject"]["kind"]),
        child["standing"],
        *words,
        error["code"] if error else "",
    )


def _named(group: list[Document]) -> list[list[Document]]:
    """What is ill has a name, and so has a pool, unless there are too many of them."""
    first = group[0]
    is_pool = first["subject"]["kind"].casefold().endswith("/agentpools")
    is_named = is_pool or first["standing"] in {"unhealthy", "unknown"}
    return [[one] for one in group] if is_named and len(group) <= _MOST_NAMED else [group]


def _folded(group: list[Document]) -> Row:
    first = group[0]
    kind = first["subject"]["kind"]
    notes = _notes(first)
    if first["standing"] not in _QUIET:
        notes = (listed((name(one["subject"]) for one in group), _MOST_NAMES), *notes)
    states = _words([state for state in first["states"] if not _is_time(state)])
    below: dict[str, int] = {}
    for one in group:
        _count_below(one, below)
    return Row(0, first["standing"], (many(len(group), kind), ""), _and(states, below), notes)


def _own(branch: Document) -> Row:
    states = _words(branch["states"])
    subject = branch["subject"]
    named = (noun(subject["kind"]), name(subject))
    return Row(0, branch["standing"], named, states, _notes(branch))


def _with_below(branch: Document) -> str:
    below: dict[str, int] = {}
    _count_below(branch, below)
    return _and(_words(branch["states"]), below)


def _and(states: str, below: dict[str, int]) -> str:
    # Two kinds can have one name in every day's words.
    by_noun: dict[str, tuple[str, int]] = {}
    for kind, number in below.items():
        by_noun[noun(kind)] = (kind, by_noun.get(noun(kind), ("", 0))[1] + number)
    counts = listed((many(number, kind) for kind, number in by_noun.values()), _MOST_KINDS)
    return f"{states} · {counts}" if states and counts else states or counts


def _count_below(branch: Document, counts: dict[str, int]) -> None:
    for child in branch["children"]:
        kind = child["subject"]["kind"]
        counts[kind] = counts.get(kind, 0) + 1
        _count_below(child, counts)


def _notes(branch: Document) -> tuple[str, ...]:
    """Since when, and the error: a note each at most."""
    error, since, changed = branch["error"], branch["since"], branch["changed"]
    if since:
        when = f"since {moment(since)}"
    else:
        is_ill = branch["standing"] in {"unhealthy", "unknown", "changing"}
        when = f"last changed {moment(changed)}" if changed and is_ill else ""
    said = error["text"] if error else ""
    return tuple(note for note in (when, said) if note)


def _words(states: list[Document]) -> str:
    """The states in a line, what is not well first and times last."""
    ordered = sorted(states, key=lambda one: (_is_time(one), one["standing"] == "healthy"))
    return ", ".join(_word(state) for state in ordered)


def _word(state: Document) -> str:
    value = moment(state["value"]) if _is_time(state) else state["value"].partition("/")[0]
    return value if state["state"] in _UNTITLED else f"{state['state']} {value}"


def _is_time(state: Document) -> bool:
    return state["state"] in {"last heard", "certificate until"}


def _drawn(found: list[Row]) -> list[Row]:
    """Add the branches; from below, because a branch depends on what follows it."""
    drawn: list[Row] = []
    going_on: set[int] = set()
    for row in reversed(found):
        stem = "".join("│  " if level in going_on else "   " for level in range(1, row.depth))
        has_below = row.depth + 1 in going_on
        is_last = row.depth not in going_on
        going_on = {level for level in going_on if level < row.depth} | {row.depth}
        guide = stem + ("└─ " if is_last else "├─ ") if row.depth else ""
        trail = stem + ("   " if is_last else "│  ") if row.depth else ""
        drawn.append(row._replace(guide=guide, trail=trail + ("│" if has_below else "")))
    drawn.reverse()
    return drawn

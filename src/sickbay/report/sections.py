"""The parts of a report on a terminal below its first lines, from the chain to the treatment."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from sickbay.report.columns import pad, shorten, width, wrap
from sickbay.report.labels import clock, day, moment
from sickbay.report.looks import parted
from sickbay.report.shell import COLUMNS, command_lines, join

Document = dict[str, Any]

_INDENT: Final = "  "
_NUMBERED: Final = "     "
_WIDEST_LABEL: Final = 34
_NARROWEST_LABEL: Final = 14
_WIDEST_PLACE: Final = 40
_WIDEST_PLACE_BESIDE_LINES: Final = 26
_NARROWEST_TEXT: Final = 24
_MOST_EFFECTS: Final = 12
_MOST_EVIDENCE: Final = 6
_MOST_EVIDENCE_LINES: Final = 8
_MOST_RULED_OUT: Final = 8
_MOST_GAPS: Final = 8
_MOST_STEPS: Final = 12
_NARROW_START: Final = 16
# What was handed in and not looked at may hold another fault; what nobody saved is no news.
_NOT_COLLECTED: Final = "not-collected"


def chain(cause: Document, times: dict[tuple[str, str], str]) -> list[str]:
    """What the cause brought about, as a tree."""
    if not cause["explains"]:
        return []
    from sickbay.report.chain import links_of  # noqa: PLC0415 - a lone error brings about nothing

    links = links_of(cause, times, _MOST_EFFECTS)
    days = {day(link.at) for link in links if link.at}
    when = clock if len(days) == 1 else moment
    names = [
        link.guide + shorten(link.label, max(_WIDEST_LABEL - len(link.guide), _NARROWEST_LABEL))
        for link in links
    ]
    left = max(map(width, names))
    lines = [f"Chain  (UTC, {days.pop()})" if len(days) == 1 else "Chain"]
    for name, link in zip(names, links, strict=True):
        says = wrap(f"{when(link.at)} {link.says}" if link.at else link.says, _rest(left), 2)
        lines += _beside(_INDENT, pad(name, left), says, link.trail)
    return [*lines, *_and_more(len(cause["explains"]) - _MOST_EFFECTS)]


def evidence(cause: Document, most: int = _MOST_EVIDENCE) -> list[str]:
    """The places that prove it, numbered."""
    pieces = cause["evidence"]
    if not pieces:
        return []
    places = [shorten(f"{one['source']} {one['locator']}".strip(), 200) for one in pieces[:most]]
    left = max(min(width(place), _WIDEST_PLACE) for place in places)
    most_lines = max(_MOST_EVIDENCE_LINES // len(places), 3)
    lines = ["Evidence"]
    for number, (place, piece) in enumerate(zip(places, pieces, strict=False), 1):
        start = f"{_INDENT}{number}  "
        said = wrap(piece["text"], COLUMNS - len(start) - left - 2, most_lines)
        if width(place) <= left and (len(said) <= 1 or left <= _WIDEST_PLACE_BESIDE_LINES):
            lines += _beside(start, pad(place, left), said)
        else:
            lines += _below(start, place, piece["text"], most_lines)
    if cause.get("carriers"):
        lines += _hanging(f"wrapped in {' > '.join(cause['carriers'])}", len(_NUMBERED), "")
    return [*lines, *_and_more(len(pieces) - most)]


def ruled_out(cause: Document) -> list[str]:
    """The rivals, and why they are not it."""
    rivals = cause["ruled_out"]
    rows = [(rival["rule"], rival["because"]) for rival in rivals[:_MOST_RULED_OUT]]
    return _titled("Ruled out", [*_table(rows, 3), *_and_more(len(rivals) - _MOST_RULED_OUT)])


def not_seen(
    gaps: Sequence[Document], *, is_settled: bool, told: Collection[str] = ()
) -> list[str]:
    """What could not be looked at, and what would open it unless the answer stands without."""
    lines: list[str] = []
    # What nobody saved is no news where the look that would show it stands already.
    gaps = [one for one in gaps if one["reason"] != _NOT_COLLECTED or one["to_open"] not in told]
    for gap in gaps[:_MOST_GAPS]:
        lines += _table([(gap["source"], gap["what"])], 2)
        if gap["to_open"] and not is_settled:
            lines += _hint(gap["to_open"])
    lines += _and_more(len(gaps) - _MOST_GAPS)
    if gaps and is_settled:
        is_plain = all(gap["reason"] == _NOT_COLLECTED for gap in gaps)
        tail = "" if is_plain else ", though it may hold another fault"
        lines.append(f"{_INDENT}None of this would change the answer above{tail}.")
    return _titled("Not seen", lines)


def treatment(cause: Document, title: str = "Treatment") -> list[str]:
    """What to do, in order; a command stands on lines of its own so that it can be copied."""
    steps = cause["remedy"][:_MOST_STEPS]
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        lines += _step(f"{_INDENT}{number}".ljust(len(_NUMBERED)), step)
    return _titled(title, lines)


def candidates(causes: Sequence[Document]) -> list[str]:
    """What could be behind a symptom, and below those that one look decides, that look."""
    by_look: dict[str, list[str]] = {}
    for cause in causes:
        by_look.setdefault(cause["ask"], []).extend(_hanging(cause["title"], 2, ""))
    lines: list[str] = []
    for ask, titles in by_look.items():
        lines += [*titles, *(_hint(ask) if ask else ())]
    return _titled("Could be", lines)


def look(word: str, text: str, indent: int) -> list[str]:
    """A word and behind it a command with what is expected of it, or a sentence."""
    asked, expected = parted(text)
    if not asked:
        return sentence(word, expected, indent)
    lines = command(word, asked, indent)
    if not expected:
        return lines
    if width(lines[-1]) + width(expected) + 2 <= COLUMNS:
        return [*lines[:-1], f"{lines[-1]}  {expected}"]
    return [*lines, *_hanging(expected, indent + 2, "")]


def command(word: str, shown: str, indent: int) -> list[str]:
    """A command behind a word, or below it when it takes more than a line."""
    start = f"{' ' * indent}{word}  "
    first, *others = command_lines(shown, len(start), len(start) + 2)
    if not others:
        return [start + first]
    first, *others = command_lines(shown, indent + 2, indent + 4)
    return [start.rstrip(), " " * (indent + 2) + first, *others]


def sentence(word: str, text: str, indent: int) -> list[str]:
    """A sentence behind a word, or below it when it takes more than a line."""
    start = f"{' ' * indent}{word}  "
    lines = wrap(text, COLUMNS - len(start))
    if len(lines) <= 1 or len(start) <= _NARROW_START:
        return _hanging(text, len(start), start)
    return [start.rstrip(), *_hanging(text, indent + 2, "")]


def _step(start: str, step: Document) -> list[str]:
    risk = step["risk"]
    first, *others = wrap(step["text"], COLUMNS - len(start) - len(risk) - 2) or [""]
    lines = [pad(start + first, COLUMNS - len(risk)) + risk]
    lines += [" " * len(start) + line for line in others]
    if step["run"]:
        indent = len(start) + 2
        first, *others = command_lines(join(step["run"]), indent, indent + 2)
        lines += [" " * indent + first, *others]
    if step["verify"]:
        lines += look("check", step["verify"], len(start))
    return lines


def _hint(text: str) -> list[str]:
    asked, expected = parted(text)
    if not asked:
        return _hanging(expected, 4, "")
    first, *others = command_lines(asked, 4, 6)
    return [f"    {first}", *others]


def _table(rows: Sequence[tuple[str, str]], most_lines: int) -> list[str]:
    if not rows:
        return []
    rows = [(shorten(name, _WIDEST_LABEL), says) for name, says in rows]
    left = max(width(name) for name, _ in rows)
    lines: list[str] = []
    for name, says in rows:
        room = max(_rest(left), _NARROWEST_TEXT)
        lines += _beside(_INDENT, pad(name, left), wrap(says, room, most_lines))
    return lines


def _beside(start: str, name: str, says: Sequence[str], trail: str = "") -> list[str]:
    """A name and the lines that stand to its right."""
    first, *others = says or [""]
    below = pad(" " * len(start) + trail, len(start) + width(name))
    return [f"{start}{name}  {first}".rstrip(), *(f"{below}  {line}" for line in others)]


def _below(start: str, place: str, text: str, most_lines: int) -> list[str]:
    """A long place, and the text in the rest of its line or on lines of its own."""
    room = COLUMNS - len(start)
    said = wrap(text, room - len(_INDENT), most_lines)
    line = start + shorten(place, room)
    if len(said) == 1 and width(line) + width(said[0]) + 2 <= COLUMNS:
        return [f"{line}  {said[0]}"]
    return [line, *(f"{_NUMBERED}{_INDENT}{one}" for one in said)]


def _hanging(text: str, indent: int, start: str) -> list[str]:
    first, *others = wrap(text, COLUMNS - indent) or [""]
    begin = start or " " * indent
    return [begin + first, *(" " * indent + line for line in others)]


def _titled(title: str, lines: Sequence[str]) -> list[str]:
    return [title, *lines] if lines else []


def _and_more(number: int) -> Iterable[str]:
    return [f"{_INDENT}and {number} more"] if number > 0 else []


def _rest(left: int) -> int:
    return COLUMNS - len(_INDENT) - left - 2

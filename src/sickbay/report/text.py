"""The report for a terminal: the answer first, then the proof, what to do, and what is not known.

Eighty columns, no control characters of the evidence, and the same words with and without colour.
"""

from collections.abc import Iterable
from typing import Any, Final

from sickbay.report.columns import shorten, width, wrap
from sickbay.report.labels import counted, label, listed
from sickbay.report.outline import (
    Entry,
    Outline,
    explained,
    extent,
    first_step,
    outline,
    times_of,
    to_collect,
)
from sickbay.report.sections import (
    candidates,
    chain,
    command,
    evidence,
    look,
    not_seen,
    ruled_out,
    sentence,
    treatment,
)
from sickbay.report.shell import COLUMNS, command_lines, join

Document = dict[str, Any]

_MOST_BLOCKS: Final = 5
_MOST_IN_FULL: Final = 2
_MOST_CRASHED: Final = 5
_COLOURS: Final = {
    "SICK": "1;31",
    "ALSO": "1;31",
    "DEFECT": "1;35",
    "UNKNOWN": "1;33",
    "HEALTHY": "1;32",
    "NOTE": "1;36",
    "proven": "32",
    "likely": "33",
    "possible": "33",
}


def text(data: Document, *, colour: bool) -> str:
    """Return a diagnosis as a page for a terminal."""
    order = outline(data)
    writer = _Writer(data, order, _Ink(colour=colour))
    parts = writer.sick() if order.entries else writer.quiet()
    parts += writer.rest()
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


class _Ink:
    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def __call__(self, word: str, columns: int = 0) -> str:
        code = _COLOURS.get(word)
        inked = f"\x1b[{code}m{word}\x1b[0m" if self._colour and code else word
        return inked + " " * (columns - len(word))


class _Writer:
    """Writes the parts of one report; each part is a paragraph."""

    def __init__(self, data: Document, order: Outline, ink: _Ink) -> None:
        self._data = data
        self._order = order
        self._ink = ink

    def sick(self) -> list[list[str]]:
        """A block for each cause; the first in full, the later ones short when there are many."""
        entries = self._order.entries
        most_full = _MOST_IN_FULL if len(entries) <= _MOST_IN_FULL else 1
        parts: list[list[str]] = []
        for number, entry in enumerate(entries[:_MOST_BLOCKS]):
            parts += self._block(entry, "ALSO" if number else "SICK", is_full=number < most_full)
        hidden = entries[_MOST_BLOCKS:]
        if hidden:
            rules = listed(dict.fromkeys(entry.cause["rule"] for entry in hidden), 4)
            more = f"and {counted(len(hidden), 'more cause')}: {rules}; all of them: -o html"
            parts.append(wrap(more, COLUMNS))
        return parts

    def quiet(self) -> list[list[str]]:
        """Nothing is known to be wrong, or nothing can be said."""
        looked = f"{self._looked()} looked at."
        if self._data["health"] == "healthy":
            return [self._lead("HEALTHY", f"Nothing wrong was found. {looked}")]
        says = f"No known fault was found, but this is too little to call it healthy. {looked}"
        return [self._lead("UNKNOWN", says), ["To know more", *_commands(to_collect(self._data))]]

    def rest(self) -> list[list[str]]:
        """What follows the causes: notes, gaps, our own failures, and the count."""
        settled = bool(self._order.entries) and self._order.is_proven
        asked = {cause["ask"] for cause in self._data["causes"]}
        return [
            *(self._note(cause) for cause in self._order.notes[:_MOST_BLOCKS]),
            not_seen(self._data["gaps"], is_settled=settled, told=asked),
            self._crashed(),
            self._footer(),
        ]

    def _block(self, entry: Entry, word: str, *, is_full: bool) -> list[list[str]]:
        cause = entry.cause
        head = self._head(entry, word)
        if not is_full:
            return [[*head, *self._in_short(entry)]]
        return [
            head,
            ["Why", *(f"  {line}" for line in wrap(cause["why"], COLUMNS - 2, 8))],
            candidates(entry.could_be),
            chain(cause, times_of(self._data)),
            evidence(cause),
            ruled_out(cause),
            treatment(cause),
        ]

    def _head(self, entry: Entry, word: str) -> list[str]:
        cause = entry.cause
        certainty = cause["certainty"]
        start = f"{self._ink(word, 7)}{self._ink(certainty, 10)}"
        title, *more = wrap(cause["title"], COLUMNS - 17) or [""]
        lines = [start + title, *(" " * 17 + line for line in more)]
        lines += _indented(cause["says"], 3)
        if entry.stands_in:
            lines += _indented("The evidence shows this, and not yet what brought it about.", 2)
        return [*lines, *_answer(cause), *_indented(extent(cause), 2)]

    def _in_short(self, entry: Entry) -> list[str]:
        cause = entry.cause
        lines = _indented(_could_be(entry), 4)
        for piece in cause["evidence"][:1]:
            lines += _indented(f"{piece['source']} {piece['locator']}: {piece['text']}", 2)
        effects = [label(effect["subject"]) for effect in cause["explains"]]
        if effects:
            lines += _indented(f"explains {listed(effects)}", 2)
        return [*lines, *_indented(f"More: sickbay rules show {cause['rule']}", 2)]

    def _note(self, cause: Document) -> list[str]:
        lead = self._lead("NOTE", cause["title"])
        return [*lead, *(f"         {line}" for line in wrap(cause["says"], COLUMNS - 9, 2))]

    def _lead(self, word: str, says: str) -> list[str]:
        first, *others = wrap(says, COLUMNS - 9) or [""]
        return [self._ink(word, 9) + first, *(f"         {line}" for line in others)]

    def _crashed(self) -> list[str]:
        crashed = self._data["crashed"]
        if not crashed:
            return []
        rules = counted(len(crashed), "rule")
        says = f"{rules} of ours failed, so some faults were not looked for. Please report:"
        lines = self._lead("DEFECT", says)
        for one in crashed[:_MOST_CRASHED]:
            lines += [f"         {line}" for line in wrap(one, COLUMNS - 9, 3)]
        hidden = len(crashed) - _MOST_CRASHED
        return [*lines, f"         and {hidden} more"] if hidden > 0 else lines

    def _footer(self) -> list[str]:
        entries = self._order.entries
        if not entries:
            return []
        causes = sum(not entry.stands_in for entry in entries)
        count = (
            f"{counted(causes, 'cause') if causes else 'no cause in sight'}"
            f" · {counted(explained(entries), 'symptom')} explained"
            f" · {len(self._data['unexplained'])} left over · {self._read()}"
        )
        more = shorten(f"More: sickbay rules show {entries[0].cause['rule']}", COLUMNS)
        page = "Page: -o html"
        room = COLUMNS - width(more) - len(page)
        tail = [f"{more}{' ' * min(room, 5)}{page}"] if room > 1 else [more, page]
        return [*wrap(count, COLUMNS), *tail]

    def _read(self) -> str:
        looked = self._data["looked"]
        unread = looked["not_understood"]
        tail = f", {unread} not understood" if unread else ""
        return f"{counted(looked['files'], 'file')} read{tail}"

    def _looked(self) -> str:
        looked = self._data["looked"]
        things = f"{counted(looked['entities'], 'object')} and {counted(looked['texts'], 'text')}"
        return f"{self._read()}, {things}"


def _answer(cause: Document) -> list[str]:
    """The look that decides while the cause is not proven, else what to do first."""
    if cause["certainty"] != "proven" and cause["ask"]:
        return look("To be sure:", cause["ask"], 7)
    step = first_step(cause)
    if step is None:
        return []
    lead = f"Do first ({step['risk']}):"
    if not step["run"]:
        return sentence(lead, step["text"], 7)
    return command(lead, join(step["run"]), 7)


def _commands(commands: Iterable[str]) -> list[str]:
    lines: list[str] = []
    for one in commands:
        first, *others = command_lines(one, 2, 4)
        lines += [f"  {first}", *others]
    return lines


def _could_be(entry: Entry) -> str:
    titles = [cause["title"] for cause in entry.could_be]
    return f"Could be: {'; or: '.join(titles)}" if titles else ""


def _indented(says: str, most: int) -> list[str]:
    return [" " * 7 + line for line in wrap(says, COLUMNS - 7, most)]

"""The layout of `kubectl describe`: keys at the margin, what belongs to them indented below."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sickbay.bundle.foreign.kubectl_columns import header_of
from sickbay.bundle.foreign.kubectl_commands import Command, command_in, is_prompt

Lines = list[tuple[int, str]]
_KEY: Final = r"( *)([^\s:\"](?:[^:\s]| (?! ))*(?::[^:\s]+)?):(?:[ \t]+(.*))?"
_LONGEST_KEY_LINE: Final = 8_192
# What every description has near its top.
_PROOFS: Final = ("Labels:", "Annotations:", "Namespace:")
_HEAD_OF_EVENTS: Final = r"\s+Type\s+Reason\s+Age\s+From\s+Message"
_NEAR: Final = 24
_ABOVE: Final = 4
_MOST_WRAPPED: Final = 60
# The answer of Azure that a message of ASO quotes stands at the margin, too.
_QUOTED: Final = r"-{20,}\s*$|RESPONSE \d{3}: |ERROR CODE: |[{}\[\]]"


class Section(NamedTuple):
    """A key, its value, and the lines below it with their numbers."""

    key: str
    value: str
    lines: Lines

    @property
    def words(self) -> list[str]:
        """The values of a list that is printed one a line."""
        values = [self.value, *(line.strip() for _, line in self.lines)]
        return [value for value in values if value and value != "<none>"]


class Description(NamedTuple):
    """One object: its lines (from, to), its sections, its events, and data that is not ours."""

    first: int
    last: int
    sections: list[Section]
    events: Lines
    data: tuple[int, ...]
    command: Command

    def get(self, key: str) -> Section | None:
        return next((section for section in self.sections if section.key == key), None)

    def value(self, key: str) -> str:
        found = self.get(key)
        return "" if found is None or found.value in _NOTHING else found.value

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(section.key for section in self.sections)


_NOTHING: Final = ("<none>", "<unset>", "<nil>")


def descriptions(lines: list[str]) -> Iterator[Description]:
    """The descriptions of a text, in their order."""
    at = above = 0
    while at < len(lines):
        if not _begins(lines, at):
            at += 1
            continue
        scan = _Scan(lines, at)
        command = next(
            (
                c
                for line in reversed(lines[max(above, at - _ABOVE) : at])
                if (c := command_in(line))
            ),
            Command(),
        )
        yield Description(at, scan.end, scan.sections, scan.events, tuple(scan.data), command)
        at = above = scan.end


def blocks(lines: Iterable[tuple[int, str]], indent: int) -> list[Section]:
    """The keys at one depth, each with what stands below it."""
    found: list[Section] = []
    for number, line in lines:
        key = _key(line)
        if key and len(key[1]) == indent:
            found.append(Section(key[2].strip(), (key[3] or "").strip(), []))
        elif found:
            found[-1].lines.append((number, line))
    return found


def pairs(lines: Iterable[tuple[int, str]], indent: int) -> dict[str, str]:
    """Keys and values at one depth; a value that goes on in other lines is joined."""
    found: dict[str, str] = {}
    for block in blocks(lines, indent):
        more = [line.strip() for _, line in block.lines]
        found.setdefault(block.key, " ".join(part for part in [block.value, *more] if part))
    return found


def rows(lines: Iterable[tuple[int, str]]) -> list[list[str]]:
    """The rows of a table below a key: two blanks between cells, dashes below its head."""
    found = [re.split(r" {2,}", line.strip()) for _, line in lines if line.strip()]
    if len(found) > 1 and all(re.fullmatch(r"-+", cell) for cell in found[1]):
        return found[2:]
    return found[1:]


class _Scan:
    """The lines of one description being told apart."""

    def __init__(self, lines: list[str], at: int) -> None:
        self.sections: list[Section] = []
        self.events: Lines = []
        self.data: list[int] = []
        self._lines = lines
        self._in = "body"
        self._blanks = 0
        self.end = at + 1
        self._at_margin(at)
        for number in range(at + 1, len(lines)):
            if not self._takes(number):
                break
            if lines[number].strip():
                self.end = number + 1

    def _takes(self, at: int) -> bool:
        line = self._lines[at]
        if not line.strip():
            self._blanks += 1
            return self._blanks <= 1 or self._in == "data"
        blanks, self._blanks = self._blanks, 0
        if is_prompt(line):
            return False
        if self._in == "data" and not line.startswith("Events:"):
            self.data.append(at)
            return blanks <= 1 or not line.startswith("Name:")
        if line[0] not in " \t" and not self._goes_on(at):
            return self._at_margin(at)
        self._below(at)
        return True

    def _at_margin(self, at: int) -> bool:
        line = self._lines[at]
        if line.rstrip() in ("Data", "BinaryData"):
            self._in = "data"
            return True
        key = _key(line)
        is_over = self._in == "events" or header_of(line) is not None
        if key is None or is_over or (self.sections and key[2] == "Name"):
            return False
        self._in = "events" if key[2] == "Events" else "body"
        self.sections.append(Section(key[2].strip(), (key[3] or "").strip(), []))
        return True

    def _goes_on(self, at: int) -> bool:
        """Whether a line at the margin is the rest of a message: what follows it belongs here."""
        following = self._lines[at + 1 : at + _MOST_WRAPPED]
        if self._in == "events":
            return any(re.match(r"[ \t]+(?:Normal|Warning) ", line) for line in following)
        # Only objects of kinds of their own print messages as they are.
        is_custom = any(section.key == "API Version" for section in self.sections)
        line = self._lines[at]
        is_wrapped = is_custom and (_key(line) is None or bool(re.match(_QUOTED, line)))
        return is_wrapped and any(re.match(r" {4}[A-Z][\w ]*: ", line) for line in following)

    def _below(self, at: int) -> None:
        if self._in == "events":
            self.events.append((at + 1, self._lines[at]))
        else:
            self.sections[-1].lines.append((at + 1, self._lines[at]))


def _begins(lines: list[str], at: int) -> bool:
    """Whether a description begins, or its events alone: many leave out what is above them."""
    if lines[at].startswith("Name:"):
        return any(line.startswith(_PROOFS) for line in lines[at + 1 : at + _NEAR])
    return lines[at].startswith("Events:") and any(
        re.match(_HEAD_OF_EVENTS, line) for line in lines[at + 1 : at + 2]
    )


def _key(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST_KEY_LINE or ":" not in line:
        return None
    return re.fullmatch(_KEY, line.rstrip())

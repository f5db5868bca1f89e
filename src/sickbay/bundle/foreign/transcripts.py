"""Commands with their answers, or words around documents: each document is read as one."""

import io
import re
from collections.abc import Callable, Iterator
from typing import Final

from sickbay.bundle.foreign.appliance_yaml import READER as APPLIANCE
from sickbay.bundle.foreign.leftover import read_rest
from sickbay.bundle.foreign.piece import HEAD, Piece
from sickbay.bundle.foreign.structured import READER as STRUCTURED
from sickbay.bundle.sink import Sink

_LARGEST: Final = 32 * 1024 * 1024
_OPENS: Final = r"[\[{]|(?:- )?apiVersion:|---\s*$"
# Right below a command also the first key of what `-o yaml` or `cat` prints.
_KEY: Final = r"(?:- )?[A-Za-z_][\w.-]*:(?:\s|$)"
_ASKED_KEY: Final = rf"(?m)^.{{0,200}}?[$>#] ?(?:az|kubectl|cat|type) .*\n{_KEY}"
_MARKS: Final = ("\n{", "\n[", "\napiVersion:", "\n- apiVersion:", "\n---")
# What a document of a resource holds, and an error in the middle of a text does not.
_OF_RESOURCE: Final = (
    r"(?m)^[ \"-]*(?:apiVersion\"?:|id\"?: *\"?/subscriptions/|provisioningState\"?:)"
)
_FENCE: Final = "```"
_CLOSES: Final = ("}", "]")
_IN_YAML: Final = r"\s|$|#|-|[\w.\"'/-]+:(?:\s|$)"


class Transcripts:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > _LARGEST or not _may_have_answer(piece.head):
            return False
        return any(_answers(piece.head.split("\n"), piece.source))

    def read(self, piece: Piece, sink: Sink) -> None:
        lines = piece.text().split("\n")
        for first, last, answer in list(_answers(lines, piece.source)):
            reader = APPLIANCE if APPLIANCE.matches(answer) else STRUCTURED
            reader.read(answer, sink)
            # Blank lines in its place: what follows keeps its line number.
            lines[first:last] = [""] * (last - first)
        read_rest(lines, piece, sink)


READER = Transcripts()


def _may_have_answer(head: str) -> bool:
    return any(mark in head for mark in _MARKS) or bool(re.search(_ASKED_KEY, head))


def _answers(lines: list[str], source: str) -> Iterator[tuple[int, int, Piece]]:
    """Documents below a command or between words, with their first line and the one behind."""
    from sickbay.bundle.foreign.kubectl_commands import is_prompt  # noqa: PLC0415 - few have any

    at = 0
    is_asked = False
    while at < len(lines):
        is_key = is_asked and re.match(_KEY, lines[at])
        if not (is_key or re.match(_OPENS, lines[at])):
            is_asked = is_prompt(lines[at]) or (is_asked and not lines[at].strip())
            at += 1
            continue
        first, at = at, _end(lines, at, is_prompt)
        text = "\n".join([*lines[first:at], ""])
        answer = _piece(text, source)
        if (is_asked or re.search(_OF_RESOURCE, text)) and STRUCTURED.matches(answer):
            yield first, at, answer
        is_asked = False


def _end(lines: list[str], first: int, is_prompt: Callable[[str], bool]) -> int:
    """The line behind a document: JSON ends with its bracket, the rest where something begins."""
    is_json = lines[first].startswith(("{", "["))
    for at in range(first + 1, len(lines)):
        if is_prompt(lines[at]) or lines[at].startswith(_FENCE):
            return at
        if is_json and lines[at].rstrip() in _CLOSES:
            return at + 1
        if not is_json and not re.match(_IN_YAML, lines[at]):
            return at
    return len(lines)


def _piece(text: str, source: str) -> Piece:
    data = text.encode("utf-8", "replace")
    return Piece(source, text[:HEAD], lambda: io.BytesIO(data), len(data))

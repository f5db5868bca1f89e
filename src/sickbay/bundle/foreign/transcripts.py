"""Several commands and their answers in one text: documents among them are read as such."""

import io
import re
from collections.abc import Iterator
from typing import Final

from sickbay.bundle.foreign.leftover import read_rest
from sickbay.bundle.foreign.piece import HEAD, Piece
from sickbay.bundle.foreign.structured import READER as STRUCTURED
from sickbay.bundle.sink import Sink

_LARGEST: Final = 32 * 1024 * 1024
_OPENS: Final = r"[\[{]|(?:- )?apiVersion:|---\s*$"
_MARKS: Final = ("\n{", "\n[", "\napiVersion:", "\n- apiVersion:", "\n---")


class Transcripts:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > _LARGEST or not _may_have_answer(piece.head):
            return False
        return any(_answers(piece.head.split("\n"), piece.source))

    def read(self, piece: Piece, sink: Sink) -> None:
        lines = piece.text().split("\n")
        for first, last, answer in list(_answers(lines, piece.source)):
            STRUCTURED.read(answer, sink)
            # Blank lines in its place: what follows keeps its line number.
            lines[first:last] = [""] * (last - first)
        read_rest(lines, piece, sink)


READER = Transcripts()


def _may_have_answer(head: str) -> bool:
    is_command = "kubectl " in head or "az " in head
    return is_command and any(mark in head for mark in _MARKS)


def _answers(lines: list[str], source: str) -> Iterator[tuple[int, int, Piece]]:
    """Documents that stand directly below a command, with their first line and the one behind."""
    from sickbay.bundle.foreign.kubectl_commands import is_prompt  # noqa: PLC0415 - few have any

    at = 0
    while at < len(lines):
        at += 1
        if not is_prompt(lines[at - 1]):
            continue
        while at < len(lines) and not lines[at].strip():
            at += 1
        first = at
        while at < len(lines) and not is_prompt(lines[at]):
            at += 1
        if first < at and re.match(_OPENS, lines[first]):
            answer = _piece("\n".join([*lines[first:at], ""]), source)
            if STRUCTURED.matches(answer):
                yield first, at, answer


def _piece(text: str, source: str) -> Piece:
    data = text.encode("utf-8", "replace")
    return Piece(source, text[:HEAD], lambda: io.BytesIO(data), len(data))

"""Logs of which every line is a JSON object: heard as logs, for no line is a document."""

import json
import re
from typing import Any, Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.foreign.prose import READER as PROSE
from sickbay.bundle.sink import Sink

_SAYS: Final = ("msg", "message", "Message", "@m", "@mt", "log")
_WHEN: Final = ("ts", "time", "timestamp", "@t", "@timestamp", "AgentTimestamp")
# Who says how grave it is writes a log, though the time may stand inside the message.
_HOW_GRAVE: Final = ("LogLevel", "level", "lvl", "severity")
_LINES: Final = 3
_LONGEST_LINE: Final = 32_768


class JsonLog:
    def matches(self, piece: Piece) -> bool:
        if not re.match(r"\{\"[^\n]*\}[ \r]*\n\S", piece.head.lstrip("\ufeff \n")):
            return False
        lines = [line for line in piece.head.split("\n")[:-1] if line.startswith("{")][:_LINES]
        return len(lines) > 1 and all(_is_record(line) for line in lines)

    def read(self, piece: Piece, sink: Sink) -> None:
        PROSE.read(piece, sink)


READER = JsonLog()


def _is_record(line: str) -> bool:
    """Whether a line says something at some time, and is nothing else that we know."""
    value: Any = None
    if len(line) <= _LONGEST_LINE:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return False
    if not isinstance(value, dict) or "id" in value or {"kind", "apiVersion"} <= value.keys():
        return False
    has_said = any(key in value for key in _SAYS)
    return has_said and any(key in value for key in (*_WHEN, *_HOW_GRAVE))

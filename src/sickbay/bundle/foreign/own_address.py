"""The public address of whoever saved the evidence, where a text shows that they looked it up."""

import re
from typing import Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

# Services that answer with the address of whoever asks.
_ASKED: Final = (
    r"\bifconfig\.(?:me|co|io)\b|\bipify\.org\b|\bicanhazip\.com\b|\bipinfo\.io\b|\bcheckip\.\w+"
    r"|\bmyip\.opendns\.com\b|\bwhatismyip|\bident\.me\b|\bipecho\.net\b"
)
_MARKS: Final = ("ifconfig.", "ipify", "icanhazip", "ipinfo.io", "checkip", "myip", "ident.me")
_ADDRESS: Final = r"\W*(?P<address>(?:\d{1,3}\.){3}\d{1,3})\W*$"
_NAMED: Final = (
    r"(?i)(?:my|own|client|caller|public|egress|jump\w*|laptop)[-_ ]?(?:public[-_ ]?)?ip"
)
_NEAR: Final = 4
_SHORT: Final = 64


def note_own_address(piece: Piece, sink: Sink) -> None:
    """Hand on the address below such a question, or in a short file that is called after it."""
    found = _in_name(piece) or _below_question(piece.head)
    if found:
        from sickbay.model.naming import Caller  # noqa: PLC0415 - few texts have one

        address, line = found
        sink.entity(Caller(address=address), Origin(piece.source, f"line {line}"))


def _in_name(piece: Piece) -> tuple[str, int] | None:
    if piece.size is None or piece.size > _SHORT:
        return None
    is_named = re.search(_NAMED, piece.source.rpartition("/")[2])
    found = re.match(_ADDRESS, piece.head.strip()) if is_named else None
    return (found["address"], 1) if found else None


def _below_question(head: str) -> tuple[str, int] | None:
    if not any(mark in head for mark in _MARKS):
        return None
    lines = head.split("\n")
    for at, line in enumerate(lines):
        if not re.search(_ASKED, line):
            continue
        for below, answer in enumerate(lines[at + 1 : at + 1 + _NEAR], at + 2):
            if found := re.match(_ADDRESS, answer.strip()):
                return found["address"], below
    return None

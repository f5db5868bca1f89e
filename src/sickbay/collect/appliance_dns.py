"""A question to a DNS server and its answer, as they go over the wire."""

import struct
from typing import Final

from sickbay.collect.host_dns import judged
from sickbay.collect.host_told import Told
from sickbay.model.probe import Result

_HEADER: Final = ">HHHHHH"
_HEADER_LENGTH: Final = 12
_RECURSE: Final = 0x0100
_ADDRESS: Final = 1
_INTERNET: Final = 1
_POINTER: Final = 0xC0
_FIXED: Final = 10
_CODES: Final = {0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 5: "REFUSED"}


def question_for(name: str, number: int) -> bytes:
    """The question for the addresses of a name."""
    labels = b"".join(
        bytes([len(label)]) + label for label in name.rstrip(".").encode("ascii").split(b".")
    )
    head = struct.pack(_HEADER, number, _RECURSE, 1, 0, 0, 0)
    return head + labels + b"\0" + struct.pack(">HH", _ADDRESS, _INTERNET)


def answer_of(octets: str, number: int) -> Told:
    """What a server answered, from the octets in hexadecimal as `od` prints them."""
    try:
        data = bytes.fromhex("".join(octets.split()))
    except ValueError:
        return Told(Result.SERVER_SILENT)
    if len(data) < _HEADER_LENGTH:
        return Told(Result.SERVER_SILENT)
    own, flags, questions, answers, _, _ = struct.unpack_from(_HEADER, data)
    if own != number:
        return Told(Result.SERVER_FAILED, "an answer to another question")
    code = _CODES.get(flags & 0xF, str(flags & 0xF))
    return judged(code, _addresses(data, questions, answers))


def _addresses(data: bytes, questions: int, answers: int) -> list[str]:
    at = _HEADER_LENGTH
    found: list[str] = []
    try:
        for _ in range(questions):
            at = _after_name(data, at) + 4
        for _ in range(answers):
            at = _after_name(data, at)
            kind, _, _, length = struct.unpack_from(">HHIH", data, at)
            at += _FIXED
            if kind == _ADDRESS:
                found.append(".".join(str(octet) for octet in data[at : at + length]))
            at += length
    except (struct.error, IndexError):
        return found
    return found


def _after_name(data: bytes, at: int) -> int:
    while data[at]:
        if data[at] & _POINTER == _POINTER:
            return at + 2
        at += data[at] + 1
    return at + 1

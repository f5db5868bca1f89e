"""The form of a Sickbay bundle: a tar of parts, packed with zstd, each readable on its own.

A part is UTF-8 text. Its first line is a JSON object with the format's name, its version and the
kind of the part; the rest is one JSON object a line (documents, texts, notes) or a log as it was.
Because every part says what it is, a bundle is read like any other archive, and so is a folder
that somebody unpacked one into.
"""

import json
from typing import Any, Final

from sickbay.bundle.frame import BEGINNING, MARK, Frame
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import Ref
from sickbay.record import NamedTuple

VERSION: Final = 1
PART_BYTES: Final = 8 * 1024 * 1024


class Head(NamedTuple):
    """The first line of a part."""

    part: str  # "documents", "texts", "notes", "log", "about"
    frame: Frame | None = None


def head_line(head: Head) -> bytes:
    frame = head.frame
    body: dict[str, Any] = {MARK: VERSION, "part": head.part}
    if frame is not None:
        body["frame"] = {**frame._asdict(), "about": ref_to(frame.about)}
    return line(body)


def read_head(text: str) -> tuple[int, Head] | None:
    """The version and head that a first line holds, or None if it is no part of a bundle."""
    if not text.startswith(BEGINNING):
        return None
    try:
        body = json.loads(text.partition("\n")[0])
        frame = body.get("frame")
        return int(body[MARK]), Head(str(body["part"]), frame and frame_from(frame))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def line(body: dict[str, Any]) -> bytes:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str)
    # Half a character pair, which no UTF-8 holds, stays the escape that it was in its document.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def ref_to(ref: Ref | None) -> list[str] | None:
    return [ref.kind, ref.id] if ref else None


def ref_from(pair: list[str] | None) -> Ref | None:
    return Ref(*words(pair)) if pair else None


def words(values: list[Any]) -> list[str]:
    """The values, if all are text; a damaged bundle holds anything."""
    if not all(isinstance(value, str) for value in values):
        raise TypeError("a number or a structure where a text belongs")
    return values


def frame_from(body: dict[str, Any]) -> Frame:
    source, channel = words([body["source"], body["channel"]])
    year = body["year"]
    about = ref_from(body["about"])
    return Frame(source, about, channel, year and int(year), int(body["first_line"]))


def text_to(text: Text) -> dict[str, Any]:
    return {**text._asdict(), "origin": list(text.origin), "about": ref_to(text.about)}


def text_from(body: dict[str, Any]) -> Text:
    parts = [body["text"], body["channel"], body["at"], body.get("since", "")]
    text, channel, at, since = words(parts)
    about, origin = ref_from(body["about"]), Origin(*words(body["origin"]))
    return Text(text, origin, about, channel, at, int(body["times"]), since=since)


def gap_to(gap: Gap) -> dict[str, Any]:
    return gap._asdict()


def gap_from(body: dict[str, Any]) -> Gap:
    source, what, to_open = words([body["source"], body["what"], body["to_open"]])
    return Gap(source, what, Reason(body["reason"]), to_open, asked_for=bool(body["asked_for"]))

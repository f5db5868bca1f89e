"""The form of a Sickbay bundle: a tar of parts, packed with zstd, each readable on its own.

A part is UTF-8 text. Its first line is a JSON object with the format's name, its version and the
kind of the part; the rest is one JSON object a line (documents, texts, notes) or a log as it was.
Because every part says what it is, a bundle is read like any other archive, and so is a folder
that somebody unpacked one into.
"""

import json
from typing import Any, Final, NamedTuple

from sickbay.bundle.frame import Frame
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import Ref

MARK: Final = "sickbay.bundle"
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
    if not text.startswith(f'{{"{MARK}":'):
        return None
    try:
        body = json.loads(text.partition("\n")[0])
        frame = body.get("frame")
        if frame is not None:
            frame = Frame(**{**frame, "about": ref_from(frame["about"])})
        return int(body[MARK]), Head(str(body["part"]), frame)
    except (ValueError, KeyError, TypeError):
        return None


def line(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str).encode() + b"\n"


def ref_to(ref: Ref | None) -> list[str] | None:
    return [ref.kind, ref.id] if ref else None


def ref_from(pair: list[str] | None) -> Ref | None:
    return Ref(pair[0], pair[1]) if pair else None


def text_to(text: Text) -> dict[str, Any]:
    return {**text._asdict(), "origin": list(text.origin), "about": ref_to(text.about)}


def text_from(body: dict[str, Any]) -> Text:
    about = ref_from(body.pop("about"))
    return Text(**{**body, "origin": Origin(*body["origin"]), "about": about})


def gap_to(gap: Gap) -> dict[str, Any]:
    return gap._asdict()


def gap_from(body: dict[str, Any]) -> Gap:
    return Gap(**{**body, "reason": Reason(body["reason"])})

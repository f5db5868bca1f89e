"""Parts of our own bundles: replayed into the snapshot as they were recorded."""

import json
from collections.abc import Iterator
from typing import Any

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.frame import BEGINNING
from sickbay.bundle.layout import (
    VERSION,
    Head,
    gap_from,
    read_head,
    text_from,
    words,
)
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Gap, Origin, Reason


class Own:
    def matches(self, piece: Piece) -> bool:
        return piece.head.startswith(BEGINNING)

    def read(self, piece: Piece, sink: Sink) -> None:
        found = read_head(piece.head)
        if found is None:
            what = "a part of a bundle whose first line is damaged"
            sink.gap(Gap(piece.source, what, Reason.MALFORMED, asked_for=True))
            return
        version, head = found
        if version > VERSION:
            what = f"made by a newer Sickbay (bundle version {version}, this one reads {VERSION})"
            to_open = "read it with a newer version of sickbay"
            sink.gap(Gap(piece.source, what, Reason.NOT_UNDERSTOOD, to_open, asked_for=True))
        elif head.part == "log":
            _replay_log(piece, head, sink)
        else:
            _replay_lines(piece, head, sink)


READER = Own()


def _replay_log(piece: Piece, head: Head, sink: Sink) -> None:
    if head.frame is not None:
        sink.log(_after_first_line(piece.blocks()), head.frame)


def _after_first_line(blocks: Iterator[bytes]) -> Iterator[bytes]:
    for block in blocks:
        _, found, rest = block.partition(b"\n")
        if found:
            yield rest
            break
    yield from blocks


def _replay_lines(piece: Piece, head: Head, sink: Sink) -> None:
    with piece.open() as reader:
        reader.readline()
        for number, line in enumerate(reader, 2):
            try:
                _replay(json.loads(line), head.part, sink)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                what = f"line {number} is damaged: {error}"
                sink.gap(Gap(piece.source, what, Reason.MALFORMED, asked_for=True))


def _replay(body: dict[str, Any], part: str, sink: Sink) -> None:
    if part == "texts":
        sink.text(text_from(body))
    elif part == "documents":
        _replay_document(body, sink)
    elif "seen" in body:
        sink.seen(*words(body["seen"]))
    elif "file" in body:
        sink.file(*words([body["file"]]))
    elif "gap" in body:
        sink.gap(gap_from(body["gap"]))


def _replay_document(body: dict[str, Any], sink: Sink) -> None:
    form, origin = body["form"], Origin(*words(body["origin"]))
    if form == "arm":
        sink.arm(body["body"], origin)
    elif form == "kube":
        sink.kube(body["body"], origin)
    elif form == "event":
        sink.event(body["body"], origin)
    else:
        from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
        from sickbay.model.kinds import class_named  # noqa: PLC0415

        entity = convert(body["body"], class_named(form)).value
        if entity is not None:
            sink.entity(entity, origin)

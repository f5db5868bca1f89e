"""Reads a text as a file, and keeps what the readers made of it."""

import io
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from sickbay.bundle.build import Builder
from sickbay.bundle.files import Evidence
from sickbay.bundle.foreign import read
from sickbay.bundle.frame import Frame
from sickbay.model.evidence import Text
from sickbay.model.snapshot import Snapshot


class Ear:
    """Hears every text, and remembers it."""

    def __init__(self) -> None:
        self.texts: list[Text] = []
        self.logs: list[tuple[str, Frame]] = []

    def add(self, text: Text) -> None:
        self.texts.append(text)

    def scan_blocks(self, blocks: Iterator[bytes], frame: Frame) -> None:
        self.logs.append((b"".join(blocks).decode(), frame))


class Made(NamedTuple):
    """What became of some files."""

    snapshot: Snapshot
    texts: list[Text]
    logs: list[tuple[str, Frame]]

    @property
    def not_understood(self) -> list[str]:
        return [gap.what for gap in self.snapshot.gaps if gap.asked_for]


def made_of(files: dict[str, str]) -> Made:
    """Read some files, in the order in which they are given."""
    ear = Ear()
    builder = Builder(ear)
    for source, text in files.items():
        data = text.encode()
        read(Evidence(source, len(data), partial(io.BytesIO, data)), builder)
    return Made(builder.finish(), ear.texts, ear.logs)


def made(text: str, source: str = "saved.json") -> Made:
    """Read one file."""
    return made_of({source: text})

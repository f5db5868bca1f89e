"""`kubectl cluster-info dump` in one stream: lists of objects, and the logs of each container."""

import io
import re
from collections.abc import Iterator
from typing import Final

from sickbay.bundle.foreign.owner import channel_of
from sickbay.bundle.foreign.piece import HEAD, Piece
from sickbay.bundle.foreign.prose import READER as PROSE
from sickbay.bundle.foreign.structured import READER as STRUCTURED
from sickbay.bundle.frame import Frame
from sickbay.bundle.sink import Sink
from sickbay.model.ids import kube

_START: Final = b"==== START logs for container "
_END: Final = b"==== END logs for container "
_OPENS: Final = r'\s*\{\s*"kind": ?"NodeList"'
_HEADING: Final = r"([\w.-]{1,253}) of pod ([\w.-]{1,253})/([\w.-]{1,253}) ===="
_LONGEST_HEADING: Final = 1_000
_MOST_DOCUMENTS: Final = 256 * 1024 * 1024


class ClusterDump:
    def matches(self, piece: Piece) -> bool:
        if _START.decode() in piece.head:
            return True
        # The logs of a large cluster begin far behind the list of its nodes.
        is_long = piece.size is not None and piece.size > HEAD
        return is_long and re.match(_OPENS, piece.head) is not None

    def read(self, piece: Piece, sink: Sink) -> None:
        stream = _Stream(piece.blocks())
        while not stream.is_over:
            first = stream.line
            _read_documents(b"".join(_bounded(stream.until(_START))), piece.source, first, sink)
            if stream.is_over:
                return
            heading = stream.rest_of_line()
            found = re.match(_HEADING, heading)
            about = kube("Pod", found[2], found[3]) if found else None
            channel = channel_of(f"{found[3]}/{found[1]}") if found else "log"
            sink.log(stream.until(_END), Frame(piece.source, about, channel, None, stream.line))
            stream.rest_of_line()


READER = ClusterDump()


class _Stream:
    """A text in blocks, read up to one mark after another."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._held = b""
        self._at = 0
        self.line = 1
        self.is_over = False

    def until(self, mark: bytes) -> Iterator[bytes]:
        """Yield what stands before a mark, or the rest, and step behind it."""
        while True:
            at = self._held.find(mark, self._at)
            if at >= 0:
                yield self._taken(at)
                self._at += len(mark)
                return
            # The mark may begin in this block and end in the next.
            yield self._taken(max(self._at, len(self._held) - len(mark) + 1))
            if not self._more():
                yield self._taken(len(self._held))
                self.is_over = True
                return

    def rest_of_line(self) -> str:
        while b"\n" not in self._held[self._at : self._at + _LONGEST_HEADING] and self._more():
            pass
        end = self._held.find(b"\n", self._at, self._at + _LONGEST_HEADING) + 1
        taken = self._taken(end or min(len(self._held), self._at + _LONGEST_HEADING))
        return taken.decode("utf-8", "replace")

    def _more(self) -> bool:
        block = next(self._blocks, b"")
        self._held, self._at = self._held[self._at :] + block, 0
        return bool(block)

    def _taken(self, end: int) -> bytes:
        data, self._at = self._held[self._at : end], end
        self.line += data.count(b"\n")
        return data


def _bounded(blocks: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for block in blocks:
        size += len(block)
        if size <= _MOST_DOCUMENTS:
            yield block


def _read_documents(data: bytes, source: str, first_line: int, sink: Sink) -> None:
    """Read the lists between the logs; what is no JSON is heard."""
    if not data.strip():
        return
    head = data[:HEAD].decode("utf-8", "replace")
    part = Piece(source, head, lambda: io.BytesIO(data), len(data))
    if STRUCTURED.matches(part):
        STRUCTURED.read(part, sink)
    elif first_line == 1:
        PROSE.read(part, sink)
    else:
        sink.log(iter([data]), Frame(source, None, "log", None, first_line))

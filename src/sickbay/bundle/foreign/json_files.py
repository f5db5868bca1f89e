"""JSON files of any size: long lists element by element, other documents one by one."""

import io
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec

from sickbay.bundle.foreign.kube_values import ListScopes
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.foreign.scopes import is_whole, note_list
from sickbay.bundle.foreign.together import Take, taken_together
from sickbay.bundle.foreign.values import is_resource, is_taken, note_unknown, take
from sickbay.bundle.frame import Frame
from sickbay.bundle.jsondocuments import BREAKS_OFF
from sickbay.bundle.jsonstream import Broken, Items, Junk, Truncated, pieces
from sickbay.bundle.sink import Sink
from sickbay.bundle.tolerant import decoded
from sickbay.model.evidence import Gap, Origin, Reason
from sickbay.model.ids import Ref, arm
from sickbay.model.kinds import kube_class


class _Head(msgspec.Struct, gc=False, rename="camel"):
    """What tells a Kubernetes object's kind and place."""

    kind: str = ""
    api_version: str = ""
    metadata: "_Place | None" = None


class _Place(msgspec.Struct, gc=False, rename="camel"):
    namespace: str | None = None


_HEAD: Final = msgspec.json.Decoder(_Head)


def read(piece: Piece, sink: Sink) -> None:
    """Read every document of a file.

    What breaks off or is no JSON is a gap, and its text is still heard.
    """
    with _utf8(piece) as reader:
        number = 0
        try:
            for part in pieces(reader, piece.size):
                locator = "$" if number == 0 else f"document {number + 1} $"
                if number == 0 and isinstance(part, Junk):
                    _admit(part, piece.source, sink)
                number += 1
                _read_part(part, piece.source, sink, locator)
        except Broken as broken:
            reason = Reason.TRUNCATED if isinstance(broken, Truncated) else Reason.MALFORMED
            hint = "save it again, to its end"
            sink.gap(Gap(piece.source, f"breaks off: {broken}", reason, hint, asked_for=True))
            _hear(piece, sink)


def _admit(junk: Junk, source: str, sink: Sink) -> None:
    """What a file begins with is the document itself; later junk is what a log holds."""
    if junk.why and junk.why != BREAKS_OFF:
        sink.gap(Gap(source, f"$ {junk.why}", Reason.MALFORMED, asked_for=True))


def _read_part(part: Items | bytes | Junk, source: str, sink: Sink, locator: str) -> None:
    if isinstance(part, Items):
        is_kube = part.path.endswith(".items")
        _read_kube(part, source, sink) if is_kube else _read_items(part, source, sink)
    elif isinstance(part, Junk):
        sink.log(iter([bytes(part)]), Frame(source, channel="log"))
    else:
        take(decoded(part), source, sink, locator)


def _read_items(items: Items, source: str, sink: Sink) -> None:
    resources: list[Ref] = []
    together: dict[Take, list[dict[str, Any]]] = {}
    first_unknown = ""
    unknown = count = 0
    for index, raw in items.items:
        count += 1
        value = decoded(raw)
        if take_them := taken_together(value):
            together.setdefault(take_them, []).append(value)
            continue
        if is_resource(value):
            resources.append(arm(value["id"]))
        place = Origin(source, f"{items.path}[{index}]")
        if not is_taken(value, place, sink, depth=1):
            first_unknown = first_unknown or place.locator
            unknown += 1
    note_unknown(first_unknown, unknown, source, sink)
    for take_them, values in together.items():
        take_them(values, Origin(source, items.path), sink)
    if is_whole(items.header):
        note_list(resources, sink)
    if not count:
        _note_empty(items, source, sink)


def _note_empty(items: Items, source: str, sink: Sink) -> None:
    sink.gap(Gap(source, f"{items.path} is an empty list", Reason.NOT_UNDERSTOOD))


def _read_kube(items: Items, source: str, sink: Sink) -> None:
    hint = items.kind_hint().removesuffix("List")
    scopes = ListScopes()
    version_of_list = str(items.header.get("apiVersion") or "")
    for index, raw in items.items:
        head = _head(raw)
        kind = head.kind or hint
        version = head.api_version or (version_of_list if not head.kind else "")
        scopes.add(kind, version, (head.metadata and head.metadata.namespace) or "")
        origin = Origin(source, f"{items.path}[{index}]")
        if version and not head.api_version and kube_class(kind, version).group:
            # Only its group tells this kind from others of the same name.
            sink.kube({"apiVersion": version, "kind": kind, **msgspec.json.decode(raw)}, origin)
            continue
        sink.kube_raw(kind, raw, origin)
    metadata = items.header.get("metadata")
    if not (isinstance(metadata, dict) and metadata.get("continue")):
        scopes.note(sink, hint)


def _head(raw: bytes) -> _Head:
    try:
        return _HEAD.decode(raw)
    except msgspec.ValidationError:
        return _Head()


def _hear(piece: Piece, sink: Sink) -> None:
    sink.log(piece.blocks(), Frame(piece.source, channel="document"))


def _utf8(piece: Piece) -> BinaryIO:
    reader = piece.open()
    start = reader.read(4)
    reader.close()
    if start[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in start:
        return io.BufferedReader(_Blocks(piece.blocks()))
    return piece.open()


class _Blocks(io.RawIOBase):
    """Blocks of bytes, read as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        super().__init__()
        self._blocks = blocks
        self._held = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        if not self._held:
            self._held = memoryview(next(self._blocks, b""))
        taken = self._held[: len(view)]
        view[: len(taken)] = taken
        self._held = self._held[len(taken) :]
        return len(taken)

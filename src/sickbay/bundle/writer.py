"""Writes a bundle as a stream, redacted on the way in.

A `Recorder` takes what readers and sources hand in, as a `Builder` does, and writes it down
instead; replaying the bundle makes the same calls. The file appears under its name only when it is
complete.
"""

import io
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self

import msgspec

from sickbay import __version__
from sickbay.bundle.frame import Frame
from sickbay.bundle.layout import PART_BYTES, Head, gap_to, head_line, line, text_to
from sickbay.bundle.packing import compressed
from sickbay.bundle.redact import Redactor
from sickbay.bundle.seams import parts
from sickbay.bundle.tolerant import decoded
from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Origin, Text
from sickbay.model.ids import Ref

if TYPE_CHECKING:
    from sickbay.model.entity import Entity

_MODE: Final = 0o600


class Recorder:
    """Writes evidence into a bundle."""

    def __init__(
        self, path: str, redactor: Redactor, noted: Callable[[Gap], None] = lambda _: None
    ) -> None:
        self._path = path
        self._redactor = redactor
        self._noted = noted
        self._parts: dict[str, bytearray] = {}
        self._number = 0
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
        with self._writing():
            handle, self.unfinished = tempfile.mkstemp(dir=folder, prefix=".sickbay-")
        self._file: BinaryIO = os.fdopen(handle, "wb")
        self._packed = compressed(self._file)
        self._tar = tarfile.open(fileobj=self._packed, mode="w|")  # noqa: SIM115
        self._write(Head("about"), line({"made_by": f"sickbay {__version__}"}))
        self.texts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finish the file, or leave nothing behind."""
        try:
            if kind is None:
                self._finish()
        finally:
            with suppress(OSError):
                self._file.close()
            with suppress(FileNotFoundError):
                os.unlink(self.unfinished)  # noqa: PTH108

    def _finish(self) -> None:
        for part in list(self._parts):
            self._flush(part)
        with self._writing():
            self._tar.close()
            self._packed.close()
            self._file.close()
            os.replace(self.unfinished, self._path)  # noqa: PTH105

    def file(self, source: str) -> None:
        self._add("notes", {"file": self._redactor.text(source)})

    def text(self, text: Text) -> None:
        self.texts += 1
        self._add("texts", self._redactor.document(text_to(text)))

    def log(self, blocks: Iterator[bytes], frame: Frame) -> None:
        """Write a log in parts; no secret lies across two of them."""
        self.texts += 1
        clean_frame = self._cleaned(frame)
        lines_before = frame.first_line
        for chunk in parts(blocks, PART_BYTES, self._redactor.text):
            clean = self._redactor.text(chunk.decode("utf-8", "replace")).encode()
            self._write(Head("log", clean_frame._replace(first_line=lines_before)), clean)
            lines_before += chunk.count(b"\n")

    def seen(self, kind: str, scope: str = "") -> None:
        self._add("notes", {"seen": [kind, self._redactor.text(scope)]})

    def gap(self, gap: Gap) -> None:
        self._noted(gap)
        self._add("notes", {"gap": self._redactor.document(gap_to(gap))})

    def arm(self, body: dict[str, Any], origin: Origin) -> None:
        self._document("arm", body, origin)

    def event(self, body: dict[str, Any], origin: Origin) -> None:
        # Claims tell everything about who asked, and nothing about what went wrong.
        kept = {name: member for name, member in body.items() if name.casefold() != "claims"}
        self._document("event", kept, origin)

    def kube(self, body: dict[str, Any], origin: Origin) -> None:
        metadata = body.get("metadata")
        if isinstance(metadata, dict) and "managedFields" in metadata:
            # Who wrote which field: nothing asks for it, and it is half of an object.
            rest = {key: value for key, value in metadata.items() if key != "managedFields"}
            body = {**body, "metadata": rest}
        self._document("kube", body, origin)

    def kube_raw(self, kind: str, raw: bytes, origin: Origin) -> None:
        body = decoded(bytes(raw))
        self.kube({"kind": kind, **(body if isinstance(body, dict) else {})}, origin)

    def entity(self, entity: "Entity", origin: Origin) -> None:
        self._document(type(entity).__name__, msgspec.to_builtins(entity), origin)

    def _document(self, form: str, body: dict[str, Any], origin: Origin) -> None:
        clean = self._redactor.document(body)
        place = [self._redactor.text(word) for word in origin]
        self._add("documents", {"form": form, "origin": place, "body": clean})

    def _cleaned(self, frame: Frame) -> Frame:
        about = frame.about
        return frame._replace(
            source=self._redactor.text(frame.source),
            about=Ref(about.kind, self._redactor.text(about.id)) if about else None,
        )

    def _add(self, part: str, body: dict[str, Any]) -> None:
        buffer = self._parts.setdefault(part, bytearray())
        buffer += line(body)
        if len(buffer) >= PART_BYTES:
            self._flush(part)

    def _flush(self, part: str) -> None:
        self._write(Head(part), bytes(self._parts.pop(part)))

    def _write(self, head: Head, body: bytes) -> None:
        data = head_line(head) + body
        self._number += 1
        member = tarfile.TarInfo(f"{self._number:06d}-{head.part}.txt")
        member.size = len(data)
        member.mode = _MODE
        with self._writing():
            self._tar.addfile(member, io.BytesIO(data))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """What goes wrong with the file is for the user to mend: a full disk, a missing folder."""
        try:
            yield
        except OSError as error:
            problem = error.strerror or str(error)
            raise SickbayError(f"{self._path} cannot be written", problem) from error

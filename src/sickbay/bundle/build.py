"""Gathers evidence into a snapshot.

Readers hand in documents, texts and logs; nothing here opens a file.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Protocol

from sickbay.bundle.frame import Frame
from sickbay.model.evidence import Gap, Origin, Text
from sickbay.model.snapshot import Seen, Snapshot

if TYPE_CHECKING:
    from sickbay.bundle.documents import Documents
    from sickbay.model.entity import Entity


_ROWS: Final = ("EndpointsRow", "NodeRow", "PodRow", "ServiceRow")


class Listener(Protocol):
    """What hears every text while the snapshot is being built: the scanner."""

    def add(self, text: Text) -> None: ...
    def scan_blocks(self, blocks: Iterator[bytes], frame: Frame) -> None: ...


class Deaf:
    """Hears nothing: for questions that only documents answer."""

    def add(self, text: Text) -> None:
        pass

    def scan_blocks(self, blocks: Iterator[bytes], frame: Frame) -> None:
        pass


class Builder:
    """A snapshot in the making."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        # Rows of tables are kept where somebody saved some, and missed by nobody.
        self._seen: set[Seen] = {Seen(kind) for kind in _ROWS}
        self._gaps: list[Gap] = []
        self._documents: Documents | None = None
        self.files = 0
        self.texts = 0

    def file(self, source: str) -> None:  # noqa: ARG002 - a bundle writes it down
        """Count a file that was handed in."""
        self.files += 1

    def text(self, text: Text) -> None:
        """Take a message."""
        self.texts += 1
        self._listener.add(text)

    def log(self, blocks: Iterator[bytes], frame: Frame) -> None:
        """Take a text of any size, in blocks of UTF-8."""
        self.texts += 1
        self._listener.scan_blocks(blocks, frame)

    def seen(self, kind: str, scope: str = "") -> None:
        """Note that a kind was read to its end within a scope."""
        self._seen.add(Seen(kind, scope))

    def gap(self, gap: Gap) -> None:
        self._gaps.append(gap)

    @property
    def not_understood(self) -> int:
        """How many sources were handed in and could not be read, or not to their end."""
        return len({gap.source for gap in self._gaps if gap.asked_for})

    def arm(self, body: dict[str, Any], origin: Origin) -> None:
        """Take an Azure resource, as REST or as `az` prints it."""
        self._store().arm(body, origin)

    def event(self, body: dict[str, Any], origin: Origin) -> None:
        """Take an event of the activity log: what it says of a failure, or of a good end."""
        from sickbay.bundle.foreign.activity import hear_event  # noqa: PLC0415 - few texts have one

        hear_event(body, origin, self)

    def kube(self, body: dict[str, Any], origin: Origin) -> None:
        """Take a Kubernetes object."""
        self._store().kube(body, origin)

    def kube_raw(self, kind: str, raw: bytes, origin: Origin) -> None:
        """Take a Kubernetes object of a known kind, still encoded."""
        self._store().kube_raw(kind, raw, origin)

    def entity(self, entity: "Entity", origin: Origin) -> None:
        """Take an entity that a reader has made."""
        self._store().entity(entity, origin)

    def finish(self) -> Snapshot:
        """Return the snapshot."""
        if self._documents is None:
            return Snapshot(seen=self._seen, gaps=self._gaps)
        return Snapshot(
            self._documents.entities,
            seen=self._seen,
            origins=self._documents.origins,
            gaps=self._gaps,
        )

    def _store(self) -> "Documents":
        if self._documents is None:
            # A pasted text has no documents, and decoding them costs most of a fast start.
            from sickbay.bundle.documents import Documents  # noqa: PLC0415

            self._documents = Documents(self.text, self.gap)
        return self._documents

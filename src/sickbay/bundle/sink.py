"""Where readers put evidence: a snapshot in the making, or a bundle being written."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from sickbay.bundle.frame import Frame
from sickbay.model.evidence import Gap, Origin, Text

if TYPE_CHECKING:
    from sickbay.model.entity import Entity


class Sink(Protocol):
    """Takes evidence, a piece at a time."""

    def text(self, text: Text) -> None:
        """Take a message."""

    def log(self, blocks: Iterator[bytes], frame: Frame) -> None:
        """Take a text of any size, in blocks of UTF-8."""

    def file(self, source: str) -> None:
        """Note a file that was handed in."""

    def seen(self, kind: str, scope: str = "") -> None:
        """Note that a kind was read to its end within a scope."""

    def gap(self, gap: Gap) -> None:
        """Note what could not be read."""

    def arm(self, body: dict[str, Any], origin: Origin) -> None:
        """Take an Azure resource, as REST or as `az` prints it."""

    def event(self, body: dict[str, Any], origin: Origin) -> None:
        """Take an event of the activity log, as REST or as `az` prints it."""

    def kube(self, body: dict[str, Any], origin: Origin) -> None:
        """Take a Kubernetes object."""

    def kube_raw(self, kind: str, raw: bytes, origin: Origin) -> None:
        """Take a Kubernetes object of a known kind, still encoded."""

    def entity(self, entity: "Entity", origin: Origin) -> None:
        """Take an entity that a reader has made."""

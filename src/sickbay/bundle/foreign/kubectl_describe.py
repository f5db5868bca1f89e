"""Texts with descriptions of `kubectl describe`, told apart from others quickly."""

from typing import Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink

_MARKS: Final = ("\nLabels:", "\nAnnotations:", "\nNamespace:")
_LARGEST: Final = 32 * 1024 * 1024


class KubectlDescribe:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > _LARGEST or not _may_have_description(piece.head):
            return False
        from sickbay.bundle.foreign.kubectl_descriptions import (  # noqa: PLC0415 - most have none
            has_descriptions,
        )

        return has_descriptions(piece.head)

    def read(self, piece: Piece, sink: Sink) -> None:
        from sickbay.bundle.foreign.kubectl_descriptions import read_descriptions  # noqa: PLC0415

        read_descriptions(piece, sink)


READER = KubectlDescribe()


def _may_have_description(head: str) -> bool:
    if "Events:\n" in head:
        return True
    is_named = head.startswith("Name:") or "\nName:" in head
    return is_named and any(mark in head for mark in _MARKS)

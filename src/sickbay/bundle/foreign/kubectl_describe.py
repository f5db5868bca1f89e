"""Texts with descriptions of `kubectl describe`, told apart from others quickly."""

from typing import Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink

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
    is_named = head.startswith("Name:") or "\nName:" in head
    return is_named and ("\nLabels:" in head or "\nAnnotations:" in head)

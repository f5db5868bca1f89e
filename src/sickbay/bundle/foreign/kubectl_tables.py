"""Texts with tables of `kubectl get`, told apart from others quickly."""

from typing import Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink

_LARGEST: Final = 32 * 1024 * 1024
_MARKS: Final = ("NAME", "LAST SEEN", "No resources found")


class KubectlTables:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > _LARGEST or not _may_have_table(piece.head):
            return False
        from sickbay.bundle.foreign.kubectl_lists import has_lists  # noqa: PLC0415 - most have none

        return has_lists(piece.head)

    def read(self, piece: Piece, sink: Sink) -> None:
        from sickbay.bundle.foreign.kubectl_lists import read_lists  # noqa: PLC0415

        read_lists(piece, sink)


READER = KubectlTables()


def _may_have_table(head: str) -> bool:
    return any(head.startswith(mark) or f"\n{mark}" in head for mark in _MARKS)

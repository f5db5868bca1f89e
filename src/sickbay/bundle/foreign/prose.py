"""Any text: logs, pasted errors, notes.

Every record of it is heard; nothing is asked of its form.
"""

from typing import TYPE_CHECKING

from sickbay.bundle.foreign.own_address import note_own_address
from sickbay.bundle.foreign.owner import owner_of
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.frame import Frame

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink


class Prose:
    def matches(self, piece: Piece) -> bool:  # noqa: ARG002
        return True

    def read(self, piece: Piece, sink: "Sink") -> None:
        note_own_address(piece, sink)
        owner = owner_of(piece.source, piece.head)
        sink.log(piece.blocks(), Frame(piece.source, owner.about, owner.channel))


READER = Prose()

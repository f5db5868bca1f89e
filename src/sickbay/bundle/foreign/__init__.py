"""Other people's files, read as ours.

What a file is, is told by its content; whose it is may come from its path.
"""

from importlib import import_module
from typing import Final

from sickbay.bundle.encoding import decode, is_binary
from sickbay.bundle.files import Evidence
from sickbay.bundle.foreign.piece import HEAD, Piece, Reader
from sickbay.bundle.layout import BEGINNING
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Gap, Reason

# Most telling first: the first that recognises a file reads it. `prose` takes any text.
READERS: Final = (
    "own",
    "appliance_yaml",
    "cluster_dump",
    "collectors",
    "aso_log",
    "structured",
    "az_debug",
    "transcripts",
    "az_tables",
    "kubectl_describe",
    "kubectl_tables",
    "ipam",
    "prose",
)


def read(evidence: Evidence, sink: Sink) -> None:
    """Read one file into a snapshot in the making, or note why it could not be."""
    try:
        with evidence.open() as reader:
            head = reader.read(HEAD)
        if not head.startswith(BEGINNING.encode()):
            # A part of a bundle is no file of the user's; the bundle notes what it was made of.
            sink.file(evidence.source)
    except OSError as error:
        sink.file(evidence.source)
        sink.gap(_gap(evidence.source, f"cannot be read: {error}", Reason.MALFORMED))
        return
    if is_binary(head):
        sink.gap(_gap(evidence.source, "binary, of no kind that is read", Reason.NOT_UNDERSTOOD))
        return
    piece = Piece(evidence.source, decode(head), evidence.open, evidence.size)
    read_piece(piece, sink)


def read_piece(piece: Piece, sink: Sink) -> None:
    """Find the reader of a file by its content, and let it read."""
    for name in READERS:
        reader = _reader(name)
        if reader.matches(piece):
            reader.read(piece, sink)
            return


def _reader(name: str) -> Reader:
    module = import_module(f"{__name__}.{name}")
    reader: Reader = module.READER
    return reader


def _gap(source: str, what: str, reason: Reason) -> Gap:
    return Gap(source, what, reason, "save it again as text or JSON", asked_for=True)

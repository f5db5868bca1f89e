"""Other people's files, read as ours.

What a file is, is told by its content; whose it is may come from its path.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from sickbay.bundle.encoding import decode, is_binary
from sickbay.bundle.foreign.piece import HEAD, Piece, Reader
from sickbay.bundle.frame import BEGINNING
from sickbay.bundle.intake import Evidence
from sickbay.model.evidence import Gap, Reason

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink

# Most telling first: the first that recognises a file reads it. Beside each stand words of which
# its files hold at least one, so that most readers need not even be imported to say no; without
# words, any text may be one of its files.
READERS: Final[dict[str, tuple[str, ...]]] = {
    "own": (BEGINNING,),
    "quoted": ("\n>", "\n >"),
    "wrapped": ("\n",),
    "appliance_yaml": (
        "provider:",
        "k8snodeippoolstart",
        "onfigPath:",
        "onfigFilePath:",
        "applianceResourceFilePath:",
        "applianceCluster",
        "subscription:",
        "subscriptionId:",
        "VirtualMachine.",
        "System.View",
    ),
    "cluster_dump": ("==== START logs for container ", '"NodeList"'),
    "collectors": ("{", "["),
    "aso_log": (
        "Encountered error impacting Ready condition",
        "Successfully sent resource to Azure",
        "CreateOrUpdateActionError",
        "Using credential from",
        "Error during Delete",
    ),
    "json_log": ('{"',),
    "nat_rules": ("KUBE-S", "kube-proxy {", "IP Virtual Server version"),
    "structured": ("{", "[", ":"),
    "az_debug": ("cli.knack.cli", "sdk.policies", "http_logg", "urllib3.connectionpool"),
    "transcripts": ("\n{", "\n[", "\napiVersion:", "\n- apiVersion:", "\n---", "$ ", "> "),
    "az_tables": ("\n--",),
    "fragments": ('": ', '":"', '":{'),
    "kubectl_describe": ("Name:", "Events:"),
    "kubectl_tables": ("NAME", "LAST SEEN", "No resources found"),
    "ipam": ("last_reserved_ip", "/cni/networks", "POD ID", "CONTAINER ", "k8s_POD_"),
    "prose": (),
}


def read(evidence: Evidence, sink: "Sink") -> None:
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
    piece = Piece(evidence.source, decode(head), evidence.open, evidence.size, sink.gap)
    read_piece(piece, sink)


def read_piece(piece: Piece, sink: "Sink") -> None:
    """Find the reader of a file by its content, and let it read."""
    for name, words in READERS.items():
        if words and not any(word in piece.head for word in words):
            continue
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

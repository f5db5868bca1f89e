"""JSON and YAML of any origin.

Azure resources and lists, Kubernetes objects and lists, error bodies, operations.
"""

import re
from typing import TYPE_CHECKING, Final

from sickbay.bundle.foreign.piece import Piece

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink

# Kept as text: most files are neither, and compiling costs time.
_YAML: Final = r"\A(?:\s*#.*\n|\s*---.*\n)*(?:- )?(?:[\"']?[A-Za-z_@][\w.@/-]*[\"']?):(?:\s|$)"
_YAML_TELLS: Final = (
    # In a list the keys of an item stand two blanks in, and the first of them may be any.
    r"(?m)^(?:- |  )?(?:apiVersion|kind|id|items|value|metadata|provisioningState|"
    r"applianceClusterId|applianceConfigFilePath|vsphereprovider|infraConfigPath|"
    r"agentPoolProfiles|azurestackhciprovider|currentValue):"
)


class Structured:
    def matches(self, piece: Piece) -> bool:
        start = piece.head.lstrip("\ufeff \t\r\n")[:1]
        if start in ("{", "["):
            return _opens_json(piece.head)
        # What stands in a fence is for the reader of texts with documents in them.
        if not _may_be_yaml(piece.head) or "\n```" in piece.head:
            return False
        return bool(re.match(_YAML, piece.head) and re.search(_YAML_TELLS, piece.head))

    def read(self, piece: Piece, sink: "Sink") -> None:
        if piece.head.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
            _read_json(piece, sink)
        else:
            _read_yaml(piece, sink)


READER = Structured()


def _may_be_yaml(head: str) -> bool:
    """Whether the first line is no sentence: a comment, a separator, or a key before a colon."""
    line, _, _ = head.lstrip().partition("\n")
    return line.startswith(("#", "---")) or " " not in line.removeprefix("- ").partition(":")[0]


def _opens_json(head: str) -> bool:
    """Whether a text that starts with a bracket is JSON; `[INFO] …` and `[12.3] …` are logs."""
    return bool(
        re.match(
            r'\s*(?:\{\s*(?:"|\})|\[\s*(?:[\{\["\]]|(?:-?\d[\d.eE+-]*|null|true|false)\s*(?:,|\]?\s*$)))',
            head.lstrip("\ufeff"),
        )
    )


def _read_json(piece: Piece, sink: "Sink") -> None:
    from sickbay.bundle.foreign import json_files  # noqa: PLC0415 - msgspec is not needed for text

    json_files.read(piece, sink)


def _read_yaml(piece: Piece, sink: "Sink") -> None:
    from sickbay.bundle.foreign import yaml_files  # noqa: PLC0415 - yaml is slow to import
    from sickbay.bundle.foreign.values import take  # noqa: PLC0415

    for value in yaml_files.documents(piece, sink):
        take(value, piece.source, sink)

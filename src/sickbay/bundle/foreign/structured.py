"""JSON and YAML of any origin.

Azure resources and lists, Kubernetes objects and lists, error bodies, operations.
"""

import re
from typing import Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink

_YAML: Final = re.compile(
    r"\A(?:\s*#.*\n|\s*---.*\n)*(?:- )?(?:[\"']?[A-Za-z_@][\w.@/-]*[\"']?):(?:\s|$)"
)
_YAML_TELLS: Final = re.compile(
    r"(?m)^(?:- )?(?:apiVersion|kind|id|items|value|metadata|provisioningState|applianceClusterId|"
    r"applianceConfigFilePath|vsphereprovider|infraConfigPath|agentPoolProfiles|azurestackhciprovider):"
)


class Structured:
    def matches(self, piece: Piece) -> bool:
        start = piece.head.lstrip("\ufeff \t\r\n")[:1]
        if start in ("{", "["):
            return _opens_json(piece.head)
        return bool(_YAML.match(piece.head) and _YAML_TELLS.search(piece.head))

    def read(self, piece: Piece, sink: Sink) -> None:
        if piece.head.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
            _read_json(piece, sink)
        else:
            _read_yaml(piece, sink)


READER = Structured()


def _opens_json(head: str) -> bool:
    """Whether a text that starts with a bracket is JSON, not a log line such as `[INFO] …`."""
    return bool(
        re.match(
            r'\s*(?:\{\s*(?:"|\})|\[\s*(?:[\{\["\]]|-?\d|null|true|false))', head.lstrip("\ufeff")
        )
    )


def _read_json(piece: Piece, sink: Sink) -> None:
    from sickbay.bundle.foreign import json_files  # noqa: PLC0415 - msgspec is not needed for text

    json_files.read(piece, sink)


def _read_yaml(piece: Piece, sink: Sink) -> None:
    from sickbay.bundle.foreign import yaml_files  # noqa: PLC0415 - yaml is slow to import
    from sickbay.bundle.foreign.values import take  # noqa: PLC0415

    for value in yaml_files.documents(piece, sink):
        take(value, piece.source, sink)

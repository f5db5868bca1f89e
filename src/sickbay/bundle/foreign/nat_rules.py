"""What a node's kernel does with the addresses of services.

As `iptables-save`, `iptables -L`, `nft list ruleset` and `ipvsadm -Ln` print it; rules compare it
with the services that the cluster has.
"""

import re
from typing import TYPE_CHECKING, Final

from sickbay.bundle.foreign.ipam import whose
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.foreign.prose import READER as PROSE
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sickbay.model.exposure import NatRules

_LARGEST: Final = 64 * 1024 * 1024
_MARKS: Final = (
    r"(?m)^:KUBE-SERVICES |^-A KUBE-(?:SERVICES|SVC-\w+|SEP-\w+) |^Chain KUBE-SERVICES \("
    r"|^[ \t]*chain KUBE-SERVICES \{|^table ip6? kube-proxy \{|^IP Virtual Server version "
)


class NatRulesReader:
    def matches(self, piece: Piece) -> bool:
        is_bounded = piece.size is not None and piece.size <= _LARGEST
        return is_bounded and re.search(_MARKS, piece.head) is not None

    def read(self, piece: Piece, sink: Sink) -> None:
        for rules in _rules(piece.text(), *whose(piece)):
            sink.entity(rules, Origin(piece.source, "line 1"))
        PROSE.read(piece, sink)


READER = NatRulesReader()


def _rules(text: str, node: str, place: str) -> "Iterator[NatRules]":
    from sickbay.bundle.foreign.nat_chains import found_in  # noqa: PLC0415 - few files have any
    from sickbay.model.exposure import HeldService, NatRules  # noqa: PLC0415

    for found in found_in(text):
        services = [
            HeldService(*key, held.name, sorted(held.backends), held.is_rejected)
            for key, held in sorted(found.services.items())
        ]
        yield NatRules(node, place, found.program, found.is_whole, services)

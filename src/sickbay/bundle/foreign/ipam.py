"""What a node keeps of the addresses of its pods, and how many pods its runtime runs.

The stores of host-local plugins as a listing, that of Azure CNI as JSON, the tables of `crictl` and
`docker`; rules compare the two numbers of one node.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from sickbay.bundle.foreign.node_logs import node_in
from sickbay.bundle.foreign.owner import owner_of
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.foreign.prose import READER as PROSE
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

if TYPE_CHECKING:
    from sickbay.model.node import AddressStore, Sandboxes

_LARGEST: Final = 8 * 1024 * 1024
_STORE_MARKS: Final = ("last_reserved_ip", "/cni/networks")
_LISTED: Final = r"(?:[-l][rwxsStT-]{9}\S? .{1,200} )?((?:\d{1,3}\.){3}\d{1,3})"
_PODS: Final = r"POD ID +CREATED +STATE +NAME +NAMESPACE\b"
_CONTAINERS: Final = r"CONTAINER(?: ID)? +IMAGE +(?:COMMAND|CREATED)\b"
_READY: Final = r"\s(?:Ready|SANDBOX_READY)\s"
_LONGEST: Final = 2_000


class Ipam:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > _LARGEST:
            return False
        return _is_listing(piece.head) or _may_have_table(piece.head)

    def read(self, piece: Piece, sink: Sink) -> None:
        text = piece.text()
        node, place = whose(piece)
        origin = Origin(piece.source, "line 1")
        if _is_listing(text) and (listed := _listed(text, node, place)):
            sink.entity(listed, origin)
        if running := _running(text, node, place):
            sink.entity(running, origin)
        PROSE.read(piece, sink)


READER = Ipam()


def whose(piece: Piece) -> tuple[str, str]:
    """The node that a file is from: by its path, by what is in it, or else its folder."""
    about = owner_of(piece.source, piece.head).about
    node = about.name if about and about.kind == "Node" else node_in(piece.head)
    return node, piece.source.rpartition("/")[0]


def _is_listing(text: str) -> bool:
    return any(mark in text for mark in _STORE_MARKS) and any(_addresses(text))


def _addresses(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line[-1:].isdigit() and len(line) < _LONGEST and (found := re.fullmatch(_LISTED, line)):
            yield found[1]


def _listed(text: str, node: str, place: str) -> "AddressStore | None":
    from sickbay.model.node import AddressStore  # noqa: PLC0415 - msgspec is not needed for text

    addresses = set(_addresses(text))
    return AddressStore(node, place, len(addresses)) if addresses else None


def stores_in(body: Any, node: str, place: str) -> "Iterator[AddressStore]":
    """The pools of Azure CNI: every address of the node, and whether it is in use."""
    from sickbay.model.node import AddressStore  # noqa: PLC0415

    used = total = 0
    prefixes = []
    for prefix, pool in _pools(body):
        addresses = [one for one in _members(pool.get("Addresses")) if isinstance(one, dict)]
        total += len(addresses)
        used += sum(one.get("InUse") is True for one in addresses)
        prefixes.append(prefix)
    if total:
        yield AddressStore(node, place, used, total, ", ".join(sorted(prefixes)))


def _pools(body: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    held = body.get("IPAM", body) if isinstance(body, dict) else None
    spaces = held.get("AddressSpaces") if isinstance(held, dict) else None
    for space in _members(spaces):
        pools = space.get("Pools") if isinstance(space, dict) else None
        if isinstance(pools, dict):
            yield from ((str(key), pool) for key, pool in pools.items() if isinstance(pool, dict))


def _members(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else []


def _may_have_table(head: str) -> bool:
    is_marked = "POD ID" in head or "CONTAINER " in head
    return is_marked and _table_at(head.split("\n")) is not None


def _table_at(lines: list[str]) -> int | None:
    for at, line in enumerate(lines):
        is_marked = line.startswith(("POD ID", "CONTAINER")) and len(line) < _LONGEST
        if is_marked and (re.match(_PODS, line) or re.match(_CONTAINERS, line)):
            return at
    return None


def _running(text: str, node: str, place: str) -> "Sandboxes | None":
    """The sandboxes that a table lists as running."""
    from sickbay.bundle.foreign.kubectl_commands import is_prompt  # noqa: PLC0415 - few have any
    from sickbay.model.node import Sandboxes  # noqa: PLC0415

    lines = text.split("\n")
    at = _table_at(lines)
    if at is None:
        return None
    count, of_pods = 0, lines[at].startswith("POD ID")
    is_docker = "COMMAND" in lines[at]
    for line in lines[at + 1 :]:
        if not line.strip() or is_prompt(line):
            break
        count += _is_sandbox(line[:_LONGEST], of_pods=of_pods, is_docker=is_docker)
    return Sandboxes(node, place, count) if of_pods or is_docker else None


def _is_sandbox(line: str, *, of_pods: bool, is_docker: bool) -> bool:
    if of_pods:
        return re.search(_READY, line) is not None
    return is_docker and "k8s_POD_" in line and " Up " in line

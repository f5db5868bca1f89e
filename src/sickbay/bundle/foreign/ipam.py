"""What a node keeps of the addresses of its pods, and which sandboxes its runtime lists.

The stores of host-local plugins as a listing, by their content or as a mere count, the tables of
`crictl` and `docker`; rules follow each address to its sandbox.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from sickbay.bundle.foreign.ipam_state import holder, stores_in
from sickbay.bundle.foreign.node_logs import node_in
from sickbay.bundle.foreign.owner import owner_of
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.foreign.prose import READER as PROSE
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

if TYPE_CHECKING:
    from sickbay.model.entity import Entity
    from sickbay.model.node import AddressStore, Sandboxes

__all__ = ["READER", "stores_in", "whose"]

_LARGEST: Final = 8 * 1024 * 1024
_STORE_MARKS: Final = ("last_reserved_ip", "/cni/networks")
_ADDRESS: Final = r"(?:\d{1,3}\.){3}\d{1,3}"
_LISTED: Final = rf"(?:[-l][rwxsStT-]{{9}}\S? .{{1,200}} )?({_ADDRESS})"
# `grep -r .`, or `tail -n +1 *`, which prints the name of each file above its content.
_ENTRY: Final = rf"(?:\S{{0,200}}/)?({_ADDRESS}):([0-9a-f]{{12,64}})\b.{{0,40}}"
_TITLE: Final = rf"==> (?:\S{{0,200}}/)?({_ADDRESS}) <=="
_PODS: Final = r"POD ID +CREATED +STATE +NAME +NAMESPACE\b"
_CONTAINERS: Final = r"CONTAINER(?: ID)? +IMAGE +(?:COMMAND|CREATED)\b"
_READY: Final = r"\s(?:Ready|SANDBOX_READY)\s"
_SANDBOX: Final = "k8s_POD_"
_COMMAND: Final = r"(?:.{0,200}[$#] ?)?((?:sudo )?(?:cd|ls|grep|tail|docker|crictl) .{1,400})"
_COUNT: Final = r"\| *wc +-l *$"
_LONGEST: Final = 2_000
# Lines of `ls -al` that are no address: the total, two directories, a lock and the last one given.
_EXTRA_LONG: Final = 5
_EXTRA_SHORT: Final = 2


class Ipam:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > _LARGEST:
            return False
        return _is_store(piece.head) or _may_have_table(piece.head)

    def read(self, piece: Piece, sink: Sink) -> None:
        text = piece.text()
        node, place = whose(piece)
        origin = Origin(piece.source, "line 1")
        found: list[Entity | None] = [_running(text, node, place), *_counted(text, node, place)]
        if _is_store(text):
            found += [_entries(text, node, place), _listed(text, node, place)]
        for entity in found:
            if entity is not None:
                sink.entity(entity, origin)
        PROSE.read(piece, sink)


READER = Ipam()


def whose(piece: Piece) -> tuple[str, str]:
    """The node that a file is from: by its path, by what is in it, or else its folder."""
    about = owner_of(piece.source, piece.head).about
    node = about.name if about and about.kind == "Node" else node_in(piece.head)
    return node, piece.source.rpartition("/")[0]


def _is_store(text: str) -> bool:
    if not any(mark in text for mark in _STORE_MARKS):
        return False
    lines = text.split("\n")
    return any(_addresses(lines)) or any(_held(lines)) or "wc -l" in text


def _addresses(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line[-1:].isdigit() and len(line) < _LONGEST and (found := re.fullmatch(_LISTED, line)):
            yield found[1]


def _held(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each address with the sandbox that holds it."""
    titled = ""
    for line in lines:
        if len(line) >= _LONGEST:
            continue
        if titled and (id := holder(line.strip())):
            yield titled, id
        titled = title[1] if line.startswith("==>") and (title := re.match(_TITLE, line)) else ""
        if ":" in line and (entry := re.fullmatch(_ENTRY, line.strip())):
            yield entry[1], holder(entry[2])


def _listed(text: str, node: str, place: str) -> "AddressStore | None":
    from sickbay.model.node import AddressStore  # noqa: PLC0415 - msgspec is not needed for text

    addresses = set(_addresses(text.split("\n")))
    return AddressStore(node, place, len(addresses)) if addresses else None


def _entries(text: str, node: str, place: str) -> "AddressStore | None":
    from sickbay.model.node import AddressStore  # noqa: PLC0415

    held = dict(_held(text.split("\n")))
    if not held:
        return None
    return AddressStore(node, place, len(held), entries=tuple(sorted(held.items())), how="entries")


def _counted(text: str, node: str, place: str) -> "Iterator[Entity]":
    """What somebody counted with `wc -l`: entries of the store, sandboxes that run."""
    if "wc -l" not in text:
        return
    from sickbay.model.node import AddressStore, Sandboxes  # noqa: PLC0415

    is_there = False
    for command, answer in _answers(text.split("\n")):
        is_there = is_there or "/cni/networks" in command
        if not re.search(_COUNT, command) or not answer.isdecimal():
            continue
        number = int(answer[:9])
        if re.search(r"\b(?:docker ps|crictl pods)\b", command):
            yield Sandboxes(node, place, number, how="counted")
        elif is_there and re.search(r"\b(?:ls|find|grep)\b", command):
            extra = _EXTRA_LONG if re.search(r"-\w*a", command) else _EXTRA_SHORT
            yield AddressStore(node, place, max(0, number - extra), how="counted")


def _answers(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Command lines, each with the first line below it."""
    for at, line in enumerate(lines):
        if len(line) < _LONGEST and (typed := re.match(_COMMAND, line.strip())):
            below = next((text.strip() for text in lines[at + 1 : at + 4] if text.strip()), "")
            yield typed[1], below


def _may_have_table(head: str) -> bool:
    if _SANDBOX in head:
        return True
    is_marked = "POD ID" in head or "CONTAINER " in head
    return is_marked and _table_at(head.split("\n")) is not None


def _table_at(lines: list[str]) -> int | None:
    for at, line in enumerate(lines):
        is_marked = line.startswith(("POD ID", "CONTAINER")) and len(line) < _LONGEST
        if is_marked and (re.match(_PODS, line) or re.match(_CONTAINERS, line)):
            return at
    return None


class _Row(NamedTuple):
    id: str
    is_running: bool


def _running(text: str, node: str, place: str) -> "Sandboxes | None":
    """The sandboxes that a table lists."""
    from sickbay.model.node import Sandboxes  # noqa: PLC0415

    lines = text.split("\n")
    at = _table_at(lines)
    if at is None and _SANDBOX not in text:
        return None
    of_pods = at is not None and lines[at].startswith("POD ID")
    if at is not None and not of_pods and "COMMAND" not in lines[at]:
        return None
    rows = list(_rows(lines, at, of_pods=of_pods))
    ready = tuple(sorted(row.id for row in rows if row.is_running))
    exited = tuple(sorted(row.id for row in rows if not row.is_running))
    command = _command_above(lines, at)
    tells_exited = bool(exited) or _tells_exited(command, of_pods=of_pods)
    how = "crictl" if of_pods else "docker"
    return Sandboxes(node, place, len(ready), ready, exited if tells_exited else None, how)


def _tells_exited(command: str, *, of_pods: bool) -> bool:
    """Whether a listing would show sandboxes that ended: crictl does unless told otherwise."""
    if of_pods:
        return re.search(r" --state| -s\b|\bgrep\b", command) is None
    return re.search(r"docker ps .{0,80}?(?:-\w*a|--all)\b", command) is not None


def _rows(lines: list[str], at: int | None, *, of_pods: bool) -> Iterator[_Row]:
    from sickbay.bundle.foreign.kubectl_commands import is_prompt  # noqa: PLC0415 - few have any

    for line in lines if at is None else lines[at + 1 :]:
        if at is not None and (not line.strip() or is_prompt(line)):
            return
        short = line[:_LONGEST]
        if not of_pods and _SANDBOX not in short:
            continue
        running = re.search(_READY, short) is not None if of_pods else " Up " in short
        if id := holder(short.partition(" ")[0]):
            yield _Row(id, running)


def _command_above(lines: list[str], at: int | None) -> str:
    if at is None:
        return next((line for line in lines[:50] if "docker ps" in line), "")
    return next((line for line in reversed(lines[max(0, at - 3) : at]) if line.strip()), "")

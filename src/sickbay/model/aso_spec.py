"""What the spec of an ASO object asks for and promises: references, inputs, and destinations."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_DEEPEST: Final = 24
_MOST_PARTS: Final = 5_000
_FROM_CONFIG: Final = "FromConfig"
_OPERATOR: Final = "operatorSpec"
_ARM_ID: Final = "/subscriptions/"
_GROUP: Final = ".azure.com"
_GUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


class Need(NamedTuple):
    """One part of a spec that names something else."""

    path: str
    name: str
    # The key in a secret or a config map; the kind of an object that is referred to.
    key: str = ""
    kind: str = ""


def secrets_of(spec: dict[str, Any]) -> Iterator[Need]:
    """The secrets that must exist, each with the key that is read."""
    for path, part in _inputs(spec):
        if set(part) == {"name", "key"} and not path.endswith(_FROM_CONFIG):
            yield Need(path, _word(part, "name"), _word(part, "key"))


def config_maps_of(spec: dict[str, Any]) -> Iterator[Need]:
    """The config maps that must exist, each with the key that is read."""
    for path, part in _inputs(spec):
        if set(part) == {"name", "key"} and path.endswith(_FROM_CONFIG):
            yield Need(path, _word(part, "name"), _word(part, "key"))


def references_of(spec: dict[str, Any]) -> Iterator[Need]:
    """The objects of ASO that are referred to by group, kind and name."""
    for path, part in _inputs(spec):
        is_whole = _word(part, "kind") and _word(part, "group").endswith(_GROUP)
        if is_whole and _word(part, "name") and not _word(part, "armId"):
            yield Need(path, _word(part, "name"), kind=_word(part, "kind"))


def misplaced_ids(spec: dict[str, Any]) -> Iterator[Need]:
    """The references, the owner among them, with an ARM id where a name belongs."""
    for path, part in _inputs(spec):
        name = _word(part, "name")
        is_reference = path == "spec.owner" or path.casefold().endswith("reference")
        if is_reference and name.casefold().startswith(_ARM_ID):
            yield Need(path, name)


def destinations_of(spec: dict[str, Any]) -> Iterator[Need]:
    """The secrets and config maps that ASO is to write, each with its key."""
    operator = spec.get(_OPERATOR)
    for path, part in _parts(operator, f"spec.{_OPERATOR}") if isinstance(operator, dict) else ():
        name, key = _word(part, "name"), _word(part, "key")
        if name and key:
            is_map = ".configMap" in path
            yield Need(path, name, key, "ConfigMap" if is_map else "Secret")


def writer_of(name: str, kind: str, namespace: str, snapshot: "Snapshot") -> str:
    """The object that is to write a secret or a config map, with how it fares; empty if none."""
    from sickbay.model.aso import AsoObject  # noqa: PLC0415 - it is made of what is here

    for thing in snapshot.in_namespace(AsoObject, namespace):
        if any(one.name == name and one.kind == kind for one in destinations_of(thing.wanted)):
            state = "is Ready" if thing.is_ready else "is not Ready"
            return f"{thing.object_kind} {thing.name}, which {state},"
    return ""


def is_guid(word: str) -> bool:
    return re.fullmatch(_GUID, word) is not None


def _inputs(spec: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    return _parts({key: part for key, part in spec.items() if key != _OPERATOR}, "spec")


def _parts(root: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every mapping below a value, each with its place."""
    stack: list[tuple[str, Any, int]] = [(path, root, 0)]
    count = 0
    while stack and count < _MOST_PARTS:
        place, node, depth = stack.pop()
        count += 1
        if isinstance(node, dict):
            yield place, node
            below = [(f"{place}.{key}", part) for key, part in node.items()]
        elif isinstance(node, list):
            below = [(f"{place}[{index}]", part) for index, part in enumerate(node)]
        else:
            continue
        if depth < _DEEPEST:
            stack += [(at, part, depth + 1) for at, part in reversed(below)]


def _word(part: dict[str, Any], key: str) -> str:
    value = part.get(key)
    return value if isinstance(value, str) else ""

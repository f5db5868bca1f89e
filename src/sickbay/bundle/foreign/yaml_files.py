"""YAML documents, read with the C parser where there is one.

The only importer of yaml in the readers.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import yaml

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.frame import Frame
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Gap, Reason

_MOST_BYTES: Final = 32 * 1024 * 1024
# A node counts as often as aliases repeat it.
_MOST_NODES: Final = 2_000_000
_MOST_MEMBERS: Final = 100_000
# The C parser follows nesting on the C stack, and falls over some ten thousand levels down.
_DEEPEST: Final = 200
_ALIAS: Final = re.compile(r"(?m)(?:^|[\s\[,{:?-])\*[^\s,\[\]{}]")


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Timestamps stay text, as the documents' own JSON has them."""

    def flatten_mapping(self, node: Any) -> None:
        super().flatten_mapping(node)
        if len(node.value) > _MOST_MEMBERS:
            raise yaml.YAMLError("more members than any honest mapping has")


_Loader.yaml_implicit_resolvers = {
    key: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for key, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def parsed(text: str) -> Any:
    """The one document of a text; a ValueError says where it breaks off."""
    try:
        _refuse_depth(text)
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 - it is a safe loader
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    _refuse_bomb(value, text)
    return value


def documents(piece: Piece, sink: Sink) -> Iterator[Any]:
    """Yield each document of a file; a broken one is a gap, and its text is still heard."""
    text = piece.text()
    try:
        if len(text) > _MOST_BYTES:
            raise ValueError("more YAML in one file than is taken apart")  # noqa: TRY301
        _refuse_depth(text)
        for value in yaml.load_all(text, Loader=_Loader):
            _refuse_bomb(value, text)
            if value is not None:
                yield value
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        sink.gap(Gap(piece.source, f"breaks off: {problem}", Reason.MALFORMED, asked_for=True))
        sink.log(piece.blocks(), Frame(piece.source, channel="document"))


def _refuse_depth(text: str) -> None:
    """Refuse a text that nests too deeply; what else is wrong with it, loading it will tell."""
    depth = 0
    with suppress(yaml.YAMLError):
        for event in yaml.parse(text, Loader=_Loader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > _DEEPEST:
                    raise ValueError("it is nested too deeply")
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1


def _refuse_bomb(value: Any, text: str) -> None:
    """Refuse a document that aliases make endless, or larger than any honest one."""
    if not _ALIAS.search(text):
        return
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()
    waiting = [value]
    while waiting:
        node = waiting[-1]
        inner = _inner(node)
        if id(node) in sizes or not inner:
            waiting.pop()
        elif id(node) in open_nodes:
            waiting.pop()
            open_nodes.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes.get(id(one), 1) for one in inner)
            if sizes[id(node)] > _MOST_NODES:
                raise ValueError("aliases make it larger than any honest document is")
        else:
            open_nodes.add(id(node))
            if any(id(one) in open_nodes for one in inner):
                raise ValueError("an alias makes it hold itself")
            waiting += [one for one in inner if id(one) not in sizes]


def _inner(node: Any) -> list[Any]:
    """What a node holds that may hold something itself."""
    if isinstance(node, dict):
        node = node.values()
    elif not isinstance(node, list):
        return []
    return [one for one in node if isinstance(one, dict | list)]

"""YAML documents, read with the C parser where there is one.

The only importer of yaml in the readers.
"""

from collections.abc import Iterator
from typing import Any, Final

import yaml

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.frame import Frame
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Gap, Reason

_MOST_BYTES: Final = 32 * 1024 * 1024
_MOST_NODES: Final = 2_000_000


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Timestamps stay text, as the documents' own JSON has them.

    Aliases cannot be used to build a bomb.
    """

    aliases = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            self.aliases += 1
            if self.aliases > 1_000:  # noqa: PLR2004
                raise yaml.YAMLError("more aliases than any honest document has")
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    key: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for key, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def parsed(text: str) -> Any:
    """The one document of a text; a ValueError says where it breaks off."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - it is a safe loader
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def documents(piece: Piece, sink: Sink) -> Iterator[Any]:
    """Yield each document of a file; a broken one is a gap, and its text is still heard."""
    text = piece.text()[:_MOST_BYTES]
    try:
        for value in yaml.load_all(text, Loader=_Loader):
            if value is not None:
                yield value
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        sink.gap(Gap(piece.source, f"breaks off: {problem}", Reason.MALFORMED, asked_for=True))
        sink.log(piece.blocks(), Frame(piece.source, channel="document"))

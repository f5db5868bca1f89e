"""Some lines out of the JSON of a resource, without the brackets around them.

Who asks for help shows the lines that matter. What they are of is told by an id or a type among
them, or by the `az … show` above.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from sickbay.bundle.foreign.az_columns import command_above, family_of
from sickbay.bundle.foreign.az_rows import id_of
from sickbay.bundle.foreign.leftover import read_rest
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.foreign.unnamed import take_unnamed
from sickbay.bundle.foreign.values import is_resource
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

_LARGEST: Final = 256 * 1024
_NEAR: Final = 12
# Patterns stay as text: few texts have such lines.
_FIRST: Final = r"\s*\"\w+\": ?\S"
_STATE: Final = r"(?:\w*[sS]tate|\w*Status|status|properties)"
_TELLS: Final = rf"(?m)^\s*\"{_STATE}\": ?[\"{{]"
_MORE: Final = r"\s*(?:\"|[\]}\[{]|-?\d|true\b|false\b|null\b|\.\.\.\s*$)"
_TYPE: Final = r"(?i)microsoft\.\w+(?:/\w+)+"
_OF_ERROR: Final = frozenset({"error", "code", "message"})
_NAMED: Final = r"(?:^|\s)(?:-n|--name|--resource-name|--cluster-name)[ =]+['\"]?([\w.-]+)"


class Fragments:
    def matches(self, piece: Piece) -> bool:
        if piece.size is None or piece.size > _LARGEST or not re.search(_TELLS, piece.head):
            return False
        return any(_resources(piece.head.split("\n"), piece.source))

    def read(self, piece: Piece, sink: Sink) -> None:
        lines = piece.text().split("\n")
        for first, last, body in list(_resources(lines, piece.source)):
            origin = Origin(piece.source, f"line {first + 1}")
            if "id" in body:
                sink.arm(body, origin)
            else:
                take_unnamed(body, origin, sink)
            # Blank lines in its place: what follows keeps its line number.
            lines[first:last] = [""] * (last - first)
        read_rest(lines, piece, sink)


READER = Fragments()


def _resources(lines: list[str], source: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The resources of which a text shows a part, with their first line and the one behind."""
    at = 0
    while at < len(lines):
        if not re.match(_FIRST, lines[at]):
            at += 1
            continue
        first = at
        while at < len(lines) and re.match(_MORE, lines[at]):
            at += 1
        members = _members(lines[first:at])
        if members and (body := _named(members, lines[max(0, first - _NEAR) : first], source)):
            yield first, at, body


def _members(lines: list[str]) -> dict[str, Any]:
    """What the lines hold, with the brackets that are missing before and behind them."""
    text = "\n".join(line for line in lines if line.strip() != "...")
    depth, lowest = 0, 0
    for bracket in re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text):
        depth += (bracket in "{[") - (bracket in "}]")
        lowest = min(lowest, depth)
    if lowest < 0:
        text = _unclosed(text, -lowest)
        depth -= lowest
    if depth > 0 and text.count("[") == text.count("]"):
        text = re.sub(r",\s*\Z", "", text) + "}" * depth
    try:
        value = json.loads("{" + re.sub(r",\s*\Z", "", text) + "}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _unclosed(text: str, too_many: int) -> str:
    """The text without the last brackets at its end, which close what is not shown."""
    body = text.rstrip("}], \t\n")
    closers = [one for one in text[len(body) :] if one in "}]"]
    return body + "".join(closers[:-too_many])


def _named(body: dict[str, Any], above: list[str], source: str) -> dict[str, Any] | None:
    """The body with an id, or with a type and a name of which one can be made."""
    if not _OF_ERROR.isdisjoint(body) or not any(re.fullmatch(_STATE, key) for key in body):
        return None
    type = body.get("type")
    if "id" in body:
        return body if is_resource(body) else None
    command = command_above(above, source)
    found = re.search(_NAMED, command)
    name = body.get("name") or (found[1] if found else "")
    if not name or not isinstance(name, str):
        return None
    if isinstance(type, str) and re.fullmatch(_TYPE, type):
        return {**body, "name": name}
    family = family_of(["name"], command)
    if family is None:
        return None
    told = {"name": name, "resourceGroup": body.get("resourceGroup")}
    return {**body, "id": id_of(told, family.type, command, "<subscription>")}

"""The rows of the tables that `az … -o table` prints: a header, a line of dashes, rows.

A table leaves out most of a document, so names that it does not tell are stand-ins.
"""

import io
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sickbay.bundle.foreign.az_columns import Family, command_above, document, family_of
from sickbay.bundle.foreign.piece import HEAD, Piece
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin, Text

_NEAR: Final = 12
# Patterns stay as text: most texts have no table.
_DASHES: Final = r"(?m)^-{2,}(?: +-{2,})+[ \t\r]*$"
_SUBSCRIPTION: Final = (
    r"(?:/subscriptions/|--subscription[ =]+['\"]?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
)
_OPTION: Final = r"(?:^|\s)(?:{names})[ =]+['\"]?([\w.()-]+)"
_GROUP: Final = _OPTION.format(names="-g|--resource-group")
_PARENT: Final = _OPTION.format(
    names="--cluster-name|--kubernetes-cluster-name|--vnet-name|--vmss-name|--l3-isolation-domain-name|--l3domain|--fabric|-n|--name"
)
_USAGE: Final = ["name", "currentvalue", "limit"]
_EVENT: Final = frozenset({"eventtimestamp", "description", "resourceid"})
_ROLES: Final = frozenset({"principal", "role", "scope"})
_ALARMING: Final = frozenset({"error", "critical"})


class Table(NamedTuple):
    """A table in a text: where its lines stand, and what it holds."""

    first: int
    last: int
    columns: list[str]
    rows: list[list[str]]
    command: str

    @property
    def names(self) -> frozenset[str]:
        return frozenset(column.casefold() for column in self.columns)

    @property
    def is_usages(self) -> bool:
        return [column.casefold() for column in self.columns] == _USAGE

    @property
    def family(self) -> Family | None:
        return family_of(self.columns, self.command)

    @property
    def is_known(self) -> bool:
        is_other = self.is_usages or self.names >= _EVENT or self.names >= _ROLES
        return is_other or self.family is not None


def read_tables(piece: Piece, sink: Sink) -> None:
    """Take the rows of the tables that are known, and let the rest be read as what it is."""
    from sickbay.bundle.foreign import read_piece  # noqa: PLC0415 - it imports this module

    text = piece.text()
    lines = text.split("\n")
    told = re.search(_SUBSCRIPTION, text)
    subscription = told[1] if told else "<subscription>"
    for table in tables(text, piece.source):
        if table.is_known:
            _take(table, Scope(piece.source, subscription), sink)
            # Blank lines in its place: what follows keeps its line number.
            lines[table.first : table.last] = [""] * (table.last - table.first)
    rest = "\n".join(lines)
    if rest.strip():
        data = rest.encode()
        read_piece(Piece(piece.source, rest[:HEAD], lambda: io.BytesIO(data), len(data)), sink)


class Scope(NamedTuple):
    """Where a table was found, and whose it is."""

    source: str
    subscription: str


def tables(text: str, source: str = "") -> Iterator[Table]:
    """The tables of a text, in their order."""
    lines = text.replace("\r\n", "\n").split("\n")
    above = 0
    for at, line in enumerate(lines):
        is_rule = at > above and line.startswith("--") and re.match(_DASHES, line)
        columns = _columns(lines[at - 1], line) if is_rule else []
        if not columns:
            continue
        end = at + 1
        while end < len(lines) and _is_row(lines[end]):
            end += 1
        rows = [cells for row in lines[at + 1 : end] if (cells := _cells(row, line, len(columns)))]
        command = command_above(lines[max(above, at - _NEAR) : at - 1], source)
        yield Table(at - 1, end, columns, rows, command)
        above = end


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not re.match(r"\S{0,80}[$#>] |PS [A-Z]:|az ", line)


def _columns(header: str, dashes: str) -> list[str]:
    """The names of the columns, if there is one above each run of dashes."""
    cells = _by_place(header, dashes)
    return cells if all(re.fullmatch(r"[A-Za-z]\w*", cell) for cell in cells) else []


def _cells(row: str, dashes: str, count: int) -> list[str]:
    """The cells of a row: by the spaces between them if none is empty, else by their place."""
    cells = re.split(r" {2,}", row.strip(), maxsplit=count - 1)
    if len(cells) == count and not row.startswith(" "):
        return [cell.strip() for cell in cells]
    return _by_place(row, dashes)


def _by_place(row: str, dashes: str) -> list[str]:
    starts = [run.start() for run in re.finditer(r"-+", dashes)]
    ends = [*starts[1:], None]
    return [row[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _take(table: Table, scope: Scope, sink: Sink) -> None:
    if table.is_usages:
        _take_usages(table, scope, sink)
        return
    family = table.family
    for number, cells in enumerate(table.rows, table.first + 3):
        origin = Origin(scope.source, f"line {number}")
        if family is not None:
            body = document(table.columns, cells, family)
            body["id"] = id_of(body, family.type, table.command, scope.subscription)
            sink.arm(body, origin)
        elif table.names >= _EVENT:
            _take_event(document(table.columns, cells, Family("")), origin, sink)


def _take_usages(table: Table, scope: Scope, sink: Sink) -> None:
    from sickbay.bundle.foreign.usages import take_usages  # noqa: PLC0415

    named = re.search(_OPTION.format(names="-l|--location"), table.command)
    place = f"/locations/{named[1]}" if named else ""
    rows = [document(table.columns, cells, Family("")) for cells in table.rows]
    if place and rows:
        rows[0]["id"] = f"/subscriptions/{scope.subscription}/providers/Microsoft.Compute{place}"
    take_usages(rows, Origin(scope.source, f"line {table.first + 1}"), sink)


def _take_event(body: dict[str, Any], origin: Origin, sink: Sink) -> None:
    from sickbay.bundle.foreign.operations import resource  # noqa: PLC0415
    from sickbay.bundle.times import normal  # noqa: PLC0415

    if str(body.get("level", "")).casefold() in _ALARMING and body.get("description"):
        about, at = resource(body.get("resourceId")), normal(str(body.get("eventTimestamp")))
        sink.text(Text(body["description"], origin, about, "activity-log", at))


def id_of(body: dict[str, Any], type: str, command: str, subscription: str) -> str:
    """The id that the row has, or one made of what is told, with stand-ins for the rest."""
    told = str(body.pop("id", "") or "")
    if told.startswith("/subscriptions/"):
        return told
    root = f"/subscriptions/{body.get('subscriptionId') or subscription}"
    if type == "Microsoft.Resources/subscriptions":
        return root
    if type == "Microsoft.Resources/providers":
        return f"{root}/providers/{body.get('namespace')}"
    found = re.search(_GROUP, command)
    group = body.get("resourceGroup") or (found[1] if found else "<resource-group>")
    namespace, *kinds = type.split("/")
    names = [*_parents(kinds[:-1], command), body.get("name") or body.get("instanceId") or "<name>"]
    pairs = "/".join(f"{kind}/{name}" for kind, name in zip(kinds, names, strict=True))
    return f"{root}/resourceGroups/{group}/providers/{namespace}/{pairs}"


def _parents(kinds: list[str], command: str) -> list[str]:
    found = re.search(_PARENT, command)
    return [found[1] if found else _stand_in(kind) for kind in kinds]


def _stand_in(kind: str) -> str:
    return "<cluster>" if kind.endswith("lusters") else f"<{kind.removesuffix('s')}>"

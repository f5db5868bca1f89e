"""Tables that `kubectl get` prints: rows become the objects that they were made from.

A text may hold several, between commands and prose; what is no table is read by others.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from sickbay.bundle.foreign.kubectl_columns import (
    CLUSTER_SCOPED,
    UNTOLD_NAMESPACE,
    Header,
    cells_of,
    header_of,
    kind_called,
)
from sickbay.bundle.foreign.kubectl_commands import Command, command_in, is_prompt
from sickbay.bundle.foreign.kubectl_events import Listed, event_of
from sickbay.bundle.foreign.leftover import read_rest
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, kube

_NEAR: Final = 4
_MOST_ROWS: Final = 1_000_000
_MOST_CONTINUED: Final = 200
_NONE_FOUND: Final = "No resources found"
# Where a rule finds an object and no fault in it, it takes the fault for excluded. Of pods, nodes,
# services and autoscalers a row tells too little for that (no reason why a container ended, no
# labels, no pressure): such rows are heard, and not made into objects.
_TELLING: Final = frozenset(
    {
        "Deployment",
        "ReplicaSet",
        "StatefulSet",
        "DaemonSet",
        "Job",
        "PersistentVolumeClaim",
        "PersistentVolume",
        "StorageClass",
        "PodDisruptionBudget",
        "ConfigMap",
        "aso",
    }
)


# Of these a row is kept as a row: what it says of labels, endpoints and the state of a node.
_ROWS: Final = frozenset({"Pod", "Service", "Endpoints", "Node"})


class Row(NamedTuple):
    line: int
    text: str
    cells: dict[str, str]


class Table(NamedTuple):
    """A table in a text: its lines, what it holds, and the command that asked for it."""

    first: int
    last: int
    header: Header
    rows: list[Row]
    command: Command
    is_whole: bool

    @property
    def is_known(self) -> bool:
        """Whether each row names the thing that it is; ASO prints the kind only among others."""
        if self.header.family.kind != "aso":
            return bool(self.rows)
        return bool(self.rows) and all(_is_azure(row.cells["NAME"]) for row in self.rows)


def has_lists(head: str) -> bool:
    """Whether a text holds a table, or says that there is nothing to list."""
    is_table = any(table.is_known for table in tables(head, most_rows=1))
    lines = head.split("\n")
    return is_table or any(_empty_lists(lines)) or any(_unlabelled(lines))


def read_lists(piece: Piece, sink: Sink) -> None:
    """Read the tables of a text, and leave the rest to others."""
    text = piece.text()
    lines = text.split("\n")
    for table in tables(text):
        if table.is_known:
            _take(table, piece.source, sink)
            # Blank lines in its place: what follows keeps its line number.
            lines[table.first : table.last] = [""] * (table.last - table.first)
    for at, command in _empty_lists(lines):
        sink.seen(command.kind, "" if command.kind in CLUSTER_SCOPED else command.scope)
        lines[at] = ""
    for at, command in _unlabelled(lines):
        metadata = {"name": f"{at}", "namespace": command.scope}
        row = {"apiVersion": "v1", "kind": "PodRow", "metadata": metadata}
        sink.kube(row | {"spec": {"selector": command.labels}}, Origin(piece.source, f"line {at}"))
    read_rest(lines, piece, sink)


def tables(text: str, most_rows: int = _MOST_ROWS) -> Iterator[Table]:
    """The tables of a text, in their order; one row of each tells whether there is any."""
    lines = text.split("\n")
    at = above = 0
    command = Command()
    while at < len(lines):
        header = header_of(lines[at])
        if header is None:
            at += 1
            continue
        rows, end = _rows(lines, at + 1, header, most_rows)
        between = lines[max(above, at - _NEAR) : at]
        # One command can print several tables, with a blank line between them.
        is_next = 0 < above >= at - _NEAR and not any(line.strip() for line in between)
        command = command if is_next else _command_above(between)
        yield Table(at, end, header, rows, command, is_whole=end < len(lines))
        at = above = end


def _rows(lines: list[str], at: int, header: Header, most: int) -> tuple[list[Row], int]:
    """The rows below a header, and the line behind the last; a blank line may stand between."""
    rows: list[Row] = []
    end, blanks, continued = at, 0, 0
    says = header.columns[-1] == "MESSAGE"
    while at < len(lines) and blanks <= 1 and len(rows) < most:
        line = lines[at]
        at += 1
        if not line.strip():
            blanks += 1
            continue
        cells = None if is_prompt(line) or header_of(line) else cells_of(line, header)
        if cells is not None:
            rows.append(Row(at, line.rstrip(), cells))
            end, blanks, continued = at, 0, 0
        elif says and rows and not blanks and continued < _MOST_CONTINUED and _goes_on(line):
            rows[-1] = _continued(rows[-1], line)
            end, continued = at, continued + 1
        else:
            break
    return rows, end


def _goes_on(line: str) -> bool:
    return not is_prompt(line) and header_of(line) is None


def _continued(row: Row, line: str) -> Row:
    """A row whose message goes on in the next line."""
    message = f"{row.cells['MESSAGE']} {line.strip()}"
    return Row(row.line, f"{row.text} {line.strip()}", {**row.cells, "MESSAGE": message})


def _command_above(lines: list[str]) -> Command:
    for line in reversed(lines):
        if command := command_in(line):
            return command
    return Command()


def _take(table: Table, source: str, sink: Sink) -> None:
    kind = table.header.family.kind
    if kind == "Event":
        for row in table.rows:
            listed: Listed = event_of(row.cells, row.line, table.command.namespace)
            sink.text(listed.text(source))
        return
    for row in table.rows:
        ref = _ref(row.cells["NAME"], _kind_of(table), _namespace(row, table))
        if kind in _TELLING and _tells(kind, row.cells):
            sink.kube(_body(kind, ref, row), Origin(source, f"line {row.line}"))
        elif kind in _ROWS:
            _take_row(row, ref, table.command, Origin(source, f"line {row.line}"), sink)
        sink.text(Text(row.text, Origin(source, f"line {row.line}"), ref, "table"))
    _note_whole(table, kind, sink)


def _take_row(row: Row, ref: Ref, command: Command, origin: Origin, sink: Sink) -> None:
    """Hand on what a row says of labels, endpoints and the state of a node, without an object."""
    from sickbay.bundle.foreign.kubectl_rows import NOTHING, labels_of  # noqa: PLC0415

    selector = labels_of(row.cells.get("SELECTOR", ""))
    labels = labels_of(row.cells.get("LABELS", ""))
    states = row.cells["STATUS"].split(",") if ref.kind == "Node" else []
    if not (selector or labels or states or "ENDPOINTS" in row.cells):
        return
    spec = {
        "states": states,
        "selector": selector,
        "isEmpty": row.cells.get("ENDPOINTS", "-") in NOTHING,
        "isAskedFor": ref.name in command.names,
    }
    metadata = {"name": ref.name, "namespace": ref.namespace, "labels": labels}
    kind = f"{ref.kind}Row"
    sink.kube({"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": spec}, origin)


def _tells(kind: str, cells: Mapping[str, str]) -> bool:
    """Whether a row says how its thing fares: older lists of jobs do not, nor what is going."""
    return "STATUS" in cells if kind == "Job" else cells.get("STATUS") != "Terminating"


def _kind_of(table: Table) -> str:
    """The kind of the rows; `kubectl top` counts of two kinds."""
    kind = table.header.family.kind
    if kind != "top":
        return kind
    return "Node" if "CPU%" in table.header.columns else "Pod"


def _namespace(row: Row, table: Table) -> str:
    if _kind_of(table) in CLUSTER_SCOPED:
        return ""
    return row.cells.get("NAMESPACE") or table.command.namespace or UNTOLD_NAMESPACE


def _ref(name: str, kind: str, namespace: str) -> Ref:
    """What a row is about; among other kinds, its name starts with its own."""
    prefix, slash, rest = name.removesuffix(" (default)").rpartition("/")
    if not slash:
        return kube(kind, namespace, rest)
    word = prefix.partition(".")[0]
    return kube(kind_called(prefix) or (word if kind == "aso" else kind), namespace, rest)


def _is_azure(name: str) -> bool:
    prefix, slash, _ = name.partition("/")
    return bool(slash) and prefix.endswith(".azure.com")


def _body(kind: str, ref: Ref, row: Row) -> dict[str, Any]:
    from sickbay.bundle.foreign.kubectl_rows import document, labels_of  # noqa: PLC0415

    body = document(kind, row.cells)
    # A row is the poorest witness: any document of the same thing that has a version is newer.
    metadata = {**body.get("metadata", {}), "name": ref.name, "resourceVersion": "1"}
    if ref.namespace:
        metadata["namespace"] = ref.namespace
    if labels := labels_of(row.cells.get("LABELS", "")):
        metadata["labels"] = labels
    version = "v1"
    if kind == "aso":
        version = f"{row.cells['NAME'].partition('/')[0].partition('.')[2]}/v1"
        metadata["finalizers"] = ["serviceoperator.azure.com/finalizer"]
    return {**body, "apiVersion": version, "kind": ref.kind, "metadata": metadata}


def _note_whole(table: Table, kind: str, sink: Sink) -> None:
    """Note what a complete list covers: of all namespaces, or of the one that was asked for."""
    if kind not in _TELLING or not table.is_whole or "/" in table.rows[0].cells["NAME"]:
        return
    if kind in CLUSTER_SCOPED:
        # Who saved the default class and others without the command saved all that there are.
        is_default_told = any(row.cells["NAME"].endswith(" (default)") for row in table.rows)
        is_plain = not table.command.verb and len(table.rows) > 1 and is_default_told
        if is_plain or (table.command.kind == kind and _lists_cluster(table.command)):
            sink.seen(kind)
    elif table.command.lists_all:
        sink.seen(kind, table.command.scope)
    elif not table.command.verb and "NAMESPACE" in table.header.columns:
        namespaces = {row.cells["NAMESPACE"] for row in table.rows}
        sink.seen(kind, "" if len(namespaces) > 1 else namespaces.pop())


def _empty_lists(lines: list[str]) -> Iterator[tuple[int, Command]]:
    """Commands whose answer says that there is nothing of a kind, each with its line."""
    for at, line in enumerate(lines):
        if at and line.startswith(_NONE_FOUND):
            command = _command_above(lines[at - 1 : at])
            if command.kind and (command.lists_all or _lists_cluster(command)):
                yield at, command


def _unlabelled(lines: list[str]) -> Iterator[tuple[int, Command]]:
    """Commands that asked for pods by labels and found none, each with its line."""
    for at, line in enumerate(lines):
        if at and line.startswith(_NONE_FOUND):
            command = _command_above(lines[at - 1 : at])
            if command.kind == "Pod" and command.labels:
                yield at, command


def _lists_cluster(command: Command) -> bool:
    is_plain = command.verb == "get" and not command.names and not command.is_filtered
    return is_plain and command.kind in CLUSTER_SCOPED

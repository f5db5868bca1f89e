"""Who can talk to whom: as a document, a table of signs, and a heat map."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sickbay import __version__
from sickbay.network.matrix import Cell, Matrix, expand
from sickbay.network.traffic import Verdict
from sickbay.report.columns import pad, shorten, wrap
from sickbay.report.document import gap_of
from sickbay.report.labels import counted

Document = dict[str, Any]

SIGNS: Final = {"allowed": "+", "blocked": "-", "unknown": "?", "mixed": "~"}
_LEGEND: Final = "+ passes   - blocked   ? unknown   ~ depends on the port"
_WIDTH: Final = 80
_NAME: Final = 44
_ACROSS: Final = 8
_MOST_DETAILS: Final = 40


def document(found: Matrix) -> Document:
    """Return the matrix as the contract has it.

    Where all pairs of pods would be too many, `cells` are between those that stand for a group,
    and `groups` says for whom.
    """
    every = expand(found)
    groups = {} if every is not None else {row: list(pods) for row, pods in found.groups.items()}
    return {
        "schema": "sickbay.reach-matrix/v1",
        "version": __version__,
        "rows": list(found.rows),
        "groups": groups,
        "cells": [_cell(cell) for cell in (found.cells if every is None else every)],
        "gaps": [gap_of(gap) for gap in found.gaps],
    }


def _cell(cell: Cell) -> Document:
    data: Document = {
        "from": cell.source,
        "to": cell.target,
        "protocol": cell.protocol.lower(),
        "port": cell.port,
        "verdict": cell.verdict.value,
        "by": ", ".join(cell.by),
    }
    if cell.port is None or cell.ports != str(cell.port):
        data["ports"] = cell.ports
    if cell.same_node is not None:
        data["on_one_node"] = cell.same_node.value
    return data


def render(found: Matrix, form: str) -> str:
    """Return the matrix in one of the output formats."""
    if form == "json":
        return json.dumps(document(found), indent=1, ensure_ascii=False)
    if form == "text":
        return text(found)
    from importlib import import_module  # noqa: PLC0415 - each format only when it is the one

    if form == "yaml":
        rendered: str = import_module("sickbay.report.yaml").render(document(found))
    elif form == "markdown":
        rendered = f"```text\n{text(found)}```\n"
    else:
        rendered = import_module("sickbay.report.html").page("matrix.html", **_drawn(found))
    return rendered


def text(found: Matrix) -> str:
    """A row for each group that sends, a column for each that receives."""
    names = list(found.groups)
    if not names:
        return "There is no pod in these namespaces that could send or receive.\n"
    signs = _signs(found.cells)
    lines = [f"{counted(len(found.rows), 'pod')} in {counted(len(names), 'group')}: {_LEGEND}", ""]
    lines += [f"  {number:>3}  {_label(found, name)}" for number, name in enumerate(names, 1)]
    for start in range(0, len(names), _ACROSS):
        columns = names[start : start + _ACROSS]
        head = "".join(f"{number:>4}" for number in range(start + 1, start + 1 + len(columns)))
        lines += ["", pad("  from \\ to", _NAME) + head]
        for number, name in enumerate(names, 1):
            row = "".join(f"{SIGNS[signs[name, column]]:>4}" for column in columns)
            lines.append(pad(shorten(f"  {number:>3}  {name}", _NAME - 1), _NAME) + row)
    lines += _details(found.cells, signs, names)
    return "\n".join([*lines, *_unseen(found)]) + "\n"


def _signs(cells: Iterable[Cell]) -> dict[tuple[str, str], str]:
    signs: dict[tuple[str, str], str] = {}
    for cell in cells:
        key = (cell.source, cell.target)
        verdict = cell.verdict.value
        if signs.setdefault(key, verdict) != verdict:
            signs[key] = "mixed"
    return signs


def _label(found: Matrix, name: str) -> str:
    others = len(found.groups[name]) - 1
    alike = f" and {others} alike" if others else ""
    return shorten(name, _WIDTH - len(alike) - 8) + alike


def _details(
    cells: Sequence[Cell], signs: dict[tuple[str, str], str], names: Sequence[str]
) -> list[str]:
    """What a sign cannot say: the ports that differ, and who blocks."""
    number = {name: at for at, name in enumerate(names, 1)}
    lines = []
    for cell in cells:
        is_mixed = signs[cell.source, cell.target] == "mixed"
        if not is_mixed and cell.verdict is Verdict.ALLOWED:
            continue
        what = f"{number[cell.source]} -> {number[cell.target]}  {cell.protocol} {cell.ports}"
        by = f" by {', '.join(cell.by)}" if cell.by else ""
        lines += [f"  {line}" for line in wrap(f"{what}: {cell.verdict}{by}", _WIDTH - 2)]
    more = len(lines) - _MOST_DETAILS
    shown = lines[:_MOST_DETAILS]
    if more > 0:
        shown.append(f"  and {counted(more, 'line')} more: use -o json or -o html")
    return ["", "Not simply passing", *shown] if shown else []


def _unseen(found: Matrix) -> list[str]:
    lines = []
    for gap in found.gaps:
        lines += [f"  {line}" for line in wrap(f"- {gap.what}", _WIDTH - 2)]
        if gap.to_open:
            lines.append(f"    $ {gap.to_open}")
    return ["", "Not seen", *lines] if lines else []


def _drawn(found: Matrix) -> Document:
    names = list(found.groups)
    signs = _signs(found.cells)
    told: dict[tuple[str, str], list[str]] = {}
    for cell in found.cells:
        by = f" by {', '.join(cell.by)}" if cell.by else ""
        told.setdefault((cell.source, cell.target), []).append(
            f"{cell.protocol} {cell.ports}: {cell.verdict}{by}"
        )
    rows = [
        {
            "name": name,
            "label": _label(found, name),
            "cells": [
                {
                    "verdict": signs[name, other],
                    "sign": SIGNS[signs[name, other]],
                    "says": f"{name} -> {other}\n" + "\n".join(told[name, other]),
                }
                for other in names
            ],
        }
        for name in names
    ]
    gaps = [gap_of(gap) for gap in found.gaps]
    return {"rows": rows, "pods": len(found.rows), "gaps": gaps, "version": __version__}

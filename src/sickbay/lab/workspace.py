"""The tables of a Log Analytics workspace, at its own address: rows that a world states."""

import re
from collections.abc import Mapping
from typing import Any, Final

from sickbay.lab.answers import Asked, Problem, Reply
from sickbay.lab.estate import Estate

_QUERY: Final = r"/v1/workspaces/([^/]+)/query"
_TYPE: Final = "Microsoft.OperationalInsights/workspaces"
# What is asked for, told by the first table that a question names.
_TABLES: Final = {
    "akscontrolplane": "control-plane",
    "kubeevents": "events",
    "k8snode": "metrics",
    "kubenodeinventory": "nodes",
    "kubepodinventory": "pods",
}


def queried(estate: Estate, asked: Asked) -> Reply | None:
    """What a workspace answers; nothing, where none is asked."""
    found = re.fullmatch(_QUERY, asked.key)
    if asked.method != "POST" or found is None:
        return None
    workspace = _named(estate, found[1])
    if not workspace:
        return Problem(404, "WorkspaceNotFoundError", "The workspace could not be found").reply()
    query = str(asked.body.get("query", "") if isinstance(asked.body, dict) else "").casefold()
    part = next((name for table, name in _TABLES.items() if table in query), "")
    rows = estate.answers.get(f"{workspace}/tables/{part}".casefold(), [])
    return Reply(200, {"tables": [_table(rows)]})


def _named(estate: Estate, customer: str) -> str:
    """The workspace that is known to its clients by a number of its own."""
    for id in estate.store.of_type(_TYPE):
        properties = (estate.store.get(id) or {}).get("properties", {})
        if str(properties.get("customerId", "")).casefold() == customer:
            return id
    return ""


def _table(rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["Message"]
    columns = [{"name": name, "type": "string"} for name in names]
    cells = [[row.get(name) for name in names] for row in rows]
    return {"name": "PrimaryResult", "columns": columns, "rows": cells}

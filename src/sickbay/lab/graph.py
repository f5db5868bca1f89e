"""Resource Graph, as far as questions for resources by type, name, group or field go."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from sickbay.lab.answers import Problem, Reply
from sickbay.lab.bodies import Body
from sickbay.lab.estate import Estate

_TOP: Final = 1000
# One condition: a field, an operator, and a text or a list of texts.
_CONDITION: Final = re.compile(
    r"""(?P<field>[\w.]+)\s*(?P<operator>=~|==|!~|!=|in~|in|contains|startswith|has)\s*
    (?P<value>'[^']*'|"[^"]*"|\([^)]*\))""",
    re.IGNORECASE | re.VERBOSE,
)


def query(estate: Estate, body: Mapping[str, Any]) -> Reply:
    """The resources that a question asks for, in pages."""
    asked = str(body.get("query") or "")
    stages = [stage.strip() for stage in asked.split("|")]
    if not stages[0] or not re.fullmatch(r"\w+", stages[0]):
        return _unreadable().reply()
    options = body.get("options") or {}
    found = [one for one in _rows(estate) if all(_passes(one, stage) for stage in stages[1:])]
    shown = [_projected(one, stages) for one in found]
    start, top = int(options.get("$skipToken") or 0), int(options.get("$top") or _TOP)
    part = shown[start : start + top]
    answer: Body = {"totalRecords": len(shown), "count": len(part), "data": part, "facets": []}
    answer["resultTruncated"] = "false"
    if start + top < len(shown):
        answer["$skipToken"] = str(start + top)
    left = {"x-ms-user-quota-remaining": "14", "x-ms-user-quota-resets-after": "00:00:05"}
    return Reply(200, answer, left)


def _rows(estate: Estate) -> list[Body]:
    scope = f"/subscriptions/{estate.place.subscription}"
    rows: list[Body] = []
    for id in estate.store.top_level(scope):
        body: Body = msgspec.json.decode(estate.store.raw(id) or b"{}")
        group = id.split("/")[4]
        known = {"resourceGroup": group, "subscriptionId": estate.place.subscription}
        rows.append({**body, **known, "type": str(body.get("type", "")).casefold()})
    return rows


def _passes(row: Body, stage: str) -> bool:
    if not stage.casefold().startswith("where "):
        return True
    either = re.split(r"(?i)\s+or\s+", stage[len("where ") :])
    return any(all(_holds(row, one) for one in _CONDITION.finditer(part)) for part in either)


def _holds(row: Body, condition: re.Match[str]) -> bool:
    value, operator = str(_at(row, condition["field"])).casefold(), condition["operator"].casefold()
    wanted = [text.casefold() for text in re.findall(r"['\"]([^'\"]*)['\"]", condition["value"])]
    if operator in ("!~", "!="):
        return value not in wanted
    if operator in ("contains", "has"):
        return any(text in value for text in wanted)
    if operator == "startswith":
        return value.startswith(tuple(wanted))
    return value in wanted


def _at(row: Any, path: str) -> Any:
    for name in path.split("."):
        known = {key.casefold(): key for key in row} if isinstance(row, dict) else {}
        row = row.get(known.get(name.casefold(), name)) if known else None
    return "" if row is None else row


def _projected(row: Body, stages: list[str]) -> Body:
    for stage in stages:
        if stage.casefold().startswith("project "):
            names = [name.strip() for name in stage[len("project ") :].split(",")]
            return {name: _at(row, name) for name in names}
    return row


def _unreadable() -> Problem:
    message = "Please provide below info when asking for support."
    said = "Query is invalid. Please refer to the documentation for the Azure Resource Graph "
    inner = {"code": "InvalidQuery", "message": f"{said}service and fix the error before retrying."}
    parser = {"code": "ParserFailure", "message": "ParserFailure", "line": 1}
    return Problem(400, "BadRequest", message, {"details": [inner, parser]})

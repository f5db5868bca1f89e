"""The answer of `reach`: as a document, and as a text."""

import json
from typing import Any, Final

from sickbay import __version__
from sickbay.bundle.redact import Redactor
from sickbay.network.reach import Reached
from sickbay.network.reach_legs import Leg
from sickbay.network.traffic import Decider, Verdict
from sickbay.report.columns import wrap
from sickbay.report.document import gap_of

Document = dict[str, Any]

_WIDTH: Final = 80
_COLOURS: Final = {"allowed": "32", "blocked": "31", "unknown": "33"}
_PASSES: Final = {"allowed": "passes", "blocked": "BLOCKED", "unknown": "unknown"}


def document(found: Reached, *, explain: bool = False) -> Document:
    """The answer as the contract has it; `considered` only when it was asked for."""
    data: Document = {
        "schema": "sickbay.reach/v1",
        "version": __version__,
        "from": found.source,
        "to": found.target,
        "traffic": found.traffic,
        "verdict": found.verdict.value,
        "by": [_decider(one) for one in found.by],
        "path": [_spoken(leg) for leg in found.legs],
        "gaps": [gap_of(gap) for gap in found.gaps],
    }
    if explain:
        data["considered"] = [
            {"layer": leg.layer, "rules": [_decider(one) for one in leg.decision.considered]}
            for leg in found.legs
        ]
    return Redactor().document(data)  # type: ignore[no-any-return]  # a document stays one


def render(data: Document, form: str, *, colour: bool = False) -> str:
    """Return the answer in one of the output formats."""
    if form == "json":
        return json.dumps(data, indent=2, ensure_ascii=False)
    if form == "text":
        return text(data, colour=colour)
    from importlib import import_module  # noqa: PLC0415 - each format only when it is the one

    if form == "yaml":
        rendered: str = import_module("sickbay.report.yaml").render(data)
    elif form == "markdown":
        rendered = markdown(data)
    else:
        rendered = import_module("sickbay.report.html").page("reach.html", data=data)
    return rendered


def text(data: Document, *, colour: bool = False) -> str:
    """The verdict first, then the way hop by hop, then what could not be seen."""
    verdict = str(data["verdict"])
    head = verdict.upper()
    if colour:
        head = f"\x1b[1;{_COLOURS[verdict]}m{head}\x1b[0m"
    lines = [f"{head}  {data['traffic']}  {data['from']} -> {data['to']}"]
    # What passes is told by the way; what does not, by those who decide.
    for one in data["by"] if verdict != "allowed" else ():
        lines += _hanging(f"  by {one['kind']} {one['name']}: ", one["says"])
    lines += ["", "The way"]
    for number, step in enumerate(data["path"], 1):
        lines += _hanging(f"  {number}  ", step)
    for layer in data.get("considered", ()):
        lines += ["", f"Considered: {layer['layer']}"]
        for number, rule in enumerate(layer["rules"], 1):
            lines += _hanging(f"  {number}  {rule['kind']} {rule['name']}: ", rule["says"])
        if not layer["rules"]:
            lines.append("  nothing")
    lines += _unseen(data["gaps"])
    return "\n".join(lines) + "\n"


def markdown(data: Document) -> str:
    """The same for a ticket."""
    from sickbay.report.markup import inline  # noqa: PLC0415

    lines = [f"## {data['verdict']}: {inline(data['traffic'])}", ""]
    lines.append(f"From {inline(data['from'])} to {inline(data['to'])}.")
    lines += [
        "",
        *(
            f"- {inline(one['kind'] + ' ' + one['name'])}: {inline(one['says'])}"
            for one in data["by"]
        ),
    ]
    lines += ["", "### The way", "", *(f"1. {inline(step)}" for step in data["path"])]
    if data["gaps"]:
        lines += ["", "### Not seen", ""]
        lines += [
            f"- {inline(gap['what'])} ({inline(gap['to_open'] or gap['reason'])})"
            for gap in data["gaps"]
        ]
    return "\n".join(lines) + "\n"


def _hanging(begin: str, words: str) -> list[str]:
    """A line that begins so, and goes on below its beginning."""
    lead = begin[: len(begin) - len(begin.lstrip())]
    hang = lead + "   "
    first, *rest = wrap(begin.strip() + " " + words, _WIDTH - len(hang)) or [begin]
    return [lead + first, *(hang + line for line in rest)]


def _unseen(gaps: list[dict[str, Any]]) -> list[str]:
    if not gaps:
        return []
    lines = ["", "Not seen"]
    for gap in gaps:
        lines += _hanging("  - ", gap["what"])
        if gap["to_open"]:
            lines.append(f"    $ {gap['to_open']}")
    return lines


def _spoken(leg: Leg) -> str:
    decision = leg.decision
    names = ", ".join(dict.fromkeys(f"{by.kind} {by.name}" for by in decision.by))
    said = f"{names} {decision.by[0].says}" if len(decision.by) == 1 else names
    if not said:
        said = "nothing in evidence stands in the way" if not decision.gaps else "not seen"
    return f"{leg.layer}: {_PASSES[decision.verdict]}: {said}"


def _decider(one: Decider) -> dict[str, Any]:
    return {"kind": one.kind, "name": one.name, "says": one.says}


def exit_code(verdict: Verdict) -> int:
    """What a script may conclude."""
    return {Verdict.ALLOWED: 0, Verdict.BLOCKED: 1, Verdict.UNKNOWN: 3}[verdict]

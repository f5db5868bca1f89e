"""How things stand: as a document, and in the forms that are made of it."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from sickbay import __version__
from sickbay.bundle.innermost import innermost
from sickbay.bundle.redact import Redactor
from sickbay.bundle.times import normal
from sickbay.engine.estate import Branch, Estate, Status
from sickbay.model.evidence import Gap
from sickbay.model.state_words import Standing, worst
from sickbay.model.states import State
from sickbay.report.document import gap_of, subject

Document = dict[str, Any]
SCHEMA: Final = "sickbay.status/v1"
FORMATS: Final = ("text", "json", "yaml", "markdown")
_LAST_HEARD: Final = "last heard"
_TIMES: Final = frozenset({_LAST_HEARD, "certificate until"})
_TOLD: Final = (Standing.UNHEALTHY, Standing.UNKNOWN)


def document(found: Status, then: str) -> Document:
    """The states as data; `then` is the command that finds out why."""
    estate, gaps = found.estate, found.gaps
    counts = _counts(estate)
    # An estate can be large: each thing is cleaned as it is written, and not all of them again.
    clean = Redactor().document
    data: Document = {
        "schema": SCHEMA,
        "version": __version__,
        "health": _health(counts, gaps),
        "target": clean(found.target._asdict()),
        "counts": counts,
        "trees": [_branch(root, clean) for root in estate.roots],
        "beside": [_branch(one, clean) for one in estate.beside],
        "gaps": [clean(gap_of(gap)) for gap in gaps],
        "next": then,
    }
    return data


def render(data: Document, form: str, *, colour: bool = False, is_full: bool = False) -> str:
    """Return the states in one of the output formats."""
    if form == "json":
        return json.dumps(data, indent=2, ensure_ascii=False)
    from importlib import import_module  # noqa: PLC0415 - each format only when it is the one

    if form == "yaml":
        rendered: str = import_module("sickbay.report.yaml").render(data)
        return rendered
    module = import_module("sickbay.report.status_text")
    page: str = module.text(data, colour=colour, is_full=is_full)
    if form == "markdown":
        page = module.markdown(data, is_full=is_full)
    return page


def exit_code(data: Document) -> int:
    """What a script may conclude."""
    return {"sick": 1, "unknown": 3, "healthy": 0}[data["health"]]


def _health(counts: dict[str, int], gaps: Sequence[Gap]) -> str:
    if counts[Standing.UNHEALTHY]:
        return "sick"
    is_dark = counts[Standing.UNKNOWN] or any(gap.asked_for for gap in gaps)
    return "unknown" if is_dark or not sum(counts.values()) else "healthy"


def _counts(estate: Estate) -> dict[str, int]:
    """How many things stand how; what stands below two targets counts once."""
    things: dict[str, Standing] = {}
    for root in (*estate.roots, *estate.beside):
        for branch in root.every():
            if branch.states:
                things[branch.ref.key] = branch.own
    return {standing.value: _count(things.values(), standing) for standing in Standing}


def _count(standings: Any, wanted: Standing) -> int:
    return sum(standing is wanted for standing in standings)


def _branch(branch: Branch, clean: Callable[[Document], Document]) -> Document:
    children = [_branch(child, clean) for child in branch.children]
    below = [Standing(child["below"]) for child in children]
    data = clean(
        {
            "subject": subject(branch.ref),
            "standing": branch.own.value,
            "below": worst([branch.own, *below]).value,
            "states": [_state(state) for state in branch.states],
            "since": _since(branch),
            "changed": normal(branch.modified) or None,
            "error": _error(branch),
        }
    )
    data["children"] = children
    return data


def _state(state: State) -> Document:
    value = state.value
    if state.title in _TIMES:
        value = normal(value) or value
    return {"state": state.title, "value": value, "standing": state.standing.value}


def _since(branch: Branch) -> str | None:
    """Since when it is as it is, where a document or an event of the activity log tells."""
    if branch.own not in _TOLD:
        return None
    times = [state.since for state in _worst_first(branch) if state.since]
    silent = any(state.title == "connectivity" for state in _bad(branch))
    if silent:
        times += [state.value for state in branch.states if state.title == _LAST_HEARD]
    failed = branch.said.at if _has_failed(branch) else ""
    found = [normal(one) for one in (*times, failed) if one]
    return next((one for one in found if one), None)


def _error(branch: Branch) -> Document | None:
    if branch.own not in _TOLD:
        return None
    said = [*_said(branch), branch.said.text if _has_failed(branch) else ""]
    text = next((one for one in said if one.strip()), "")
    if not text:
        return None
    found = innermost(text)
    return {"text": found.text, "code": found.code, "carriers": list(found.carriers)}


def _has_failed(branch: Branch) -> bool:
    """Whether an operation on it failed: what was said of such then may be the reason."""
    return any(state.title == "provisioning" for state in _bad(branch))


def _said(branch: Branch) -> Iterator[str]:
    """What the states of a thing say, the worst first; some have their code in their word."""
    for state in _worst_first(branch):
        code = state.value.partition("/")[2]
        if state.says:
            yield state.says
        elif code:
            yield code


def _worst_first(branch: Branch) -> list[State]:
    return sorted(_bad(branch), key=lambda state: -state.standing.weight)


def _bad(branch: Branch) -> Iterator[State]:
    return (state for state in branch.states if state.standing is not Standing.HEALTHY)

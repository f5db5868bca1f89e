"""The report as Markdown, for a ticket."""

from collections.abc import Iterable
from typing import Any, Final

from sickbay.report.chain import links_of
from sickbay.report.labels import counted, label, moment
from sickbay.report.looks import parted
from sickbay.report.markup import fence, inline, prose
from sickbay.report.outline import (
    Entry,
    explained,
    extent,
    first_step,
    outline,
    times_of,
    to_collect,
)
from sickbay.report.shell import join

Document = dict[str, Any]

_MOST_CAUSES: Final = 40
_MOST_EFFECTS: Final = 40
_MOST_GAPS: Final = 60


def render(data: Document) -> str:
    """Return a diagnosis as Markdown."""
    order = outline(data)
    lines = [] if order.entries else _quiet(data)
    for number, entry in enumerate(order.entries[:_MOST_CAUSES]):
        lines += _cause(entry, "Also" if number else "Sick", times_of(data))
    hidden = len(order.entries) - _MOST_CAUSES
    if hidden > 0:
        lines += [f"and {counted(hidden, 'more cause')}", ""]
    for cause in order.notes:
        lines += [f"**Note:** {prose(cause['title'])}: {prose(cause['says'])}", ""]
    lines += _gaps(data["gaps"])
    lines += _crashed(data["crashed"])
    return "\n".join([*lines, "---", "", _footer(data, order.entries)]) + "\n"


def _quiet(data: Document) -> list[str]:
    if data["health"] == "healthy":
        return ["# Healthy: nothing wrong was found", ""]
    return [
        "# Unknown: no known fault was found, but this is too little to call it healthy",
        "",
        "To know more:",
        "",
        *fence("\n".join(to_collect(data)), "sh"),
        "",
    ]


def _cause(entry: Entry, word: str, times: dict[tuple[str, str], str]) -> list[str]:
    cause = entry.cause
    mark = "#" if word == "Sick" else "##"
    lines = [
        f"{mark} {word} ({cause['certainty']}): {prose(cause['title'])}",
        "",
        prose(cause["says"]),
        "",
        *(
            ["The evidence shows this, and not yet what brought it about.", ""]
            if entry.stands_in
            else []
        ),
        *_answer(cause),
        f"- rule: {inline(cause['rule'])}",
        f"- subject: {inline(cause['subject'].get('id') or '-')}",
    ]
    seen = extent(cause)
    lines += [f"- seen: {prose(seen)}", ""] if seen else [""]
    lines += _section("Why", [prose(cause["why"])])
    lines += _section("Could be", _candidates(entry.could_be))
    lines += _section("Chain", _chain(cause, times))
    lines += _section("Evidence", _evidence(cause["evidence"]))
    rivals = [f"- {inline(one['rule'])}: {prose(one['because'])}" for one in cause["ruled_out"]]
    lines += _section("Ruled out", rivals)
    lines += _section("Treatment", _steps(cause["remedy"]))
    return lines + _section("What the vendor says", [f"- <{url}>" for url in _links(cause["docs"])])


def _answer(cause: Document) -> list[str]:
    if cause["certainty"] != "proven" and cause["ask"]:
        return ["**To be sure:**", "", *_look(cause["ask"]), ""]
    step = first_step(cause)
    if step is None:
        return []
    lines = [f"**Do first** ({step['risk']}): {prose(step['text'])}", ""]
    return [*lines, *fence(join(step["run"]), "sh"), ""] if step["run"] else lines


def _chain(cause: Document, times: dict[tuple[str, str], str]) -> list[str]:
    if not cause["explains"]:
        return []
    return [
        f"{'  ' * link.depth}- **{prose(link.label)}** {prose(link.says)}"
        + (f" ({moment(link.at)} UTC)" if link.at else "")
        for link in links_of(cause, times, _MOST_EFFECTS)
    ]


def _evidence(pieces: Iterable[Document]) -> list[str]:
    lines: list[str] = []
    for number, piece in enumerate(pieces, 1):
        place = inline(f"{piece['source']} {piece['locator']}")
        start = f"{number}. "
        quoted = fence(piece["text"], indent=" " * len(start))
        lines += [start + place, "", *quoted, ""]
    return lines[:-1]


def _candidates(causes: Iterable[Document]) -> list[str]:
    lines: list[str] = []
    for cause in causes:
        lines += [f"- {prose(cause['title'])} ({inline(cause['rule'])})"]
        lines += ["", *_look(cause["ask"], "  "), ""] if cause["ask"] else []
    return lines


def _steps(steps: Iterable[Document]) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        lines += [f"{number}. {prose(step['text'])} ({step['risk']})", ""]
        if step["run"]:
            lines += [*fence(join(step["run"]), "sh", "   "), ""]
        if step["verify"]:
            lines += [f"   Check: {prose(step['verify'])}", ""]
    return lines[:-1]


def _look(text: str, indent: str = "") -> list[str]:
    asked, expected = parted(text)
    lines = fence(asked, "sh", indent) if asked else []
    return [*lines, indent + prose(expected)] if expected else lines


def _gaps(gaps: list[Document]) -> list[str]:
    lines = [
        f"- {inline(gap['source'])}: {prose(gap['what'])} ({gap['reason']})"
        for gap in gaps[:_MOST_GAPS]
    ]
    hidden = len(gaps) - _MOST_GAPS
    return _section("Not seen", [*lines, f"- and {hidden} more"] if hidden > 0 else lines)


def _crashed(crashed: list[str]) -> list[str]:
    if not crashed:
        return []
    says = f"{counted(len(crashed), 'rule')} of ours failed, so some faults were not looked for:"
    return _section("Defect", [says, "", *fence("\n".join(crashed))])


def _section(title: str, lines: list[str]) -> list[str]:
    return [f"### {title}", "", *lines, ""] if lines else []


def _links(urls: Iterable[str]) -> list[str]:
    return [url for url in urls if url.startswith("https://") and not set(url) & set("<> \n")]


def _footer(data: Document, entries: tuple[Entry, ...]) -> str:
    looked = data["looked"]
    target = label(data["target"])
    return (
        f"{prose(target)} · {counted(sum(not entry.stands_in for entry in entries), 'cause')}"
        f" · {counted(explained(entries), 'symptom')} explained"
        f" · {len(data['unexplained'])} left over · {counted(looked['files'], 'file')} read,"
        f" {looked['not_understood']} not understood · Sickbay {data['version']}"
    )

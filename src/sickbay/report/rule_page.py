"""The page of a rule, in Markdown: for the documentation and for `rules show`."""

from collections.abc import Iterable
from typing import Final

from sickbay.engine.cards import Card
from sickbay.engine.fill import fill, unfold
from sickbay.model.finding import Weight
from sickbay.report.looks import parted
from sickbay.report.markup import fence, inline, prose
from sickbay.report.shell import join
from sickbay.rulekit.rule import Step

_SHOWS: Final = {
    Weight.DECISIVE: "proves it",
    Weight.TYPICAL: "makes it likely",
    Weight.SYMPTOM: "shows that something is wrong, not yet what",
}


def page(card: Card, causes_of: Iterable[Card], effects_of: Iterable[Card]) -> str:
    """Return the page of a rule; its causes and effects become links to their pages."""
    lines = [
        f"# {prose(card.title)}",
        "",
        f"{inline(card.id)} · {card.severity} · {', '.join(card.categories)}",
        "",
        *_section("Why", [prose(card.why)]),
        *_section("What you see", _signs(card)),
        *_section("The look that decides", _looks(card)),
        *_section("Comes from", _links(causes_of)),
        *_section("Leads to", _links(effects_of)),
        *_section("Treatment", _steps(card.remedy)),
        *_section("What the vendor says", [f"- <{url}>" for url in card.docs]),
    ]
    if card.formerly:
        lines += _section("Formerly", [f"- {inline(id)}" for id in card.formerly])
    return "\n".join(lines).rstrip() + "\n"


def _signs(card: Card) -> list[str]:
    lines: list[str] = []
    for signature in card.signatures:
        lines += [f"A message that {_SHOWS[signature.weight]}:", ""]
        lines += [*fence(signature.sample), ""]
    for check in card.checks:
        what = check.name.replace("_", " ")
        lines += [f"A {inline(check.kind)} that {_SHOWS[check.weight]}: {prose(what)}", ""]
    return lines[:-1]


def _looks(card: Card) -> list[str]:
    looks = dict.fromkeys((card.ask, *(check.look for check in card.checks)))
    commands = [" ".join(filter(None, parted(look))) for look in _filled(filter(None, looks))]
    return fence("\n".join(commands), "sh") if commands else []


def _links(cards: Iterable[Card]) -> list[str]:
    return [
        f"- [{prose(card.title)}](../{card.id.replace('.', '/', 1)}.md) ({inline(card.id)})"
        for card in cards
    ]


def _steps(steps: Iterable[Step]) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        lines += [f"{number}. {prose(fill(unfold(step.text), {}))} ({step.risk})", ""]
        if step.run:
            lines += [*fence(join(_filled(step.run)), "sh", "   "), ""]
        if step.verify:
            lines += [f"   Check: {prose(fill(unfold(step.verify), {}))}", ""]
    return lines[:-1]


def _filled(templates: Iterable[str]) -> list[str]:
    return [fill(template, {}) for template in templates]


def _section(title: str, lines: list[str]) -> list[str]:
    return [f"## {title}", "", *lines, ""] if lines else []

"""Rules as data: what a run needs to know of a rule without importing its file."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sickbay.model.finding import Severity, Weight
from sickbay.rulekit.rule import Category, Risk, Rule, Step
from sickbay.rulekit.signature import Signature


class CheckCard(NamedTuple):
    """A structured check: the kind that it asks about, and its name in the rule's file."""

    kind: str
    name: str
    weight: Weight
    look: str = ""


class Card(NamedTuple):
    """A rule without its functions."""

    id: str
    title: str
    severity: Severity
    categories: tuple[Category, ...]
    signatures: tuple[Signature, ...]
    checks: tuple[CheckCard, ...]
    why: str
    remedy: tuple[Step, ...]
    docs: tuple[str, ...]
    leads_to: tuple[str, ...]
    ask: str
    spreads: bool
    formerly: tuple[str, ...]

    @property
    def is_symptom(self) -> bool:
        """Whether everything that shows this rule only shows that something is wrong."""
        weights = [s.weight for s in self.signatures] + [c.weight for c in self.checks]
        return all(weight is Weight.SYMPTOM for weight in weights)


def card_of(id: str, rule: Rule) -> Card:
    """Describe a rule."""
    signatures = tuple(part for part in rule.detect if isinstance(part, Signature))
    checks = tuple(
        CheckCard(part.kind.kind, part.name, part.weight, part.kind.look)
        for part in rule.detect
        if not isinstance(part, Signature)
    )
    return Card(
        id,
        rule.title,
        rule.severity,
        rule.categories,
        signatures,
        checks,
        rule.why,
        rule.remedy,
        rule.docs,
        rule.leads_to,
        rule.ask,
        rule.spreads,
        rule.formerly,
    )


def encode(card: Card) -> bytes:
    """Write a card as one line of JSON."""
    return json.dumps(card._asdict(), ensure_ascii=False, separators=(",", ":")).encode()


def decode(line: bytes) -> Card:
    """Read a card again."""
    raw: Mapping[str, Any] = json.loads(line)
    return Card(
        raw["id"],
        raw["title"],
        Severity(raw["severity"]),
        tuple(Category(word) for word in raw["categories"]),
        tuple(_signature(part) for part in raw["signatures"]),
        tuple(
            CheckCard(kind, name, Weight(weight), look)
            for kind, name, weight, look in raw["checks"]
        ),
        raw["why"],
        tuple(
            Step(text, tuple(run), Risk(risk), check) for text, run, risk, check in raw["remedy"]
        ),
        tuple(raw["docs"]),
        tuple(raw["leads_to"]),
        raw["ask"],
        raw["spreads"],
        tuple(raw["formerly"]),
    )


def _signature(part: list[Any]) -> Signature:
    pattern, says, sample, near_miss, weight, channels, unless = part
    return Signature(pattern, says, sample, near_miss, Weight(weight), tuple(channels), unless)

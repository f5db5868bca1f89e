"""Rules as data: what a run needs to know of a rule without importing its file."""

import marshal
from typing import Any, Final

from sickbay.engine.confirm import words_of
from sickbay.engine.needs import Words
from sickbay.model.finding import Severity, Weight
from sickbay.record import NamedTuple
from sickbay.rulekit.rule import Category, Risk, Rule, Step
from sickbay.rulekit.signature import Signature

# Without references between values, so that equal rules give equal bytes.
PLAIN: Final = 2


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
    wraps: bool
    vague: bool
    formerly: tuple[str, ...]

    @property
    def is_symptom(self) -> bool:
        """Whether everything that shows this rule only shows that something is wrong."""
        weights = [s.weight for s in self.signatures] + [c.weight for c in self.checks]
        return all(weight is Weight.SYMPTOM for weight in weights)

    @property
    def hands_on(self) -> bool:
        """Whether it can bring about others unseen: texts alone show it, or nothing proves it."""
        return self.is_symptom or not self.checks


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
        rule.wraps,
        rule.vague,
        rule.formerly,
    )


def encode(card: Card) -> bytes:
    """Write a card with the words of its patterns; only the Python that wrote it reads it."""
    words = tuple(words_of(signature.pattern) for signature in card.signatures)
    return marshal.dumps((_plain(card), words), PLAIN)


def _plain(value: Any) -> Any:
    """A value as `marshal` can write it: tuples without names, words without an enumeration."""
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    return str(value) if isinstance(value, str) else value


def decode(data: bytes) -> tuple[Card, tuple[Words, ...]]:
    """Read a card again, and the words that each of its patterns needs."""
    plain, words = marshal.loads(data)  # noqa: S302 - our own file, and its checksum fits
    raw = Card(*plain)
    card = raw._replace(
        severity=Severity(raw.severity),
        categories=tuple(Category(word) for word in raw.categories),
        signatures=tuple(_signature(*part) for part in raw.signatures),
        checks=tuple(
            CheckCard(kind, name, Weight(weight), look) for kind, name, weight, look in raw.checks
        ),
        remedy=tuple(Step(text, run, Risk(risk), check) for text, run, risk, check in raw.remedy),
    )
    return card, words


def _signature(*part: Any) -> Signature:
    found = Signature(*part)
    return found._replace(weight=Weight(found.weight))

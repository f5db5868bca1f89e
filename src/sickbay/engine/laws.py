"""Laws that hold between all rules.

Each returns complaints, so that our tests and a user's `rules test` ask the same.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from sickbay.engine.cards import Card
from sickbay.engine.catalog import Catalog
from sickbay.engine.fill import BRACES, CONTEXT, needed
from sickbay.model.diagnosis import Diagnosis

Explain = Callable[[str], Diagnosis]

_GROUP: Final = re.compile(r"\(\?P<(\w+)>")
_WISHES: Final = ("Ensure", "Check", "Verify", "Make sure", "Should")
_PROGRAM_WORDS: Final = """
az kubectl helm sickbay powershell pwsh ssh curl nslookup ping crictl journalctl systemctl kubelogin
terraform govc Remove-Item Test-NetConnection Resolve-DnsName docker chronyc timedatectl sudo
clusterctl openssl ip asoctl azcmagent winrm Register-AzResourceProvider
"""
_PROGRAMS: Final = frozenset(_PROGRAM_WORDS.split())
_LONGEST_TITLE: Final = 110
_LONGEST_ID: Final = 4


def complaints(catalog: Catalog, id: str, explain: Explain) -> list[str]:
    """Everything that is wrong with one rule, as sentences."""
    card = catalog.card(id)
    laws = (
        _wording(card),
        _parts(card),
        _edges(catalog, card),
        _facts(card),
        _looks(catalog, card),
        _samples(catalog, card, explain),
    )
    return [complaint for law in laws for complaint in law]


def _wording(card: Card) -> Iterator[str]:
    if card.title.startswith(_WISHES) or card.title.endswith("."):
        yield "the title must state the fault, without a full stop"
    if len(card.title) > _LONGEST_TITLE:
        yield f"the title is longer than {_LONGEST_TITLE} characters"
    if len(card.id.partition(".")[2].split("_")) > _LONGEST_ID:
        yield f"the file's name has more than {_LONGEST_ID} words"
    if not card.why.endswith("."):
        yield "`why` must be whole sentences"


def _parts(card: Card) -> Iterator[str]:
    if not card.remedy or not card.categories:
        yield "a rule needs a remedy and a category"
    if not card.signatures and not card.checks:
        yield "a rule needs a detection"
    if not card.docs or not all(url.startswith("https://") for url in card.docs):
        yield "a rule needs the vendor's page, as https"
    for step in card.remedy:
        if step.run and step.run[0] not in _PROGRAMS:
            yield f"`run` must begin with a program, and {step.run[0]!r} is none that is known"


def _edges(catalog: Catalog, card: Card) -> Iterator[str]:
    for effect in card.leads_to:
        if effect not in catalog:
            yield f"leads to {effect}, which is no rule"
    if card.id in catalog.all_effects(card.id):
        yield "leads to itself over " + " or ".join(card.leads_to)
    if card.is_symptom and not catalog.causes_of(card.id):
        yield "is a mere symptom, but no rule leads to it"


def _facts(card: Card) -> Iterator[str]:
    """A fact in a remedy must be captured by every signature.

    What checks provide, their cases show.
    """
    wanted = {name for text in _texts(card) for name in needed(text)} - CONTEXT
    for signature in card.signatures:
        provided = set(_GROUP.findall(signature.pattern))
        for name in sorted(set(BRACES.findall(signature.says)) - provided - CONTEXT):
            yield f"`says` wants {{{name}}}, which its pattern does not capture"
        if not card.checks:
            for name in sorted(wanted - provided):
                yield f"the remedy wants {{{name}}}, which {signature.pattern!r} does not capture"


def missing_facts(card: Card, facts: frozenset[str]) -> list[str]:
    """The facts that a remedy wants and a match of a check did not give."""
    wanted = {name for text in _texts(card) for name in needed(text)}
    return sorted(wanted - CONTEXT - facts)


def _texts(card: Card) -> Iterator[str]:
    yield card.ask
    for step in card.remedy:
        yield from (step.text, step.verify, *step.run)


def _looks(catalog: Catalog, card: Card) -> Iterator[str]:
    if card.ask or any(check.look for check in card.checks) or card.is_symptom:
        return
    if any(catalog.card(effect).is_symptom for effect in catalog.effects_of(card.id)):
        yield "may be the hidden cause of a symptom, but names no look that would tell (`ask`)"


def _samples(catalog: Catalog, card: Card, explain: Explain) -> Iterator[str]:
    allowed = {card.id, *catalog.all_effects(card.id)}
    for signature in card.signatures:
        diagnosis = explain(signature.sample)
        top = diagnosis.causes[0].rule if diagnosis.causes else "nothing"
        if top != card.id:
            yield f"{top} comes first on its sample {signature.sample[:60]!r}"
        beside = {cause.rule for cause in diagnosis.causes if cause.evidence} - allowed
        if beside:
            yield f"{', '.join(sorted(beside))} fires beside it on {signature.sample[:60]!r}"
        near = explain(signature.near_miss)
        fired = {c.rule for c in near.causes if c.evidence} | {
            e.rule for c in near.causes for e in c.explains
        }
        if card.id in fired:
            yield f"fires on its near miss {signature.near_miss[:60]!r}"

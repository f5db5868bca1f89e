"""Rules, findings and catalogues made for a test, without files."""

from collections.abc import Callable
from typing import Any

from sickbay.engine.cards import card_of
from sickbay.engine.catalog import Catalog
from sickbay.engine.diagnose import Case, diagnose
from sickbay.engine.evaluate import Verdicts, evaluate
from sickbay.engine.findings import Finding, fold, from_checks
from sickbay.engine.index import Place, build
from sickbay.model.diagnosis import Diagnosis, Target
from sickbay.model.entity import Entity
from sickbay.model.evidence import Origin
from sickbay.model.finding import Evidence, Severity, Weight
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Check, Clear, Match, Rule, Signature, Step

HEARD = Signature("it broke", "it broke", "it broke", "it holds")
MUTED = HEARD._replace(weight=Weight.SYMPTOM)


def rule(*detect: Signature | Check[Any], **fields: Any) -> Rule:
    """A lawful rule, with whatever a test wants to be different."""
    given: dict[str, Any] = {
        "title": "It is broken",
        "severity": Severity.ERROR,
        "categories": (Category.NODES,),
        "why": "It broke.",
        "remedy": (Step("Mend {name}."),),
        "docs": ("https://example.com",),
    }
    return Rule(detect=detect or (HEARD,), **(given | fields))


class Book(Catalog):
    """A catalogue of rules that are in no file."""

    def __init__(self, **rules: Rule) -> None:
        cards = ((card_of(id, one), Place(id)) for id, one in rules.items())
        super().__init__(build(cards).opened())
        self._rules = rules

    def checks_of(self, id: str) -> tuple[Check[Any], ...]:
        return tuple(part for part in self._rules[id].detect if isinstance(part, Check))


def check(
    kind: type[Entity], test: Callable[[Any, Snapshot], Match | Clear | None]
) -> Check[Entity]:
    return Check(kind, test, Weight.DECISIVE)


def finding(id: str, subject: Ref, **fields: Any) -> Finding:
    given: dict[str, Any] = {
        "says": f"{id} on {subject.name}",
        "facts": {"name": subject.name},
        "weight": Weight.DECISIVE,
        "evidence": (Evidence(Origin("file", subject.id), "text"),),
    }
    return Finding(id, (subject,), **(given | fields))


def diagnosed(book: Catalog, *findings: Finding, **fields: Any) -> Diagnosis:
    """The diagnosis of some findings; `snapshot` and other parts of a case may be given."""
    snapshot = fields.pop("snapshot", Snapshot())
    case = Case(snapshot, Target("evidence", "folder"), {}, **fields)
    return diagnose(book, fold(book, findings), case)


def examined(book: Catalog, snapshot: Snapshot, *heard: Finding) -> Diagnosis:
    """The diagnosis of what the checks see, together with what was heard."""
    verdicts: Verdicts = evaluate(book, snapshot)
    found = from_checks(verdicts.found, snapshot)
    crashed = tuple(f"{id}: {error}" for id, error in verdicts.crashed)
    return diagnosed(
        book, *heard, *found, snapshot=snapshot, unsure=verdicts.unknown, crashed=crashed
    )

"""Folds what fired.

One finding for each failure mode, subject and treatment, with count, first and last.
"""

from collections.abc import Iterable, Mapping

from sickbay.engine.catalog import Catalog
from sickbay.engine.evaluate import Found
from sickbay.engine.fill import facts_of, treatment_key
from sickbay.model.evidence import Origin
from sickbay.model.finding import Cite, Evidence, Weight
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.record import NamedTuple

_STRENGTH = {Weight.DECISIVE: 2, Weight.TYPICAL: 1, Weight.SYMPTOM: 0}
MOST_EVIDENCE = 6
_MOST_APART = 2_000


class Finding(NamedTuple):
    """A failure mode that fired, on one subject or on several that are treated as one."""

    rule: str
    subjects: tuple[Ref, ...]
    says: str
    facts: Mapping[str, str]
    weight: Weight
    evidence: tuple[Evidence, ...]
    times: int = 1
    first: str = ""
    last: str = ""
    # The records that the texts came from, with how deep in its message each text lay.
    records: Mapping[Origin, int] = {}
    carriers: tuple[str, ...] = ()
    # How many of the records another signature of the rule was heard in, and counts them too.
    shared: int = 0
    # Not a fault unless it explains a finding of one of these rules.
    felt_as: tuple[str, ...] = ()
    # Heard in general words alone: it gives way to what says more of the same record.
    vague: bool = False

    @property
    def subject(self) -> Ref:
        return self.subjects[0]


def from_checks(found: Iterable[Found], snapshot: Snapshot) -> list[Finding]:
    """Turn matches of checks into findings, with the places in the evidence that they cite."""
    return [
        Finding(
            one.rule,
            (one.subject,),
            one.match.says,
            {**facts_of(one.subject), **one.match.facts},
            one.weight,
            tuple(_cited(cite, snapshot) for cite in one.match.cites)
            or (Evidence(snapshot.origin(one.subject), one.match.says),),
            first=one.match.at,
            last=one.match.at,
            felt_as=one.match.felt_as,
        )
        for one in found
    ]


def _cited(cite: Cite, snapshot: Snapshot) -> Evidence:
    source, locator = snapshot.origin(cite.ref)
    place = f"{locator}.{cite.path}" if locator and cite.path else locator or cite.path
    return Evidence(Origin(source, place), cite.value)


def fold(catalog: Catalog, findings: Iterable[Finding]) -> list[Finding]:
    """Merge findings of one rule on one subject; of very many also those that one treatment ends.

    Others stay apart until it is known what explains each: the same symptom here and there can have
    two causes.
    """
    by_subject: dict[tuple[str, Ref], Finding] = {}
    for finding in sorted(findings, key=order):
        key = (finding.rule, finding.subject)
        known = by_subject.get(key)
        by_subject[key] = merge(known, finding) if known else finding
    if len(by_subject) <= _MOST_APART:
        return list(by_subject.values())
    by_treatment: dict[tuple[object, ...], Finding] = {}
    for finding in by_subject.values():
        treatment = treatment_of(catalog, finding)
        known = by_treatment.get(treatment)
        by_treatment[treatment] = merge(known, finding) if known else finding
    return list(by_treatment.values())


def treatment_of(catalog: Catalog, finding: Finding) -> tuple[object, ...]:
    """What two findings share that one treatment ends."""
    steps = catalog.card(finding.rule).remedy
    return (finding.rule, finding.weight, *treatment_key(steps, finding.facts))


def merge(known: Finding, other: Finding) -> Finding:
    """Join two findings of one rule; the stronger one speaks for both."""
    strong, weak = (
        (known, other) if _STRENGTH[known.weight] >= _STRENGTH[other.weight] else (other, known)
    )
    subjects = dict.fromkeys((*strong.subjects, *weak.subjects))
    evidence = dict.fromkeys((*strong.evidence, *weak.evidence))
    own = known.times - known.shared + other.times - other.shared
    times = max(known.times, other.times, own)
    return Finding(
        strong.rule,
        tuple(subjects),
        strong.says,
        {**weak.facts, **strong.facts},
        strong.weight,
        tuple(evidence)[:MOST_EVIDENCE],
        times,
        min(filter(None, (known.first, other.first)), default=""),
        max(known.last, other.last),
        {**weak.records, **strong.records},
        strong.carriers or weak.carriers,
        times - own,
        strong.felt_as if weak.felt_as else (),
        known.vague and other.vague,
    )


def _is_heard(finding: Finding) -> bool:
    """Whether a text speaks for a finding, and not a value in a document."""
    said = finding.evidence[0].origin if finding.evidence else None
    return bool(finding.records) and (said is None or said in finding.records)


def order(finding: Finding) -> tuple[object, ...]:
    """An order that does not depend on that of files: the strongest first, values before words."""
    return (
        finding.rule,
        -_STRENGTH[finding.weight],
        _is_heard(finding),
        finding.subject.key,
        finding.first or "~",
        finding.says,
        finding.evidence,
    )

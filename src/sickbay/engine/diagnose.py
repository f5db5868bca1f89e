"""Orders what fired into hypotheses: causes before effects, the one to fix first on top.

The order is by severity (its own, or that of the gravest effect), then certainty, then how many
findings a cause explains, then which began first, then name; what lies beside the target comes
behind what it stands on, and candidates that are only possible come last. Nothing in it depends on
the order of files.
"""

from collections.abc import Iterable, Mapping

from sickbay.engine.catalog import Catalog
from sickbay.engine.causes import Graph, connect, gather, unfelt
from sickbay.engine.differential import Differential, Examiner
from sickbay.engine.evaluate import Unsure
from sickbay.engine.fill import facts_of, fill, treat
from sickbay.engine.findings import Finding
from sickbay.engine.kinship import Kinship
from sickbay.engine.nearness import Nearness
from sickbay.engine.target import with_targets
from sickbay.model.diagnosis import (
    Cause,
    Certainty,
    Diagnosis,
    Effect,
    Health,
    Looked,
    Moment,
    Target,
)
from sickbay.model.evidence import Gap
from sickbay.model.finding import Severity, Weight
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.record import NamedTuple
from sickbay.rulekit.rule import Risk

_CERTAINTY = {
    Weight.DECISIVE: Certainty.PROVEN,
    Weight.TYPICAL: Certainty.LIKELY,
    Weight.SYMPTOM: Certainty.POSSIBLE,
}
_BY_SEVERITY = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
_BY_CERTAINTY = {Certainty.PROVEN: 0, Certainty.LIKELY: 1, Certainty.POSSIBLE: 2}
_MOST_MOMENTS = 300


class Case(NamedTuple):
    """Everything that a diagnosis is made of."""

    snapshot: Snapshot
    target: Target
    facts: dict[str, str]
    # What the checks could not look at.
    unsure: Mapping[str, tuple[Unsure, ...]] = {}
    crashed: tuple[str, ...] = ()
    looked: Looked = Looked()
    # Only causes of these kinds of trouble; none means all.
    categories: tuple[str, ...] = ()


def diagnose(catalog: Catalog, findings: Iterable[Finding], case: Case) -> Diagnosis:
    """Return the diagnosis of a case."""
    kinship = Kinship(case.snapshot)
    graph = connect(catalog, kinship, findings)
    if meant := unfelt(graph):
        case = case._replace(unsure=_doubted(case.unsure, meant))
        graph = connect(catalog, kinship, (one for one in graph.findings if one not in meant))
    graph = gather(catalog, graph)
    writer = _Writer(
        catalog, graph, case, Examiner(catalog, case.snapshot, kinship, case.unsure, case.facts)
    )
    causes = [cause for root in graph.roots() for cause in writer.causes(root)]
    near = Nearness(catalog, kinship, case.target)
    wanted = _once(_wanted(catalog, causes, case.categories))
    causes = sorted(
        wanted,
        key=lambda cause: _rank(cause, _gravity(catalog, cause), is_beside=near.is_beside(cause)),
    )
    unexplained = tuple(
        writer.effect(root, 0)
        for root in graph.roots()
        if graph.findings[root].weight is Weight.SYMPTOM
    )
    return Diagnosis(
        _health(causes, case),
        case.target,
        tuple(with_targets(causes, case.target, kinship)),
        tuple(sorted(unexplained, key=lambda e: (e.rule, e.subject))),
        _gaps(case, writer.unseen),
        _timeline(graph.findings),
        case.crashed,
        case.looked,
    )


class _Writer:
    """Writes the causes of one case."""

    def __init__(self, catalog: Catalog, graph: Graph, case: Case, examiner: Examiner) -> None:
        self._catalog = catalog
        self._graph = graph
        self._case = case
        self._examiner = examiner
        self._fired = frozenset(finding.rule for finding in graph.findings)
        self.unseen: dict[str, Gap] = {}

    def causes(self, root: int) -> list[Cause]:
        """The root itself, and behind a symptom without a cause whatever could be its cause."""
        finding = self._graph.findings[root]
        if finding.weight is not Weight.SYMPTOM:
            symptoms = [self._graph.findings[n] for n, _ in self._graph.reach(root)]
            differential = self._examiner.examine(symptoms, self._fired)
            return [self._cause(root, differential)]
        differential = self._examiner.examine([finding], self._fired)
        self._note_unseen(differential)
        return [self._cause(root, differential), *self._possible(finding, differential)]

    def effect(self, number: int, depth: int) -> Effect:
        finding = self._graph.findings[number]
        return Effect(finding.rule, finding.subject, finding.says, depth)

    def _cause(self, root: int, differential: Differential) -> Cause:
        finding = self._graph.findings[root]
        card = self._catalog.card(finding.rule)
        facts = self._facts(finding)
        certainty = _CERTAINTY[finding.weight]
        ask = "" if certainty is Certainty.PROVEN else self._look(finding, differential)
        return Cause(
            rule=finding.rule,
            title=card.title,
            severity=card.severity,
            certainty=certainty,
            subject=finding.subject,
            says=finding.says,
            why=card.why,
            evidence=finding.evidence,
            explains=tuple(self.effect(n, depth) for n, depth in self._graph.reach(root)),
            ruled_out=differential.reasoned
            if certainty is Certainty.PROVEN
            else differential.ruled_out,
            ask=fill(ask, facts),
            remedy=treat(card.remedy, facts),
            docs=card.docs,
            first_seen=finding.first,
            last_seen=finding.last,
            times=max(finding.times, len(finding.subjects)),
            also=finding.subjects[1:],
            carriers=finding.carriers,
            stands_in=finding.weight is Weight.SYMPTOM,
        )

    def _look(self, finding: Finding, differential: Differential) -> str:
        """What would settle it: the rule's own look, the kind it was not shown, its first step."""
        card = self._catalog.card(finding.rule)
        if card.ask or finding.weight is Weight.SYMPTOM:
            return card.ask or differential.best_look
        unseen = (part.look for part in card.checks if not self._case.snapshot.holds(part.kind))
        first = (" ".join(step.run) for step in card.remedy if step.risk is Risk.READ and step.run)
        return next(filter(None, (*unseen, *first)), differential.best_look)

    def _possible(self, symptom: Finding, differential: Differential) -> list[Cause]:
        facts = self._facts(symptom)
        return [
            Cause(
                rule=card.id,
                title=card.title,
                severity=card.severity,
                certainty=Certainty.POSSIBLE,
                subject=symptom.subject,
                says=f"would explain: {symptom.says}",
                why=card.why,
                ask=fill(look, facts),
                remedy=treat(card.remedy, facts),
                docs=card.docs,
                first_seen=symptom.first,
            )
            for card, look, *_ in differential.open
        ]

    def _facts(self, finding: Finding) -> dict[str, str]:
        return {**self._case.facts, **facts_of(finding.subject), **finding.facts}

    def _note_unseen(self, differential: Differential) -> None:
        for card, look, *_ in differential.open:
            for part in card.checks:
                snapshot = self._case.snapshot
                if not (snapshot.holds(part.kind) or snapshot.has_seen(part.kind)):
                    self.unseen.setdefault(
                        part.kind, Gap(part.kind, "not in the evidence", to_open=look)
                    )


def _doubted(
    unsure: Mapping[str, tuple[Unsure, ...]], meant: Iterable[Finding]
) -> dict[str, tuple[Unsure, ...]]:
    """What the checks could not tell, with the states that may be meant so."""
    doubted = dict(unsure)
    for finding in meant:
        gap = Gap(finding.subject.kind, f"whether it is meant that {finding.says}")
        known = doubted.get(finding.rule, ())
        doubted[finding.rule] = (*known, Unsure(finding.subject, gap))
    return doubted


def _wanted(
    catalog: Catalog, causes: Iterable[Cause], categories: tuple[str, ...]
) -> Iterable[Cause]:
    """Those of a kind of trouble, and those that lead to trouble of that kind."""
    if not categories:
        return causes
    wanted = set(categories)
    return [
        cause
        for cause in causes
        if any(
            wanted & set(catalog.card(rule).categories)
            for rule in (cause.rule, *(effect.rule for effect in cause.explains))
        )
    ]


def _once(causes: Iterable[Cause]) -> list[Cause]:
    """A candidate that two symptoms share is listed once."""
    kept: dict[tuple[str, Ref] | str, Cause] = {}
    for cause in causes:
        is_candidate = cause.certainty is Certainty.POSSIBLE and not cause.stands_in
        kept.setdefault(cause.rule if is_candidate else (cause.rule, cause.subject), cause)
    return list(kept.values())


def _gravity(catalog: Catalog, cause: Cause) -> int:
    """A cause is as grave as the gravest of what it brought about."""
    if cause.severity is Severity.INFO:
        return _BY_SEVERITY[cause.severity]
    brought = (_BY_SEVERITY[catalog.card(effect.rule).severity] for effect in cause.explains)
    return min(_BY_SEVERITY[cause.severity], *brought, _BY_SEVERITY[Severity.INFO])


def _rank(cause: Cause, gravity: int, *, is_beside: bool) -> tuple[object, ...]:
    is_candidate = cause.certainty is Certainty.POSSIBLE and not cause.stands_in
    return (
        is_candidate,
        cause.severity is Severity.INFO,
        is_beside,
        gravity,
        _BY_SEVERITY[cause.severity],
        _BY_CERTAINTY[cause.certainty],
        -len(cause.explains),
        cause.first_seen or "~",
        # Candidates stay in the order of their promise.
        "" if is_candidate else cause.rule,
        cause.subject,
    )


def _health(causes: Iterable[Cause], case: Case) -> Health:
    if any(cause.severity is not Severity.INFO for cause in causes):
        return Health.SICK
    is_blind = any(gap.asked_for for gap in case.snapshot.gaps) or case.crashed
    # A document of a kind that no rule knows is no sign of health.
    has_looked = any(kind.kind for kind in case.snapshot.kinds)
    return Health.HEALTHY if has_looked and not is_blind else Health.UNKNOWN


def _gaps(case: Case, unseen: dict[str, Gap]) -> tuple[Gap, ...]:
    read = sorted(dict.fromkeys(case.snapshot.gaps), key=lambda gap: (gap.source, gap.what))
    return (*read, *(unseen[kind] for kind in sorted(unseen)))


def _timeline(findings: Iterable[Finding]) -> tuple[Moment, ...]:
    moments = {
        Moment(
            at,
            finding.evidence[0].origin.source if finding.evidence else "",
            finding.subject,
            finding.says,
        )
        for finding in findings
        for at in (finding.first, finding.last)
        if at
    }
    return tuple(
        sorted(moments, key=lambda m: (m.at, m.source, m.subject.key, m.says))[:_MOST_MOMENTS]
    )

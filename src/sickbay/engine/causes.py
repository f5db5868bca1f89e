"""The causal graph of a case: which finding explains which, and what is left without a cause.

One finding explains another when its rule leads to the other's rule, their subjects are kin, and it
did not begin after the other had ended. An error that only carried another in its message is
explained by what it carried.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sickbay.engine.catalog import Catalog
from sickbay.engine.findings import Finding, merge, order
from sickbay.engine.kinship import Kinship
from sickbay.model.finding import Weight

_SECONDS = len("2026-01-01T00:00:00")
_MOST_SUBJECTS = 40
_MOST_TO_JOIN = 200


class Graph(NamedTuple):
    """Findings, and for each the findings that it explains directly."""

    findings: tuple[Finding, ...]
    effects: tuple[tuple[int, ...], ...]

    def roots(self) -> tuple[int, ...]:
        """The findings that nothing else explains."""
        explained = {effect for effects in self.effects for effect in effects}
        return tuple(n for n in range(len(self.findings)) if n not in explained)

    def reach(self, start: int) -> tuple[tuple[int, int], ...]:
        """Everything that a finding explains, in drawing order, with its depth."""
        order: list[tuple[int, int]] = []
        seen = {start}
        stack = [(effect, 1) for effect in reversed(self.effects[start])]
        while stack:
            node, depth = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            order.append((node, depth))
            stack += [(effect, depth + 1) for effect in reversed(self.effects[node])]
        return tuple(order)


def connect(catalog: Catalog, kinship: Kinship, findings: Iterable[Finding]) -> Graph:
    """Draw the graph; an edge that a longer path already covers is left out."""
    joined = tuple(_join_kin(kinship, sorted(findings, key=order)))
    by_rule: dict[str, list[int]] = {}
    for number, finding in enumerate(joined):
        by_rule.setdefault(finding.rule, []).append(number)
    reach = [_explained(catalog, kinship, joined, by_rule, n) for n in range(len(joined))]
    _drop_mutual(joined, reach)
    direct = tuple(
        tuple(sorted(e for e in effects if not any(e in reach[m] for m in effects if m != e)))
        for effects in reach
    )
    return Graph(joined, direct)


def _explained(
    catalog: Catalog,
    kinship: Kinship,
    findings: Sequence[Finding],
    by_rule: dict[str, list[int]],
    number: int,
) -> set[int]:
    cause = findings[number]
    card = catalog.card(cause.rule)
    explained = {
        other
        for rule in catalog.all_effects(cause.rule)
        for other in by_rule.get(rule, ())
        if in_time(cause, findings[other])
        and (card.spreads or are_kin(kinship, cause, findings[other]))
    }
    carried = {n for n, other in enumerate(findings) if n != number and carries(other, cause)}
    return explained | carried


def are_kin(kinship: Kinship, one: Finding, other: Finding) -> bool:
    if one.records.keys() & other.records.keys():
        return True
    return any(
        kinship.related(a, b)
        for a in one.subjects[:_MOST_SUBJECTS]
        for b in other.subjects[:_MOST_SUBJECTS]
    )


def in_time(cause: Finding, effect: Finding) -> bool:
    """Whether the cause had begun before the effect was over; undated findings are not excluded."""
    if not cause.first or not effect.last:
        return True
    return cause.first[:_SECONDS] <= effect.last[:_SECONDS]


def carries(outer: Finding, inner: Finding) -> bool:
    """Whether the outer finding is only the wrapping in which the inner one arrived."""
    if outer.weight is not Weight.SYMPTOM:
        return False
    shared = outer.records.keys() & inner.records.keys()
    return any(outer.records[record] < inner.records[record] for record in shared)


def _join_kin(kinship: Kinship, findings: Sequence[Finding]) -> list[Finding]:
    """Findings of one rule on things that stand on each other are one.

    The resource, and the text about its parent.
    """
    joined: list[Finding] = []
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    for group in by_rule.values():
        joined += group if len(group) > _MOST_TO_JOIN else _join_group(kinship, group)
    return joined


def _join_group(kinship: Kinship, group: Sequence[Finding]) -> list[Finding]:
    kept: list[Finding] = []
    for finding in group:
        twin = next((n for n, one in enumerate(kept) if _same(kinship, one, finding)), None)
        if twin is None:
            kept.append(finding)
        else:
            kept[twin] = merge(kept[twin], finding)
    return kept


def _same(kinship: Kinship, one: Finding, other: Finding) -> bool:
    a, b = one.subject, other.subject
    if kinship.is_placed(a) and kinship.is_placed(b):
        return b in kinship.stands_on(a) or a in kinship.stands_on(b)
    return "text" in (a.kind, b.kind) or a in kinship.stands_on(b) or b in kinship.stands_on(a)


def _drop_mutual(findings: Sequence[Finding], reach: list[set[int]]) -> None:
    """Two findings that would explain each other (through carrying and leading).

    The earlier in order keeps its claim.
    """
    for one in range(len(findings)):
        for other in list(reach[one]):
            if one in reach[other]:
                reach[max(one, other)].discard(min(one, other))

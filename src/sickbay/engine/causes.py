"""The causal graph of a case: which finding explains which, and what is left without a cause.

One finding explains another when its rule leads to the other's rule, their subjects are kin, and it
did not begin after the other had ended. An error that only carried another in its message is
explained by what it carried.
"""

from collections.abc import Container, Iterable, Sequence

from sickbay.bundle.times import seconds_between
from sickbay.engine.catalog import Catalog
from sickbay.engine.fill import vagueness
from sickbay.engine.findings import Finding, merge, order
from sickbay.engine.kinship import Kinship
from sickbay.model.finding import Weight
from sickbay.record import NamedTuple
from sickbay.rulekit.rule import Step

_SAME_TIME = 600
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
    joined = tuple(_join_kin(catalog, kinship, sorted(findings, key=order)))
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


def unfelt(graph: Graph) -> list[Finding]:
    """The states that may be meant so, and hurt nobody."""
    return [one for number, one in enumerate(graph.findings) if not _is_felt(graph, number)]


def _is_felt(graph: Graph, number: int) -> bool:
    cause = graph.findings[number]
    effects = (graph.findings[effect] for effect, _ in graph.reach(number))
    return not cause.felt_as or any(
        effect.rule in cause.felt_as and _of_one_host(cause, effect) for effect in effects
    )


def _of_one_host(cause: Finding, effect: Finding) -> bool:
    """Whether both speak of one host, as far as both name theirs."""
    hosts = cause.facts.get("hosts", "").casefold().split()
    host = effect.subject.name
    is_named = effect.subject.kind == "host" and any(sign.isalpha() for sign in host)
    return not hosts or not is_named or host in hosts


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
        for rule in _felt(catalog, cause.rule, by_rule)
        for other in by_rule.get(rule, ())
        if in_time(cause, findings[other])
        and (card.spreads or are_kin(kinship, cause, findings[other]))
    }
    carried = {n for n, other in enumerate(findings) if n != number and carries(other, cause)}
    return explained | carried


def _felt(catalog: Catalog, rule: str, fired: Container[str]) -> Iterable[str]:
    """The rules that one can have brought about here.

    Through what fired, and through what shows in texts alone, which nobody may have saved. A fault
    that documents show, and that they did not show, hands nothing on.
    """
    felt: dict[str, None] = {}
    todo = list(catalog.effects_of(rule))
    while todo:
        effect = todo.pop()
        if effect in felt or effect not in catalog:
            continue
        felt[effect] = None
        card = catalog.card(effect)
        if effect in fired or card.is_symptom or not card.checks:
            todo += catalog.effects_of(effect)
    return felt


def are_kin(kinship: Kinship, one: Finding, other: Finding) -> bool:
    if one.records.keys() & other.records.keys():
        return True
    return any(
        kinship.related(a, b)
        for a in one.subjects[:_MOST_SUBJECTS]
        for b in other.subjects[:_MOST_SUBJECTS]
    )


def in_time(cause: Finding, effect: Finding) -> bool:
    """Whether the cause had begun before the effect was over; undated findings are not excluded.

    What is written down first is not always what came first: ten minutes are the same time.
    """
    if not cause.first or not effect.last or cause.first <= effect.last:
        return True
    return seconds_between(effect.last, cause.first) <= _SAME_TIME


def carries(outer: Finding, inner: Finding) -> bool:
    """Whether the outer finding is only the wrapping in which the inner one arrived."""
    if outer.weight is not Weight.SYMPTOM:
        return False
    shared = outer.records.keys() & inner.records.keys()
    return any(outer.records[record] < inner.records[record] for record in shared)


def _join_kin(catalog: Catalog, kinship: Kinship, findings: Sequence[Finding]) -> list[Finding]:
    """Findings of one rule on things that stand on each other are one.

    One may be about the resource, the other a text about its parent.
    """
    joined: list[Finding] = []
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    for rule, group in by_rule.items():
        steps = catalog.card(rule).remedy
        joined += group if len(group) > _MOST_TO_JOIN else _join_group(kinship, group, steps)
    return joined


def _join_group(
    kinship: Kinship, group: Sequence[Finding], steps: tuple[Step, ...]
) -> list[Finding]:
    kept: list[Finding] = []
    for finding in group:
        twin = next((n for n, one in enumerate(kept) if _same(kinship, one, finding, steps)), None)
        if twin is None:
            kept.append(finding)
        else:
            kept[twin] = merge(kept[twin], finding)
    return kept


def _same(kinship: Kinship, one: Finding, other: Finding, steps: tuple[Step, ...]) -> bool:
    a, b = one.subject, other.subject
    if b in kinship.stands_on(a) or a in kinship.stands_on(b):
        return True
    if kinship.is_placed(a) and kinship.is_placed(b):
        return False
    # A text that cannot say what to treat speaks of the one that can be named.
    if "text" in (a.kind, b.kind):
        return True
    return vagueness(steps, one.facts) != vagueness(steps, other.facts)


def _drop_mutual(findings: Sequence[Finding], reach: list[set[int]]) -> None:
    """Two findings that would explain each other (through carrying and leading).

    The earlier in order keeps its claim.
    """
    for one in range(len(findings)):
        for other in list(reach[one]):
            if one in reach[other]:
                reach[max(one, other)].discard(min(one, other))

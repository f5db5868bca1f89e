"""The causal graph of a case: which finding explains which, and what is left without a cause.

One finding explains another when its rule leads to the other's rule, their subjects are kin, and it
did not begin after the other had ended. An error that only carried another in its message is
explained by what it carried.
"""

from collections.abc import Container, Iterable, Mapping, Sequence

from sickbay.bundle.times import seconds_between
from sickbay.engine.callers import (
    Callers,
    complains_itself,
    is_elsewhere,
    is_named_in,
    says_of_others,
)
from sickbay.engine.catalog import Catalog
from sickbay.engine.fill import vagueness
from sickbay.engine.findings import Finding, merge, order, treatment_of
from sickbay.engine.kinship import Kinship, namespace_of
from sickbay.model.evidence import Origin
from sickbay.model.finding import Severity, Weight
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
    telling = _without_vague(catalog, list(findings))
    joined = tuple(_join_kin(catalog, kinship, sorted(telling, key=order)))
    linker = _Linker(catalog, kinship, joined)
    reach = [linker.explained(number) for number in range(len(joined))]
    _drop_mutual(joined, reach)
    return Graph(joined, _direct(reach))


def _without_vague(catalog: Catalog, findings: Sequence[Finding]) -> list[Finding]:
    """Leave out what is said in general words where the same record says more.

    What the general words of a rule lead to says no more than they do. A signature that is vague
    where its rule is not speaks of whatever a service answers: it gives way to all that knows more
    of the matter, and explains only what merely carries the answer or is a symptom of it.
    """
    by_record: dict[Origin, list[Finding]] = {}
    for finding in findings:
        if catalog.card(finding.rule).severity is not Severity.INFO:
            for record in finding.records:
                by_record.setdefault(record, []).append(finding)
    return [one for one in findings if not _is_outdone(catalog, one, by_record)]


def _is_outdone(
    catalog: Catalog, finding: Finding, beside: Mapping[Origin, Sequence[Finding]]
) -> bool:
    if not (finding.vague or catalog.card(finding.rule).vague) or not finding.records:
        return False
    effects = catalog.all_effects(finding.rule)
    return all(
        any(_says_more(catalog, other, finding, effects) for other in beside.get(record, ()))
        for record in finding.records
    )


def _says_more(catalog: Catalog, other: Finding, finding: Finding, effects: Container[str]) -> bool:
    card = catalog.card(other.rule)
    if other.rule == finding.rule or other.vague:
        return False
    if finding.vague:
        is_plain = card.wraps or other.weight is Weight.SYMPTOM
        return not (is_plain and other.rule in effects)
    return not card.vague and not card.wraps and other.rule not in effects


def gather(catalog: Catalog, graph: Graph) -> Graph:
    """Make one of the findings that one treatment ends, as far as the same explains them."""
    treatments = [treatment_of(catalog, finding) for finding in graph.findings]
    behind = _behind(graph, treatments)
    groups: dict[tuple[object, ...], int] = {}
    group_of: dict[int, int] = {}
    # Causes first, because what they explain is told apart by them.
    for number in sorted(range(len(behind)), key=lambda n: (bool(behind[n]), n)):
        causes = frozenset(group_of[root] for root in behind[number] if root in group_of)
        group_of[number] = groups.setdefault((causes, treatments[number]), len(groups))
    merged: dict[int, Finding] = {}
    effects: list[set[int]] = [set() for _ in groups]
    for number, finding in enumerate(graph.findings):
        group = group_of[number]
        merged[group] = merge(merged[group], finding) if group in merged else finding
        effects[group] |= {group_of[effect] for effect in graph.effects[number]} - {group}
    return Graph(tuple(merged[group] for group in range(len(groups))), _direct(effects))


def _behind(graph: Graph, treatments: Sequence[tuple[object, ...]]) -> list[set[int]]:
    """The causes of each finding, by number."""
    behind: list[set[int]] = [set() for _ in graph.findings]
    for root in graph.roots():
        for number, _ in graph.reach(root):
            behind[number].add(root)
    explained = {treatments[n]: causes for n, causes in reversed(list(enumerate(behind))) if causes}
    # A symptom of Azure without a cause of its own is likely that of its siblings.
    shared = {
        number: explained[treatments[number]]
        for number, finding in enumerate(graph.findings)
        if not behind[number]
        and finding.weight is Weight.SYMPTOM
        and not namespace_of(finding.subject)
        and treatments[number] in explained
    }
    for number, causes in shared.items():
        behind[number] = causes - {number}
    return [{c for one in causes for c in shared.get(one, {one})} for causes in behind]


def _direct(reach: Sequence[set[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(sorted(e for e in effects if not any(e in reach[m] for m in effects if m != e)))
        for effects in reach
    )


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
    is_address = not any(sign.isalpha() for sign in host)
    knows_addresses = any(one.replace(".", "").isdigit() for one in hosts)
    is_named = effect.subject.kind == "host" and (knows_addresses or not is_address)
    return not hosts or not is_named or host in hosts


class _Linker:
    """Finds what each finding explains."""

    def __init__(self, catalog: Catalog, kinship: Kinship, findings: Sequence[Finding]) -> None:
        self._catalog, self._kinship, self._findings = catalog, kinship, findings
        self._by_rule: dict[str, list[int]] = {}
        self._by_record: dict[Origin, list[int]] = {}
        self._callers = Callers(kinship.snapshot, findings)
        for number, finding in enumerate(findings):
            self._by_rule.setdefault(finding.rule, []).append(number)
            for record in finding.records:
                self._by_record.setdefault(record, []).append(number)

    def explained(self, number: int) -> set[int]:
        return self._led_to(number) | self._carried(number) | self._ended(number)

    def _led_to(self, number: int) -> set[int]:
        cause, findings = self._findings[number], self._findings
        spreads = self._catalog.card(cause.rule).spreads
        return {
            other
            for rule in _felt(self._catalog, cause.rule, self._by_rule)
            for other in self._by_rule.get(rule, ())
            if in_time(cause, findings[other])
            and not says_of_others(cause, findings[other])
            and not self._is_own(cause, findings[other])
            and not is_elsewhere(cause, findings[other])
            and (
                spreads
                or are_kin(self._kinship, cause, findings[other])
                or self._callers.are_called(cause, findings[other])
                or is_named_in(cause, findings[other])
            )
        }

    def _ended(self, number: int) -> set[int]:
        """What ended because of a connection of which it complains itself."""
        complaint = self._findings[number]
        if not complaint.rule.startswith("network."):
            return set()
        return {
            other
            for other, end in enumerate(self._findings)
            if self._is_own(end, complaint) and self._is_way_between(end, complaint)
        }

    def _is_own(self, end: Finding, complaint: Finding) -> bool:
        is_bare = complaint.weight is Weight.SYMPTOM or self._catalog.card(complaint.rule).vague
        return is_bare and end.weight is Weight.SYMPTOM and complains_itself(end, complaint)

    def _is_way_between(self, one: Finding, other: Finding) -> bool:
        effects = self._catalog.all_effects
        return one.rule in effects(other.rule) or other.rule in effects(one.rule)

    def _carried(self, number: int) -> set[int]:
        cause = self._findings[number]
        is_note = self._catalog.card(cause.rule).severity is Severity.INFO
        beside = {n for record in cause.records for n in self._by_record[record]} - {number}
        return {
            n
            for n in beside
            if carries(
                self._findings[n],
                cause,
                is_bare=_only_wraps(self._catalog, self._findings[n], cause),
                is_note=is_note,
            )
        }


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
        if effect in fired or catalog.hands_on(effect):
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


def carries(
    outer: Finding, inner: Finding, *, is_bare: bool = False, is_note: bool = False
) -> bool:
    """Whether the outer finding is only the wrapping in which the inner one arrived.

    Either it lies around the other, or it is the code of the very message that names the cause. Of
    two symptoms side by side none explains the other, unless one is bare wrapping; and a note
    beside an error, as in a table of objects, does not explain it.
    """
    is_more = inner.weight is not Weight.SYMPTOM
    if outer.weight is not Weight.SYMPTOM and not (is_bare and is_more):
        return False
    nearest = 0 if (is_bare or is_more) and not is_note else 1
    shared = outer.records.keys() & inner.records.keys()
    return any(inner.records[record] - outer.records[record] >= nearest for record in shared)


def _only_wraps(catalog: Catalog, outer: Finding, inner: Finding) -> bool:
    return catalog.card(outer.rule).wraps and not catalog.card(inner.rule).wraps


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

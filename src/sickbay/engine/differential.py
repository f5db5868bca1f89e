"""Differential diagnosis.

The causes that a symptom could have, which are ruled out, and the look that would decide.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from sickbay.engine.cards import Card
from sickbay.engine.catalog import Catalog
from sickbay.engine.evaluate import Unsure, ask
from sickbay.engine.fill import fill
from sickbay.engine.findings import Finding
from sickbay.engine.kinship import Kinship
from sickbay.model.diagnosis import RuledOut
from sickbay.model.finding import Clear
from sickbay.model.snapshot import Snapshot
from sickbay.record import NamedTuple

_MOST_POSSIBLE = 10
_MOST_ASKED = 5
_MOST_NEIGHBOURS = 50

if TYPE_CHECKING:
    from sickbay.model.entity import Entity


class Open(NamedTuple):
    """A candidate that the evidence neither shows nor excludes.

    And the look that would decide it.
    """

    card: Card
    look: str
    # A check looked at something that the symptom stands on, and wants to see more of it.
    is_near: bool = False
    # How many links of the causal graph lie between it and the symptom.
    links: int = 1
    # It speaks of another part of the estate than the symptom.
    is_elsewhere: bool = False


class Differential(NamedTuple):
    open: tuple[Open, ...]
    ruled_out: tuple[RuledOut, ...]
    # Those of the ruled out that have more to say than that it is not so.
    reasoned: tuple[RuledOut, ...]
    # The one look that decides most.
    best_look: str = ""


def candidates(catalog: Catalog, rule: str) -> dict[str, int]:
    """The rules that may be behind one, and how many links away each is.

    What leads to it, and behind a mere symptom what leads to that.
    """
    found: dict[str, int] = {}
    todo = [(cause, 1) for cause in catalog.causes_of(rule)]
    while todo:
        cause, links = todo.pop(0)
        if cause in found:
            continue
        found[cause] = links
        if catalog.card(cause).is_symptom:
            todo += [(behind, links + 1) for behind in catalog.causes_of(cause)]
    return {cause: links for cause, links in found.items() if not catalog.card(cause).is_symptom}


class Examiner:
    """Asks the candidates of a symptom about the things that it can stand on."""

    def __init__(
        self,
        catalog: Catalog,
        snapshot: Snapshot,
        kinship: Kinship,
        unsure: Mapping[str, tuple[Unsure, ...]],
        facts: Mapping[str, str],
    ) -> None:
        self._catalog = catalog
        self._snapshot = snapshot
        self._kinship = kinship
        self._unsure = unsure
        self._facts = facts

    def examine(self, symptoms: Iterable[Finding], found: frozenset[str]) -> Differential:
        """Sort the candidates behind some symptoms; those that fired elsewhere are left out."""
        still_open: dict[str, Open] = {}
        excluded: dict[str, str] = {}
        for symptom in symptoms:
            family = symptom.rule.partition(".")[0]
            for rule, links in candidates(self._catalog, symptom.rule).items():
                if rule in found or rule in still_open or rule in excluded:
                    continue
                card = self._catalog.card(rule)
                because, look = self._decide(card, symptom)
                if because:
                    excluded[rule] = because
                else:
                    asked = fill(look or card.ask, {**self._facts, **symptom.facts})
                    is_elsewhere = rule.partition(".")[0] != family
                    still_open[rule] = Open(
                        card, asked, self._is_near(card, symptom), links, is_elsewhere
                    )
        ranked = sorted(still_open.values(), key=_promise)
        plain = {rule: _plain_reason(self._catalog.card(rule)) for rule in excluded}
        ordered = sorted(excluded, key=lambda rule: (excluded[rule] == plain[rule], rule))
        return Differential(
            tuple(_spread(ranked)),
            tuple(RuledOut(rule, excluded[rule]) for rule in ordered),
            tuple(
                RuledOut(rule, excluded[rule]) for rule in ordered if excluded[rule] != plain[rule]
            ),
            best_look(ranked),
        )

    def _decide(self, card: Card, symptom: Finding) -> tuple[str, str]:
        """Return why a candidate is excluded, or else the look that would tell.

        Every check was asked about everything of its kind, and this rule did not match: so it is
        excluded unless one of its checks could not look at something that the symptom stands on.
        """
        if not card.checks:
            return "", card.ask
        for subject, gap in self._unsure.get(card.id, ()):
            if subject is None or self._kinship.related(subject, symptom.subject):
                return "", gap.to_open or card.ask
        for part in card.checks:
            if not self._snapshot.holds(part.kind) and not self._snapshot.has_seen(part.kind):
                return "", part.look or card.ask
        reasons = list(dict.fromkeys(self._reasons(card, symptom)))
        return "; ".join(reasons[:2]) or _plain_reason(card), ""

    def _is_near(self, card: Card, symptom: Finding) -> bool:
        unsure = self._unsure.get(card.id, ())
        return any(one and self._kinship.related(one, symptom.subject) for one, _ in unsure)

    def _reasons(self, card: Card, symptom: Finding) -> Iterator[str]:
        """The arithmetic of the nearest things; a few are enough to show it."""
        for check in self._catalog.checks_of(card.id):
            for entity in self._near(check.kind, symptom)[:_MOST_ASKED]:
                answer = ask(check, entity, self._snapshot)
                if isinstance(answer, Clear) and answer.because:
                    yield answer.because

    def _near(self, kind: type["Entity"], symptom: Finding) -> list["Entity"]:
        below = sorted(self._kinship.stands_on(symptom.subject))
        found = [self._snapshot.find(ref) for ref in below]
        nearest = [entity for entity in found if isinstance(entity, kind)]
        if nearest or not self._snapshot.holds(kind.kind):
            return nearest
        others = self._snapshot.some(kind)[:_MOST_NEIGHBOURS]
        return [e for e in others if self._kinship.related(e.ref, symptom.subject)]


def best_look(ranked: list[Open]) -> str:
    """The look that decides most of the candidates, asked of the nearest that have one."""
    with_look = [one for one in ranked if one.look]
    near = [one for one in with_look if one.is_near]
    home = [one for one in with_look if not one.is_elsewhere]
    looks = Counter(one.look for one in near or home or with_look)
    return min(looks, key=lambda look: (-looks[look], look), default="")


def _spread(ranked: list[Open]) -> list[Open]:
    """The most promising candidates: one for each look, the nearest first."""
    first = {one.look: place for place, one in reversed(list(enumerate(ranked)))}
    wanted = Counter(one.look for one in ranked)

    def order(at: int) -> tuple[object, ...]:
        one = ranked[at]
        is_repeated = first[one.look] != at
        return not one.is_near, one.is_elsewhere, is_repeated, one.links, -wanted[one.look], at

    places = sorted(range(len(ranked)), key=order)
    return [ranked[at] for at in sorted(places[:_MOST_POSSIBLE])]


def _promise(one: Open) -> tuple[object, ...]:
    """What is seen to be near, then what is near in the causal graph, then what has a look."""
    card = one.card
    return card.severity, not one.is_near, one.links, one.is_elsewhere, not one.look, card.id


def _plain_reason(card: Card) -> str:
    kinds = " and ".join(dict.fromkeys(part.kind.rpartition("/")[2] for part in card.checks))
    return f"{kinds} looked at: not so"

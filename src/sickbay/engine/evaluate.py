"""Applies a catalogue to a snapshot. The only place where a failing rule is caught."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sickbay.engine.catalog import Catalog
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.finding import Clear, Crashed, Match, Outcome, Unknown, Weight
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.record import NamedTuple
from sickbay.rulekit.check import Check

if TYPE_CHECKING:
    from sickbay.model.entity import Entity


_MOST_UNSURE = 100


class Found(NamedTuple):
    """A check that matched."""

    rule: str
    subject: Ref
    match: Match
    weight: Weight


class Unsure(NamedTuple):
    """A check that could not look; without a subject, at none of its kind."""

    subject: Ref | None
    gap: Gap


class Verdicts(NamedTuple):
    """What the checks said.

    Clear answers are not kept: they are asked again for the few subjects that matter.
    """

    found: tuple[Found, ...]
    unknown: Mapping[str, tuple["Unsure", ...]]
    crashed: tuple[tuple[str, str], ...]


def evaluate(catalog: Catalog, snapshot: Snapshot) -> Verdicts:
    """Ask every check about every entity of its kind."""
    told = _Told()
    for kind in catalog.checked_kinds:
        try:
            subjects = snapshot.some(catalog.class_of(kind))
        except UnseenError as unseen:
            for rule in catalog.checking(kind):
                told.unsure(rule, None, unseen.gap)
            continue
        # Most kinds are not in evidence, and importing the checks of a kind takes time.
        for rule, check in catalog.checks(kind) if subjects else ():
            for subject, outcome in _answers(check, subjects, snapshot):
                told.note(rule, check, subject, outcome)
    unknown = {rule: tuple(cases) for rule, cases in told.unknown.items()}
    return Verdicts(tuple(told.found), unknown, tuple(told.crashed.items()))


class _Told:
    """What the checks have said so far."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.unknown: dict[str, list[Unsure]] = {}
        self.crashed: dict[str, str] = {}

    def note(self, rule: str, check: Check[Any], subject: "Entity", outcome: Outcome) -> None:
        match outcome:
            case Match():
                about = outcome.subject or subject.ref
                self.found.append(Found(rule, about, outcome, outcome.weight or check.weight))
            case Unknown():
                self.unsure(rule, subject.ref, outcome.gap)
            case Crashed():
                self.crashed[rule] = outcome.error

    def unsure(self, rule: str, subject: Ref | None, gap: Gap) -> None:
        """Keep so many subjects; beyond that, it could not look at any."""
        cases = self.unknown.setdefault(rule, [])
        if len(cases) <= _MOST_UNSURE:
            cases.append(Unsure(subject if len(cases) < _MOST_UNSURE else None, gap))


def _answers(
    check: Check[Any], subjects: "Iterable[Entity]", snapshot: Snapshot
) -> "list[tuple[Entity, Outcome]]":
    """Collect every answer but a no, plain or reasoned.

    One crash ends the check, since the next entity would crash it too.
    """
    answers: list[tuple[Entity, Outcome]] = []
    test = check.test
    for subject in subjects:
        # `ask`, written out: it is asked of a million pairs, and the answer is nearly always no.
        try:
            answer = test(subject, snapshot)
            if answer is None or type(answer) is Clear:
                continue
        except UnseenError as unseen:
            answers.append((subject, Unknown(unseen.gap)))
            continue
        except Exception as error:
            answers.append((subject, _crashed(error)))
            break
        answers.append((subject, answer))
    return answers


def ask(check: Check[Any], subject: "Entity", snapshot: Snapshot) -> Outcome:
    """Ask one check about one entity."""
    try:
        return check.test(subject, snapshot) or _CLEAR
    except UnseenError as unseen:
        return Unknown(unseen.gap)
    except Exception as error:
        return _crashed(error)


def _crashed(error: Exception) -> Crashed:
    import traceback  # noqa: PLC0415 - slow to import, and hardly ever needed

    where = traceback.extract_tb(error.__traceback__)[-1]
    return Crashed(f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})")


_CLEAR = Clear()

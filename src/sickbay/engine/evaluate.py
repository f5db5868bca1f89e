"""Applies a catalogue to a snapshot. The only place where a failing rule is caught."""

from collections.abc import Mapping
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
    found: list[Found] = []
    unknown: dict[str, list[Unsure]] = {}
    crashed: dict[str, str] = {}
    for kind in catalog.checked_kinds:
        for rule, check in catalog.checks(kind):
            for subject, outcome in _answers(check, snapshot):
                match outcome:
                    case Match():
                        weight = outcome.weight or check.weight
                        about = outcome.subject or (subject and subject.ref) or Ref("snapshot", "")
                        found.append(Found(rule, about, outcome, weight))
                    case Unknown():
                        _note(unknown.setdefault(rule, []), subject, outcome.gap)
                    case Crashed():
                        crashed[rule] = outcome.error
    kept = {rule: tuple(cases) for rule, cases in unknown.items()}
    return Verdicts(tuple(found), kept, tuple(crashed.items()))


def _note(cases: list[Unsure], subject: "Entity | None", gap: Gap) -> None:
    """Keep so many subjects; beyond that, it could not look at any."""
    if len(cases) < _MOST_UNSURE:
        cases.append(Unsure(subject.ref if subject else None, gap))
    elif len(cases) == _MOST_UNSURE:
        cases.append(Unsure(None, gap))


def _answers(check: Check[Any], snapshot: Snapshot) -> list[tuple["Entity | None", Outcome]]:
    """Collect every answer but a no, plain or reasoned.

    One crash ends the check, since the next entity would crash it too.
    """
    try:
        subjects = snapshot.some(check.kind)
    except UnseenError as unseen:
        return [(None, Unknown(unseen.gap))]
    answers: list[tuple[Entity | None, Outcome]] = []
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

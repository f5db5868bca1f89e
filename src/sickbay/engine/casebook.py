"""Runs the cases of a rule: documents in, and for each subject what the rule's checks say of it."""

from typing import Any, NamedTuple

from sickbay.bundle.build import Builder
from sickbay.bundle.foreign.values import take
from sickbay.bundle.frame import Frame
from sickbay.engine.catalog import Catalog
from sickbay.engine.evaluate import ask
from sickbay.engine.laws import missing_facts
from sickbay.model.evidence import Text, UnseenError
from sickbay.model.finding import Clear, Crashed, Match, Outcome, Unknown
from sickbay.model.snapshot import Snapshot

NOBODY = "-"


class _Deaf:
    """Hears nothing: cases are about documents."""

    def add(self, text: Text) -> None: ...
    def scan_blocks(self, blocks: object, frame: Frame) -> None: ...


class CaseResult(NamedTuple):
    complaints: tuple[str, ...]
    shown: frozenset[str]


def run_cases(catalog: Catalog, id: str, cases: Any) -> list[str]:
    """Return what is wrong with a rule's cases.

    Unmet expectations, and outcomes that no case shows.
    """
    found: list[str] = []
    shown: set[str] = set()
    if not isinstance(cases, list) or not all(map(_is_case, cases)):
        return ["the file of cases must be a list, and each case have a name and what to expect"]
    for case in cases:
        result = _run(catalog, id, case)
        found += result.complaints
        shown |= result.shown
    for need in ("Match", "Clear", "Unknown"):
        if need not in shown:
            found.append(f"no case shows the check say {need}")
    return found


def _is_case(case: object) -> bool:
    return isinstance(case, dict) and "name" in case and isinstance(case.get("expect"), dict)


def snapshot_of(case: dict[str, Any]) -> Snapshot:
    """Build the snapshot of a case. A kind counts as read to its end only where `seen` says so."""
    builder = Builder(_Deaf())
    for number, document in enumerate(case.get("documents") or ()):
        take(document, f"document {number + 1}", builder)
    snapshot = builder.finish()
    seen = [
        (str(s), "") if isinstance(s, str) else (s["kind"], s["scope"])
        for s in case.get("seen") or ()
    ]
    return snapshot.with_seen(seen)


def _run(catalog: Catalog, id: str, case: dict[str, Any]) -> CaseResult:
    outcomes = outcomes_of(catalog, id, snapshot_of(case))
    name, expect = case["name"], dict(case["expect"])
    complaints = []
    for subject, outcome in outcomes.items():
        word = in_words(outcome)
        short = subject.rpartition("/")[2]
        wanted = expect.pop(subject, None) or expect.pop(short, None)
        if wanted is None and isinstance(outcome, Match | Crashed):
            complaints.append(f"case {name!r}: unexpected for {subject}: {word}")
        elif wanted is not None and wanted not in word:
            complaints.append(f"case {name!r}: for {subject} wanted {wanted!r}, got {word!r}")
        if isinstance(outcome, Match):
            missing = missing_facts(catalog.card(id), frozenset(outcome.facts))
            complaints += [f"case {name!r}: the match gives no fact {{{fact}}}" for fact in missing]
    complaints += [f"case {name!r}: nothing was said of {subject}" for subject in expect]
    return CaseResult(tuple(complaints), frozenset(type(o).__name__ for o in outcomes.values()))


def outcomes_of(catalog: Catalog, id: str, snapshot: Snapshot) -> dict[str, Outcome]:
    """What the checks of one rule say of each entity.

    The gravest word counts where several checks ask.
    """
    outcomes: dict[str, Outcome] = {}
    for check in catalog.checks_of(id):
        try:
            subjects = snapshot.some(check.kind)
        except UnseenError as unseen:
            outcomes.setdefault(NOBODY, Unknown(unseen.gap))
            continue
        for entity in subjects:
            outcome = ask(check, entity, snapshot)
            key = str((outcome.subject if isinstance(outcome, Match) else None) or entity.ref)
            known = outcomes.get(key)
            if known is None or isinstance(outcome, Match | Crashed):
                outcomes[key] = outcome
    return outcomes


def in_words(outcome: Outcome) -> str:
    match outcome:
        case Match():
            return outcome.says
        case Clear():
            return f"clear {outcome.because}".strip()
        case Unknown():
            return f"unknown {outcome.gap.what}"
        case Crashed():
            return f"crashed {outcome.error}"

"""A diagnosis as plain data, in the form that scripts rely on.

Every other format is made from this.
"""

from typing import Any, Final

from sickbay import __version__
from sickbay.model.diagnosis import Cause, Diagnosis, Effect
from sickbay.model.evidence import Gap
from sickbay.model.finding import Evidence
from sickbay.model.ids import Ref

SCHEMA: Final = "sickbay.diagnosis/v1"
Document = dict[str, Any]


def document(diagnosis: Diagnosis) -> Document:
    """Return a diagnosis as JSON-like data."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "health": diagnosis.health.value,
        "target": diagnosis.target._asdict(),
        "causes": [_cause(cause) for cause in diagnosis.causes],
        "unexplained": [_effect(effect) for effect in diagnosis.unexplained],
        "gaps": [gap_of(gap) for gap in diagnosis.gaps],
        "timeline": [
            {"at": m.at, "source": m.source, "subject": subject(m.subject), "says": m.says}
            for m in diagnosis.timeline
        ],
        "crashed": list(diagnosis.crashed),
        "looked": diagnosis.looked._asdict(),
    }


def subject(ref: Ref) -> dict[str, str]:
    return {"kind": ref.kind, "id": ref.id, "name": ref.name}


def _cause(cause: Cause) -> Document:
    return {
        "rule": cause.rule,
        "title": cause.title,
        "severity": cause.severity.value,
        "certainty": cause.certainty.value,
        "subject": subject(cause.subject),
        "says": cause.says,
        "why": cause.why,
        "evidence": [_evidence(piece) for piece in cause.evidence],
        "explains": [_effect(effect) for effect in cause.explains],
        "ruled_out": [one._asdict() for one in cause.ruled_out],
        "ask": cause.ask,
        "remedy": [
            {"text": s.text, "run": list(s.run), "risk": str(s.risk), "verify": s.verify}
            for s in cause.remedy
        ],
        "docs": list(cause.docs),
        "first_seen": cause.first_seen or None,
        "last_seen": cause.last_seen or None,
        "count": cause.times,
        "also": [subject(ref) for ref in cause.also],
        "carriers": list(cause.carriers),
        "stands_in": cause.stands_in,
        **({"target": cause.target._asdict()} if cause.target else {}),
    }


def _evidence(piece: Evidence) -> Document:
    return {"source": piece.origin.source, "locator": piece.origin.locator, "text": piece.text}


def _effect(effect: Effect) -> Document:
    return {
        "rule": effect.rule,
        "subject": subject(effect.subject),
        "says": effect.says,
        "depth": effect.depth,
    }


def gap_of(gap: Gap) -> Document:
    return {
        "source": gap.source,
        "what": gap.what,
        "reason": gap.reason.value,
        "to_open": gap.to_open,
        "asked_for": gap.asked_for,
    }

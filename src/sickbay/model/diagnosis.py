"""What a run concludes: hypotheses ordered so that the first is what to fix first."""

from enum import StrEnum

from sickbay.model.evidence import Gap
from sickbay.model.finding import Evidence, Severity
from sickbay.model.ids import Ref
from sickbay.record import NamedTuple


class Certainty(StrEnum):
    PROVEN = "proven"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Health(StrEnum):
    HEALTHY = "healthy"
    SICK = "sick"
    UNKNOWN = "unknown"


class Target(NamedTuple):
    kind: str
    id: str
    portal: str = ""


class Treatment(NamedTuple):
    """A step of a remedy with this case's names filled in."""

    text: str
    run: tuple[str, ...]
    risk: str
    verify: str


class Effect(NamedTuple):
    """A symptom that a cause explains; `depth` and order draw the chain, cause first."""

    rule: str
    subject: Ref
    says: str
    depth: int = 1


class RuledOut(NamedTuple):
    rule: str
    because: str


class Cause(NamedTuple):
    rule: str
    title: str
    severity: Severity
    certainty: Certainty
    subject: Ref
    says: str
    why: str
    evidence: tuple[Evidence, ...] = ()
    explains: tuple[Effect, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    ask: str = ""
    remedy: tuple[Treatment, ...] = ()
    docs: tuple[str, ...] = ()
    first_seen: str = ""
    last_seen: str = ""
    times: int = 1
    # Other subjects with the same cause and treatment.
    also: tuple[Ref, ...] = ()
    # The outer errors that carried this one, outermost first.
    carriers: tuple[str, ...] = ()
    # A symptom for which no cause is in sight: it stands here so that it is not lost, and `ask`
    # is the look to take.
    stands_in: bool = False
    # Which of several targets it is about; with one target, that one.
    target: Target | None = None


class Moment(NamedTuple):
    at: str
    source: str
    subject: Ref
    says: str


class Looked(NamedTuple):
    """How much evidence the answer rests on."""

    files: int = 0
    not_understood: int = 0
    entities: int = 0
    texts: int = 0


class Diagnosis(NamedTuple):
    health: Health
    target: Target
    causes: tuple[Cause, ...] = ()
    unexplained: tuple[Effect, ...] = ()
    gaps: tuple[Gap, ...] = ()
    timeline: tuple[Moment, ...] = ()
    crashed: tuple[str, ...] = ()
    looked: Looked = Looked()

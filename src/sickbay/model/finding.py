"""What the rules say about a snapshot."""

from collections.abc import Mapping
from enum import StrEnum

from sickbay.model.evidence import Gap, Origin
from sickbay.model.ids import Ref
from sickbay.record import NamedTuple


class Severity(StrEnum):
    """How much it hurts."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Weight(StrEnum):
    """What a detection proves of its rule's failure mode."""

    DECISIVE = "decisive"  # only this cause shows it
    TYPICAL = "typical"  # this cause shows it, and others can too
    SYMPTOM = "symptom"  # something is wrong; what, is for other rules to say


class Cite(NamedTuple):
    """A value in a document that a match rests on. An empty path means the document as a whole."""

    ref: Ref
    path: str
    value: str


class Evidence(NamedTuple):
    """A cited place, ready to be shown."""

    origin: Origin
    text: str


class Match(NamedTuple):
    """It is present.

    In one sentence, with the facts that the remedy needs and the values that prove it.
    """

    says: str
    facts: Mapping[str, str] = {}
    cites: tuple[Cite, ...] = ()
    at: str = ""
    # The thing that is ill, when it is not the entity that was asked about.
    subject: Ref | None = None
    # Another weight than the detection's own, when this case proves less or more than most.
    weight: Weight | None = None
    # A state that may be meant so: a fault only where one of these rules shows that it is felt.
    felt_as: tuple[str, ...] = ()


class Clear(NamedTuple):
    """We looked, and it is not present; `because` carries the arithmetic when there is some."""

    because: str = ""


class Unknown(NamedTuple):
    """We could not look. Never reported as healthy."""

    gap: Gap


class Crashed(NamedTuple):
    """The rule itself failed: our defect, shown as such."""

    error: str


Outcome = Match | Clear | Unknown | Crashed


class Verdict(NamedTuple):
    """What one detection of a rule says about one subject.

    No subject when it speaks of the whole.
    """

    rule: str
    subject: Ref | None
    outcome: Outcome

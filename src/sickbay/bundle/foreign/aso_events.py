"""Events of Azure Service Operator: which object was tried, how often, and how long ago."""

import re
from typing import Final

from sickbay.bundle.foreign.aso_records import Step, cause_in
from sickbay.model.evidence import Text
from sickbay.record import NamedTuple

_FAILED: Final = ("CreateOrUpdateActionError: ", "DeleteActionError: ")
_SENT: Final = "BeginCreateOrUpdate: Successfully sent resource to Azure"
_CREDENTIAL: Final = r"CredentialFrom: Using credential from [\"'\\]{1,2}([^\"'\s\\]{1,520})"
# `LAST SEEN` of a table and `Age` of a description: the newer number of `3m (x5 over 10m)`.
_AGE: Final = r"(?:^|\s)((?:\d{1,5}[smhdy]){1,3})(?=\s)"
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "y": 31_536_000}


class Told(NamedTuple):
    """An event of ASO, with what orders it: a time, or how many seconds ago it was."""

    step: Step
    times: int
    at: str
    age: int

    @property
    def order(self) -> tuple[str, int, bool]:
        """The older first; what was accepted and refused in one moment was refused first."""
        return self.at, -self.age, not self.step.code


def told_by(text: Text, line: str) -> Told | None:
    """What an event tells; the line of a table holds its age."""
    about, says = text.about, text.text
    if about is None:
        return None
    target = f"{about.kind.casefold()}/{about.namespace}/{about.name}"
    number = int(re.sub(r"\D", "", text.origin.locator.partition("line ")[2]) or 0)
    step = _step(says, target, number)
    return Told(step, text.times, text.at, _age(line)) if step else None


def _step(says: str, target: str, line: int) -> Step | None:
    for word in _FAILED:
        if says.startswith(word):
            code, message = cause_in(says)
            verb = "deletion" if word.startswith("Delete") else "reconciliation"
            return Step(target, verb, code, message or says.removeprefix(word)[:400], line)
    if says.startswith(_SENT):
        return Step(target, "reconciliation", "", "", line)
    secret = re.match(_CREDENTIAL, says)
    return Step(target, "", "", "", line, secret=secret[1]) if secret else None


def _age(line: str) -> int:
    found = re.search(_AGE, line)
    parts = re.findall(r"(\d+)([smhdy])", found[1]) if found else ()
    return sum(int(count) * _UNITS[unit] for count, unit in parts)

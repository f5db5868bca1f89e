"""Logs of Azure Service Operator: heard like any log, and read for attempts that came too early."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sickbay.bundle.foreign import prose, structured
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

_FAILED: Final = "Encountered error impacting Ready condition"
_SENT: Final = "Successfully sent resource to Azure"
_NAME: Final = (
    r'"?name"? ?[=:] ?"(?P<name>[^"\s]{1,253})",? ?"?namespace"? ?[=:] ?"(?P<space>[^"\s]{1,253})"'
)
_KIND: Final = r'(?:"?logger"? ?[=:] ?"|\] )[a-z0-9.]+_(?P<kind>[a-z0-9]+)\b'
_REASON: Final = r"Reason: (?P<code>\w{1,100}), Severity: (?:Error|Warning)"
# Reasons with which ASO itself waits: nothing was sent to Azure, and nothing came too early.
_WAITING: Final = frozenset(
    {
        "ConfigMapNotFound",
        "ReconciliationBlocked",
        "ReferenceNotFound",
        "SecretNotFound",
        "WaitingForOwner",
    }
)
_LONGEST_LINE: Final = 16_384
_LONGEST_RECORD: Final = 40
_MOST_TARGETS: Final = 5_000
_MOST_CODES: Final = 50


class AsoLog:
    def matches(self, piece: Piece) -> bool:
        return _FAILED in piece.head or _SENT in piece.head

    def read(self, piece: Piece, sink: Sink) -> None:
        _note_attempts(piece, sink)
        is_structured = structured.READER.matches(piece)
        (structured.READER if is_structured else prose.READER).read(piece, sink)


READER = AsoLog()


class _Step(NamedTuple):
    """One answer in the life of an object; sent without a failure after it means success."""

    target: str
    code: str
    line: int


class _Run(NamedTuple):
    code: str
    line: int
    times: int = 1


def _note_attempts(piece: Piece, sink: Sink) -> None:
    """Count the failures in a row of each object, and note whether it was accepted in the end."""
    runs: dict[str, list[_Run]] = {}
    for target, code, line in _steps(piece):
        known = runs.setdefault(target, []) if len(runs) < _MOST_TARGETS else runs.get(target)
        if known is None:
            continue
        if known and not known[-1].code:
            # What was sent and then reported as failed had failed.
            known.pop()
        if known and known[-1].code == code:
            known[-1] = known[-1]._replace(times=known[-1].times + 1)
        elif len(known) < _MOST_CODES:
            known.append(_Run(code, line))
    for target, known in runs.items():
        if len(known) > 1:
            _emit(target, known, piece.source, sink)


def _emit(target: str, runs: list[_Run], source: str, sink: Sink) -> None:
    from sickbay.model.aso import Attempt  # noqa: PLC0415 - few logs need it

    for run in runs:
        origin = Origin(source, f"line {run.line}")
        place = f"{source}#{target} {origin.locator}"
        sink.entity(Attempt(target, "reconciliation", place, run.code, "", run.times), origin)


def _steps(piece: Piece) -> Iterator[_Step]:
    record: list[str] = []
    for number, line in enumerate(_lines(piece), 1):
        if _FAILED in line or _SENT in line:
            record = [line]
        elif record:
            record.append(line)
        if record and (step := _step("\n".join(record), number)):
            record = []
            if step.code not in _WAITING:
                yield step
        elif len(record) > _LONGEST_RECORD:
            record = []


def _step(record: str, number: int) -> _Step | None:
    """What a record says, when it is complete: the names stand at its end."""
    text = record.replace('\\"', "'")
    name, kind = re.search(_NAME, text), re.search(_KIND, text)
    if not name or not kind:
        return None
    found = re.search(_REASON, text)
    code = (found["code"] if found else "Failed") if _FAILED in record else ""
    return _Step(f"{kind['kind']}/{name['space']}/{name['name']}", code, number)


def _lines(piece: Piece) -> Iterator[str]:
    rest = b""
    for block in piece.blocks():
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            yield line[:_LONGEST_LINE].decode("utf-8", "replace")
        if len(rest) > _LONGEST_LINE:
            rest = rest[:_LONGEST_LINE]
    if rest:
        yield rest.decode("utf-8", "replace")

"""Logs and events of Azure Service Operator: heard like any text, and read for what was tried."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sickbay.bundle.foreign.aso_events import Told, told_by
from sickbay.bundle.foreign.aso_records import ALSO_FAILED, FAILED, SENT, Step, steps
from sickbay.bundle.foreign.piece import Piece, Reader
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin, Text
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from sickbay.bundle.frame import Frame
    from sickbay.model.entity import Entity
    from sickbay.model.evidence import Gap

_CREDENTIAL: Final = "Using credential from"
_EVENT_FAILED: Final = "CreateOrUpdateActionError"
# Who else may read such a text, the most telling first.
_OTHERS: Final = ("structured", "transcripts", "kubectl_describe", "kubectl_tables", "prose")
# Reasons with which ASO itself waits: nothing was sent to Azure, and nothing came too early.
_WAITING: Final = frozenset(
    {
        "ConfigMapNotFound",
        "ReconciliationBlocked",
        "ReconciliationPostponed",
        "ReferenceNotFound",
        "SecretNotFound",
        "WaitingForOwner",
    }
)
_LONGEST_LINE: Final = 16_384
_LARGEST_TABLE: Final = 32 << 20
_MOST_TARGETS: Final = 5_000
_MOST_CODES: Final = 50


class AsoLog:
    def matches(self, piece: Piece) -> bool:
        marks = (FAILED, *ALSO_FAILED, SENT, _CREDENTIAL, _EVENT_FAILED)
        return any(mark in piece.head for mark in marks)

    def read(self, piece: Piece, sink: Sink) -> None:
        if isinstance(sink, Witness):
            # What another reader left of a text that is being read here already.
            _next(piece).read(piece, sink)
            return
        history = History()
        for step in steps(_lines(piece)):
            history.note(step)
        witness = Witness(sink, piece)
        _next(piece).read(piece, witness)
        for told in sorted(witness.told, key=lambda one: one.order):
            history.note(told.step, told.times, told.at)
        history.emit(piece.source, sink)


READER = AsoLog()


def _next(piece: Piece) -> Reader:
    for name in _OTHERS:
        reader: Reader = import_module(f"sickbay.bundle.foreign.{name}").READER
        if reader.matches(piece):
            return reader
    raise AssertionError("prose reads any text")


class _Run(NamedTuple):
    """Answers in a row that were the same."""

    code: str
    message: str
    line: int
    times: int
    first: str
    last: str


class History:
    """The failures in a row of each object, and whether it was accepted in the end."""

    def __init__(self) -> None:
        self._runs: dict[tuple[str, str], list[_Run]] = {}
        self._doubles: dict[tuple[str, str], list[_Run]] = {}
        self._secrets: dict[str, Step] = {}
        self._deleting: set[str] = set()

    def note(self, step: Step, times: int = 1, at: str = "") -> None:
        """Take the next step of an object."""
        if step.secret:
            if len(self._secrets) < _MOST_TARGETS:
                self._secrets[step.target] = step
            return
        if step.code in _WAITING:
            return
        if step.begins_deletion:
            self._deleting.add(step.target)
            return
        if step.code and step.target in self._deleting:
            step = step._replace(verb="deletion")
        if step.is_double or not step.code:
            _add(self._doubles, step, times, at)
        if not step.is_double:
            _add(self._runs, step, times, at)

    def emit(self, source: str, sink: Sink) -> None:
        """Hand on what was tried more than once, and which credential each object uses."""
        known = (
            self._runs if any(_has_failed(runs) for runs in self._runs.values()) else self._doubles
        )
        # Without a success there is nothing to tell that the failures do not tell themselves.
        is_telling = any(_has_failed(runs) and not runs[-1].code for runs in known.values())
        for (target, verb), runs in known.items() if is_telling else ():
            if _has_failed(runs):
                _emit(target, verb, runs, source, sink)
        for target, step in self._secrets.items():
            from sickbay.model.aso import CredentialUse  # noqa: PLC0415 - few logs need it

            sink.entity(CredentialUse(target, step.secret), Origin(source, f"line {step.line}"))


def tell_attempts(events: list[tuple[bytes, Origin]], source: str, sink: Sink) -> None:
    """Say what the events of a cluster, as they are listed, tell of attempts."""
    from sickbay.bundle.documents import Documents  # noqa: PLC0415 - only for documents

    found: list[Told | None] = []
    documents = Documents(lambda text: found.append(told_by(text, "")), lambda _gap: None)
    for raw, origin in events:
        documents.kube_raw("Event", raw, origin)
    history = History()
    for told in sorted(filter(None, found), key=lambda one: one.order):
        history.note(told.step, told.times, told.at)
    history.emit(source, sink)


def _has_failed(runs: list[_Run]) -> bool:
    return any(run.code for run in runs)


def _add(kept: dict[tuple[str, str], list[_Run]], step: Step, times: int, at: str) -> None:
    key = (step.target, step.verb)
    runs = kept.setdefault(key, []) if len(kept) < _MOST_TARGETS else kept.get(key)
    if runs is None:
        return
    if runs and not runs[-1].code:
        # What was sent and then reported as failed had failed.
        runs.pop()
    at = at or _time_of(step)
    if runs and runs[-1].code == step.code:
        last = runs[-1]
        runs[-1] = last._replace(times=last.times + times, last=at or last.last)
    elif len(runs) < _MOST_CODES:
        runs.append(_Run(step.code, step.message, step.line, times, at, at))


def _time_of(step: Step) -> str:
    if not step.head:
        return ""
    from sickbay.bundle.times import time_in  # noqa: PLC0415 - only where something was tried

    return time_in(step.head)


def _emit(target: str, verb: str, runs: list[_Run], source: str, sink: Sink) -> None:
    from sickbay.model.aso import Attempt  # noqa: PLC0415 - few logs need it

    for run in runs:
        origin = Origin(source, f"line {run.line}" if run.line else "")
        place = f"{source}#{target} {verb} {run.code or 'accepted'} {origin.locator}"
        attempt = Attempt(
            target, verb, place, run.code, run.message, run.times, run.first, run.last
        )
        sink.entity(attempt, origin)


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


class Witness:
    """Passes everything on, and keeps what the events of ASO tell."""

    def __init__(self, sink: Sink, piece: Piece) -> None:
        self._sink = sink
        self._piece = piece
        self._table: list[str] | None = None
        self.told: list[Told] = []

    def text(self, text: Text) -> None:
        if text.channel == "event":
            self._note(text)
        self._sink.text(text)

    def kube_raw(self, kind: str, raw: bytes, origin: Origin) -> None:
        if kind == "Event":
            self._note_document(raw, origin)
        self._sink.kube_raw(kind, raw, origin)

    def kube(self, body: dict[str, Any], origin: Origin) -> None:
        if body.get("kind") == "Event":
            import msgspec  # noqa: PLC0415 - few texts hold an event as a document

            self._note_document(msgspec.json.encode(body), origin)
        self._sink.kube(body, origin)

    def log(self, blocks: Iterator[bytes], frame: "Frame") -> None:
        self._sink.log(blocks, frame)

    def file(self, source: str) -> None:
        self._sink.file(source)

    def seen(self, kind: str, scope: str = "") -> None:
        self._sink.seen(kind, scope)

    def gap(self, gap: "Gap") -> None:
        self._sink.gap(gap)

    def arm(self, body: dict[str, Any], origin: Origin) -> None:
        self._sink.arm(body, origin)

    def event(self, body: dict[str, Any], origin: Origin) -> None:
        self._sink.event(body, origin)

    def entity(self, entity: "Entity", origin: Origin) -> None:
        self._sink.entity(entity, origin)

    def _note(self, text: Text) -> None:
        told = told_by(text, self._line(text.origin))
        if told and len(self.told) < _MOST_TARGETS:
            self.told.append(told)

    def _note_document(self, raw: bytes, origin: Origin) -> None:
        """The text that an event becomes, as the documents make it."""
        from sickbay.bundle.documents import Documents  # noqa: PLC0415 - only for documents

        Documents(self._note, lambda _gap: None).kube_raw("Event", raw, origin)

    def _line(self, origin: Origin) -> str:
        number = origin.locator.partition("line ")[2]
        if not number.isdecimal():
            return ""
        if self._table is None:
            is_small = self._piece.size is not None and self._piece.size < _LARGEST_TABLE
            self._table = self._piece.text().split("\n") if is_small else []
        at = int(number) - 1
        return self._table[at] if at < len(self._table) else ""

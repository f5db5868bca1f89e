"""The use-cases that show how things stand, and what was done to them, without asking any rule."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from sickbay.app import read_saved
from sickbay.bundle.build import Builder
from sickbay.bundle.frame import Frame
from sickbay.engine.estate import Hearsay, Said, Status, estate
from sickbay.engine.operations import Asked, Log, operations
from sickbay.engine.target import target_of
from sickbay.model.activity import Event
from sickbay.model.evidence import Gap, Reason, Text
from sickbay.progress import Observer, Stage, ignore

if TYPE_CHECKING:
    from sickbay.bundle.events import EventSink
    from sickbay.collect.activity_log import Question
    from sickbay.collect.azure import Account
    from sickbay.collect.operation import Followed, Timing
    from sickbay.collect.source import Source

_TELLING: Final = frozenset({"activity-log", "error", "condition"})
# How the judgements of resource health begin; alerts and incidents are no state.
_JUDGED: Final = ("Unavailable", "Degraded")


class Heard:
    """Keeps, of all that is said, the last error about each resource, and how Azure judges it."""

    def __init__(self) -> None:
        self.said = Hearsay({}, {})

    def add(self, text: Text) -> None:
        if text.about is None or not text.about.is_arm:
            return
        if text.channel in _TELLING:
            # A document is full of sentences; only an error body is certainly about a failure.
            if text.channel != "condition" or text.text.startswith("{"):
                _keep(self.said.errors, text)
        elif text.channel == "health" and text.text.startswith(_JUDGED):
            _keep(self.said.health, text)

    def scan_blocks(self, blocks: Iterator[bytes], frame: Frame) -> None:
        """A log is about no resource in particular."""


def _keep(known: dict[str, Said], text: Text) -> None:
    key = text.about.key if text.about else ""
    if key not in known or text.at > known[key].at:
        known[key] = Said(text.text, text.at)


def status_saved(path: str, observer: Observer = ignore) -> Status:
    """How things stand by saved evidence: when it was saved, not today."""
    heard = Heard()
    builder = Builder(heard)
    read_saved(path, builder, observer)
    return _status(builder, heard, path, now="")


def status_live(sources: "Sequence[Source]", scope: str, now: str, observer: Observer) -> Status:
    """How things stand now."""
    from sickbay.collect.source import read_all  # noqa: PLC0415 - saved evidence needs no client

    heard = Heard()
    builder = Builder(heard)
    read_all(sources, builder, observer)
    observer(Stage(""))
    return _status(builder, heard, scope, now=now)


def _status(builder: Builder, heard: Heard, scope: str, *, now: str) -> Status:
    snapshot = builder.finish()
    # An empty list is no gap here: it says that there is none of a kind.
    gaps = (gap for gap in snapshot.gaps if gap.asked_for or gap.reason is Reason.CONTRADICTED)
    trees = estate(snapshot, heard.said, now, scope)
    return Status(target_of(snapshot, scope), trees, tuple(sorted(set(gaps))))


def activity_saved(path: str, asked: Asked, observer: Observer = ignore) -> Log:
    """What was done, by saved outputs."""
    from sickbay.bundle.events import EventSink  # noqa: PLC0415

    sink = EventSink()
    read_saved(path, sink, observer)
    if not sink.events:
        what = "no event of an activity log"
        to_open = "az monitor activity-log list -g GROUP --offset 7d -o json > activity.json"
        sink.gap(Gap(path, what, Reason.NOT_UNDERSTOOD, to_open, asked_for=True))
    return _log(path, asked, sink)


def activity_live(
    account: "Account", question: "Question", asked: Asked, observer: Observer = ignore
) -> Log:
    """What was done, by the log of a subscription."""
    from sickbay.bundle.events import EventSink  # noqa: PLC0415
    from sickbay.collect.activity_log import read_log  # noqa: PLC0415
    from sickbay.collect.session import session  # noqa: PLC0415

    sink = EventSink()

    async def work() -> None:
        async with session(account) as transport:
            await read_log(transport, question, sink, observer)

    asyncio.run(work())
    observer(Stage(""))
    return _log(f"subscription {question.subscription}", asked, sink)


def operation_live(
    account: "Account", url: str, timing: "Timing", observer: Observer = ignore
) -> "Followed":
    """Follow an operation to its end, or as long as there is time."""
    from sickbay.collect.operation import follow  # noqa: PLC0415
    from sickbay.collect.session import session  # noqa: PLC0415

    async def work() -> "Followed":
        async with session(account) as transport:
            return await follow(transport, url, timing, observer)

    return asyncio.run(work())


def _log(source: str, asked: Asked, sink: "EventSink") -> Log:
    events = tuple(one for one in sink.events.values() if _is_within(one, asked))
    if sink.undated:
        what = f"{sink.undated} events have no time that can be read"
        sink.gap(Gap(source, what, Reason.MALFORMED, asked_for=True))
    gaps = tuple(dict.fromkeys(sink.gaps))
    return Log(source, asked, operations(events, asked.filters), events, gaps)


def _is_within(event: Event, asked: Asked) -> bool:
    """Whether an event lies in the time that is asked for; one without a time may."""
    is_late_enough = not asked.since or not event.at or event.at >= asked.since
    return is_late_enough and (not asked.until or event.at <= asked.until)

"""The use-cases that read the world: the same as over saved evidence, with sources before them."""

from collections.abc import Sequence

from sickbay.app import Settings, concluded, recorder_of, rules_for
from sickbay.bundle.build import Builder, Deaf
from sickbay.collect.source import Look, Source, read_all
from sickbay.model.diagnosis import Diagnosis
from sickbay.model.evidence import Gap, Reason
from sickbay.model.snapshot import Snapshot
from sickbay.progress import Observer, Stage, ignore


def diagnose_live(sources: Sequence[Source], scope: str, settings: Settings) -> Diagnosis:
    """Diagnose what the sources see."""

    def fill(builder: Builder) -> None:
        read_all(sources, builder, settings.observer)
        settings.observer(Stage(""))

    return concluded(rules_for(settings), fill, scope, settings)


def snapshot_live(sources: Sequence[Source], observer: Observer = ignore) -> Snapshot:
    """What the sources see; their texts are not listened to."""
    builder = Builder(Deaf())
    read_all(sources, builder, observer)
    observer(Stage(""))
    return builder.finish()


def collect_live(
    sources: Sequence[Source], to: str, *, pseudonyms: bool, observer: Observer = ignore
) -> tuple[Gap, ...]:
    """Write a redacted bundle of what the sources see; return what could not be read.

    Whoever stops it keeps what was read so far, in a bundle that says so.
    """
    noted: list[Gap] = []
    with recorder_of(to, noted, pseudonyms=pseudonyms) as recorder:
        try:
            read_all(sources, recorder, observer)
        except KeyboardInterrupt:
            rest = "stopped before everything was read"
            recorder.gap(Gap("collect", rest, Reason.NOT_COLLECTED, "run it again", asked_for=True))
    observer(Stage(""))
    return tuple(noted)


def planned(sources: Sequence[Source]) -> tuple[Look, ...]:
    """What the sources would read."""
    return tuple(look for source in sources for look in source.plan())

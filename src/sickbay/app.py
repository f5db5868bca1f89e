"""The use-cases. Every face calls these and renders what they return."""

import io
from collections.abc import Iterable
from typing import BinaryIO

from sickbay.bundle.build import Builder
from sickbay.bundle.foreign import read
from sickbay.bundle.intake import Evidence
from sickbay.engine.diagnose import Case, diagnose
from sickbay.engine.evaluate import Verdicts, evaluate
from sickbay.engine.findings import fold, from_checks
from sickbay.engine.hearing import from_hits
from sickbay.engine.scan import Scanner
from sickbay.engine.target import facts_of_target, target_of
from sickbay.errors import Exit, SickbayError
from sickbay.model.diagnosis import Diagnosis, Health, Looked
from sickbay.model.evidence import Gap, Reason
from sickbay.model.snapshot import Snapshot
from sickbay.progress import FileRead, Observer, Stage, ignore
from sickbay.record import NamedTuple
from sickbay.store import Rules, Shipped, open_rules


class Settings(NamedTuple):
    """What a run was asked for, beyond its evidence."""

    rules: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    observer: Observer = ignore


def explain(data: bytes, source: str, settings: Settings) -> Diagnosis:
    """Diagnose a pasted text, or one document."""
    return explain_with(open_rules(settings.rules), data, source, settings)


def explain_with(rules: Rules, data: bytes, source: str, settings: Settings) -> Diagnosis:
    """Diagnose a text with a catalogue that is already open."""
    if not data:
        empty = Gap(source, "empty", Reason.NOT_UNDERSTOOD, asked_for=True)
        return _diagnose(rules, [empty], source, settings)
    evidence = Evidence(source, len(data), lambda: io.BytesIO(data))
    return _diagnose(rules, [evidence], source, settings)


def explain_stream(begin: bytes, rest: BinaryIO, source: str, settings: Settings) -> Diagnosis:
    """Diagnose a text of which only the beginning could be held in memory."""
    from sickbay.bundle.intake import Limits  # noqa: PLC0415 - a pasted text shall not pay for it
    from sickbay.bundle.sections import Joined, seekable  # noqa: PLC0415

    kept = seekable(lambda: io.BufferedReader(Joined(begin, rest)), Limits())
    if kept is None:
        hint = "save it to a file, and use: sickbay diagnose --from FILE"
        raise SickbayError(f"{source} is more than can be kept", hint)
    return _diagnose(open_rules(settings.rules), [Evidence(source, None, kept)], source, settings)


def diagnose_saved(path: str, settings: Settings) -> Diagnosis:
    """Diagnose a file, an archive or a folder of whatever a user saved."""
    from sickbay.bundle.files import walk  # noqa: PLC0415 - a pasted text is no folder

    return _diagnose(open_rules(settings.rules), walk(path), path, settings)


def collect_saved(
    path: str, to: str, *, pseudonyms: bool, observer: Observer = ignore
) -> tuple[Gap, ...]:
    """Write a redacted bundle of saved evidence; return what could not be read."""
    import os  # noqa: PLC0415

    from sickbay.bundle.files import walk  # noqa: PLC0415
    from sickbay.bundle.redact import Pseudonyms, Redactor  # noqa: PLC0415
    from sickbay.bundle.writer import Recorder  # noqa: PLC0415

    noted: list[Gap] = []
    # The salt is forgotten: nobody can compute an identity back from its stand-in.
    redactor = Redactor(Pseudonyms.ON if pseudonyms else Pseudonyms.OFF, os.urandom(16))
    with Recorder(to, redactor, noted.append) as recorder:
        outputs = {_inside(path, to), _inside(path, recorder.unfinished)}
        for piece in walk(path):
            if piece.source.partition("!/")[0] in outputs:
                continue
            if isinstance(piece, Gap):
                recorder.gap(piece)
                continue
            read(piece, recorder)
            observer(FileRead(piece.source, piece.size or 0))
    return tuple(noted)


def _inside(folder: str, path: str) -> str:
    """The name that a walk over a folder gives a file; a bundle may be written where it reads."""
    import os  # noqa: PLC0415

    return os.path.relpath(os.path.realpath(path), os.path.realpath(folder)).replace(os.sep, "/")


def exit_code(diagnosis: Diagnosis) -> Exit:
    """What a script may conclude."""
    if diagnosis.health is Health.SICK:
        return Exit.SICK
    if any(gap.asked_for for gap in diagnosis.gaps) or diagnosis.crashed:
        return Exit.COULD_NOT_LOOK
    return Exit.HEALTHY


def _diagnose(
    rules: Rules, evidence: Iterable[Evidence | Gap], source: str, settings: Settings
) -> Diagnosis:
    scanner = Scanner(rules.matcher, lambda number: rules.catalog.signature(number)[1])
    builder = Builder(scanner)
    looked = _read_all(evidence, builder, settings.observer)
    snapshot = builder.finish()
    settings.observer(Stage("weighing the evidence"))
    verdicts = _verdicts(rules, snapshot)
    heard = scanner.finish()
    if len(snapshot):
        from sickbay.engine.recovery import still_true  # noqa: PLC0415 - a text knows of no later

        heard = still_true(heard, snapshot)
    findings = [
        *from_hits(rules.catalog, heard),
        *from_checks(verdicts.found, snapshot),
    ]
    target = target_of(snapshot, source)
    case = Case(
        snapshot,
        target,
        facts_of_target(target, snapshot),
        verdicts.unknown,
        tuple(f"{rule}: {error}" for rule, error in verdicts.crashed),
        looked._replace(entities=len(snapshot), texts=builder.texts),
        settings.categories,
    )
    return diagnose(rules.catalog, fold(rules.catalog, findings), case)


def _verdicts(rules: Rules, snapshot: Snapshot) -> Verdicts:
    """Ask the checks; a pasted text needs none of them, and importing them takes time."""
    return evaluate(rules.catalog, snapshot) if len(snapshot) else Verdicts((), {}, ())


def _read_all(evidence: Iterable[Evidence | Gap], builder: Builder, observer: Observer) -> Looked:
    for piece in evidence:
        if isinstance(piece, Gap):
            builder.gap(piece)
            continue
        read(piece, builder)
        observer(FileRead(piece.source, piece.size or 0))
    return Looked(files=builder.files, not_understood=builder.not_understood)


def check_rules(folder: str, shipped: Shipped | None = None) -> dict[str, list[str]]:
    """Hold the laws over the rules of a folder; its cases are in `cases/FAMILY/FAULT.yaml`."""
    import os  # noqa: PLC0415

    from sickbay.bundle.foreign.yaml_files import parsed  # noqa: PLC0415 - slow to import
    from sickbay.engine.casebook import run_cases  # noqa: PLC0415
    from sickbay.engine.catalog import rule_files  # noqa: PLC0415
    from sickbay.engine.laws import complaints  # noqa: PLC0415

    rules = open_rules([folder], shipped)

    def explained(text: str) -> Diagnosis:
        return explain_with(rules, text.encode(), "sample", Settings())

    results: dict[str, list[str]] = {}
    for id, _ in rule_files(folder):
        results[id] = complaints(rules.catalog, id, explained)
        path = os.path.join(folder, "cases", *id.split(".")) + ".yaml"  # noqa: PTH118
        if not rules.catalog.card(id).checks:
            continue
        if not os.path.exists(path):  # noqa: PTH110
            results[id].append(f"{path} is missing: a structured check needs its cases")
            continue
        try:
            with open(path, encoding="utf-8") as file:  # noqa: PTH123
                cases = parsed(file.read())
        except ValueError as error:
            results[id].append(f"{path} cannot be read: {error}")
            continue
        results[id] += run_cases(rules.catalog, id, cases)
    return results

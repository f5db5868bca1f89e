"""The use-cases. Every face calls these and renders what they return."""

import io
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from sickbay.bundle.build import Builder
from sickbay.bundle.foreign import read
from sickbay.bundle.intake import Evidence
from sickbay.engine.catalog import Catalog
from sickbay.engine.diagnose import Case, diagnose
from sickbay.engine.differential import candidates
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

if TYPE_CHECKING:
    from sickbay.bundle.sink import Sink
    from sickbay.bundle.writer import Recorder
    from sickbay.network.matrix import Matrix
    from sickbay.network.reach import Reached

# A text that breaks off may have gone on in so many ways, and a guess still helps.
_RIVALS = 4


class Settings(NamedTuple):
    """What a run was asked for, beyond its evidence."""

    rules: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    observer: Observer = ignore


class Query(NamedTuple):
    """What traffic is asked about; empty parts are left to the evidence."""

    port: int | None = None
    protocol: str = ""
    client: str = ""


def explain_with(rules: Rules, data: bytes, source: str, settings: Settings) -> Diagnosis:
    """Diagnose a pasted text, or one document, with a catalogue that is open."""
    if not data:
        empty = Gap(source, "empty", Reason.NOT_UNDERSTOOD, asked_for=True)
        return _diagnose(rules, [empty], source, settings)
    diagnosis = _diagnose(rules, [_evidence(source, data)], source, settings)
    if _is_told(diagnosis):
        return diagnosis
    # Where a symptom was seen, the text needs no guess, unless there is but one.
    rivals = 1 if diagnosis.causes else _RIVALS
    guesses = (
        _diagnose(lenient, [_evidence(source, text)], source, settings)
        for lenient, text in _lenient(rules, data, rivals)
    )
    return next((one for one in guesses if _is_better(one, diagnosis, rules.catalog)), diagnosis)


def _evidence(source: str, data: bytes) -> Evidence:
    return Evidence(source, len(data), lambda: io.BytesIO(data))


def _lenient(rules: Rules, data: bytes, rivals: int) -> Iterator[tuple[Rules, bytes]]:
    """Other ways to read a text that says nothing: broken by a console, typed, or cut off."""
    from sickbay.engine.cutoff import CutCatalog, EndMatcher, ending  # noqa: PLC0415 - rare
    from sickbay.engine.folded import FoldedCatalog, unfolded  # noqa: PLC0415
    from sickbay.engine.typed import (  # noqa: PLC0415 - rare
        TypedCatalog,
        WordMatcher,
        has_quotes,
        is_typed,
    )

    if whole := unfolded(data):
        yield Rules(FoldedCatalog(rules.catalog), rules.matcher), whole
    if is_typed(data):
        lenient = TypedCatalog(rules.catalog, is_quoted=has_quotes(data))
        yield Rules(lenient, WordMatcher(lenient)), data
    if found := ending(rules.catalog, data, rivals):
        yield Rules(CutCatalog(rules.catalog, found), EndMatcher(found)), data


def _is_better(guess: Diagnosis, plain: Diagnosis, catalog: Catalog) -> bool:
    """Whether a guess tells a cause, and where a symptom was seen, one that leads to it."""
    if not _is_told(guess):
        return False
    return not plain.causes or guess.causes[0].rule in candidates(catalog, plain.causes[0].rule)


def _is_told(diagnosis: Diagnosis) -> bool:
    """Whether the evidence shows a cause, and not only that something is wrong."""
    return any(cause.evidence and not cause.stands_in for cause in diagnosis.causes)


def explain_stream(begin: bytes, rest: BinaryIO, source: str, settings: Settings) -> Diagnosis:
    """Diagnose a text of which only the beginning could be held in memory."""
    from sickbay.bundle.intake import Limits  # noqa: PLC0415 - a pasted text shall not pay for it
    from sickbay.bundle.sections import Joined, seekable  # noqa: PLC0415

    kept = seekable(lambda: io.BufferedReader(Joined(begin, rest)), Limits())
    if kept is None:
        hint = "save it to a file, and use: sickbay diagnose --from FILE"
        raise SickbayError(f"{source} is more than can be kept", hint)
    return _diagnose(rules_for(settings), [Evidence(source, None, kept)], source, settings)


def diagnose_saved(path: str, settings: Settings) -> Diagnosis:
    """Diagnose a file, an archive or a folder of whatever a user saved."""
    from sickbay.bundle.files import walk  # noqa: PLC0415 - a pasted text is no folder

    return _diagnose(rules_for(settings), walk(path), path, settings)


def snapshot_of(path: str, observer: Observer = ignore) -> Snapshot:
    """What a file, an archive or a folder of saved outputs holds; its texts are not listened to."""
    from sickbay.bundle.build import Deaf  # noqa: PLC0415

    builder = Builder(Deaf())
    read_saved(path, builder, observer)
    return builder.finish()


def read_saved(path: str, sink: "Sink", observer: Observer = ignore) -> None:
    """Read a file, an archive or a folder of saved outputs."""
    from sickbay.bundle.files import walk  # noqa: PLC0415

    _read_all(walk(path), sink, observer)


def reach_in(snapshot: Snapshot, ends: tuple[str, str], query: "Query") -> "Reached":
    """Follow traffic between two ends through what is in evidence."""
    from sickbay.network.reach import reach  # noqa: PLC0415
    from sickbay.network.reach_legs import Asked  # noqa: PLC0415
    from sickbay.network.reach_spots import spot_of  # noqa: PLC0415
    from sickbay.network.traffic import Traffic  # noqa: PLC0415

    source, target = (spot_of(snapshot, word) for word in ends)
    traffic = Traffic((query.protocol or "tcp").upper(), query.port)
    asked = Asked(source, target, traffic, bool(query.protocol), query.client)
    return reach(snapshot, asked)


def matrix_in(snapshot: Snapshot, namespaces: tuple[str, ...], query: "Query") -> "Matrix":
    """Say who can talk to whom in some namespaces of what is in evidence."""
    from sickbay.network.matrix import matrix  # noqa: PLC0415
    from sickbay.network.traffic import Traffic  # noqa: PLC0415

    protocol = (query.protocol or "tcp").upper()
    is_asked = query.port is not None or query.protocol
    return matrix(snapshot, namespaces, Traffic(protocol, query.port) if is_asked else None)


def collect_saved(
    path: str, to: str, *, pseudonyms: bool, observer: Observer = ignore
) -> tuple[Gap, ...]:
    """Write a redacted bundle of saved evidence; return what could not be read."""
    from sickbay.bundle.files import walk  # noqa: PLC0415

    noted: list[Gap] = []
    with recorder_of(to, noted, pseudonyms=pseudonyms) as recorder:
        outputs = {_inside(path, to), _inside(path, recorder.unfinished)}
        for piece in walk(path):
            if piece.source.partition("!/")[0] in outputs:
                continue
            if isinstance(piece, Gap):
                recorder.gap(piece)
                continue
            read(piece, recorder)
            observer(FileRead(piece.source, piece.size or 0))
    observer(Stage(""))
    return tuple(noted)


def recorder_of(to: str, noted: list[Gap], *, pseudonyms: bool) -> "Recorder":
    """Writes a redacted bundle, and notes what could not be read."""
    import os  # noqa: PLC0415

    from sickbay.bundle.redact import Pseudonyms, Redactor  # noqa: PLC0415
    from sickbay.bundle.writer import Recorder  # noqa: PLC0415

    # The salt is forgotten: nobody can compute an identity back from its stand-in.
    redactor = Redactor(Pseudonyms.ON if pseudonyms else Pseudonyms.OFF, os.urandom(16))
    return Recorder(to, redactor, noted.append)


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


def rules_for(settings: Settings) -> Rules:
    """The catalogue that a run asks."""
    return open_rules(settings.rules, observer=settings.observer)


def _diagnose(
    rules: Rules, evidence: Iterable[Evidence | Gap], source: str, settings: Settings
) -> Diagnosis:
    def read_it(builder: Builder) -> None:
        _read_all(evidence, builder, settings.observer)

    return concluded(rules, read_it, source, settings)


def concluded(
    rules: Rules, fill: Callable[[Builder], None], source: str, settings: Settings
) -> Diagnosis:
    """Let evidence be put into a snapshot, and say what it means."""
    catalog = rules.catalog
    scanner = Scanner(
        rules.matcher, lambda number: catalog.signature(number)[1], catalog.rule_of, catalog.words
    )
    builder = Builder(scanner)
    fill(builder)
    snapshot = builder.finish()
    looked = Looked(files=builder.files, not_understood=builder.not_understood)
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
    if len(snapshot):
        from sickbay.engine.surroundings import with_names  # noqa: PLC0415 - a text has none

        findings = with_names(findings, snapshot)
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
    diagnosis = diagnose(rules.catalog, fold(rules.catalog, findings), case)
    settings.observer(Stage(""))
    return diagnosis


def _verdicts(rules: Rules, snapshot: Snapshot) -> Verdicts:
    """Ask the checks; a pasted text needs none of them, and importing them takes time."""
    return evaluate(rules.catalog, snapshot) if len(snapshot) else Verdicts((), {}, ())


def _read_all(evidence: Iterable[Evidence | Gap], sink: "Sink", observer: Observer) -> None:
    for piece in evidence:
        if isinstance(piece, Gap):
            sink.gap(piece)
            continue
        read(piece, sink)
        observer(FileRead(piece.source, piece.size or 0))
    observer(Stage(""))


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

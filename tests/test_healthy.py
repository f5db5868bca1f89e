"""Estates that are well: nothing may fire, however much their logs complain."""

import gzip
from functools import cache
from pathlib import Path
from shutil import copyfile

import pytest

from healthy.longlogs import LOGS, Log, text_of  # type: ignore[import-not-found]
from incidents.ward import (  # type: ignore[import-not-found]
    HEALTHY,
    INCIDENTS,
    copied,
    diagnosed,
    names,
)
from sickbay.app import exit_code
from sickbay.errors import Exit
from sickbay.model.diagnosis import Diagnosis, Health
from sickbay.model.finding import Severity

# What they hold is no document that a rule knows.
TEXTS_ONLY = {
    name
    for name in names(HEALTHY)
    if name in {"node-logs", "tools-that-succeeded"} or name.startswith("long-")
}

# Each log beside two incidents, other ones for every log.
_SICK = names(INCIDENTS)
MIXED = [
    (_SICK[number * len(_SICK) // (2 * len(LOGS))], LOGS[number % len(LOGS)].path)
    for number in range(2 * len(LOGS))
]

pytestmark = pytest.mark.usefixtures("rules")
bundles = pytest.mark.parametrize("name", names(HEALTHY))


@cache
def of(name: str) -> Diagnosis:
    diagnosis: Diagnosis = diagnosed(HEALTHY / name / "evidence")
    return diagnosis


def worse_than_a_note(diagnosis: Diagnosis) -> list[tuple[str, str, str]]:
    return [
        (cause.rule, cause.certainty.value, cause.subject.id)
        for cause in diagnosis.causes
        if cause.evidence and cause.severity is not Severity.INFO
    ]


@bundles
def test_nothing_worse_than_a_note_is_found(name: str) -> None:
    worse = [
        (cause.rule, cause.subject.id, cause.says)
        for cause in of(name).causes
        if cause.severity is not Severity.INFO
    ]
    assert worse == []


@bundles
def test_the_exit_code_is_0_and_no_rule_crashes(name: str) -> None:
    assert exit_code(of(name)) is Exit.HEALTHY
    assert of(name).crashed == ()


@pytest.mark.parametrize("name", sorted(set(names(HEALTHY)) - TEXTS_ONLY))
def test_documents_that_are_all_well_are_healthy(name: str) -> None:
    assert of(name).health is Health.HEALTHY


@pytest.mark.parametrize("name", sorted(TEXTS_ONLY))
def test_clean_logs_alone_do_not_prove_health(name: str) -> None:
    assert of(name).health is Health.UNKNOWN


@bundles
def test_everything_in_the_folder_was_read(name: str) -> None:
    assert of(name).gaps == ()


@pytest.mark.parametrize(("name", "log"), MIXED, ids=str)
def test_the_noise_of_a_healthy_log_changes_no_diagnosis(
    name: str, log: str, tmp_path: Path
) -> None:
    folder = copied(name, tmp_path)
    noise = folder / "elsewhere" / log.replace("/evidence/", "/")
    noise.parent.mkdir(parents=True)
    copyfile(HEALTHY / log, noise)
    alone = diagnosed(INCIDENTS / name / "evidence")
    assert worse_than_a_note(diagnosed(folder)) == worse_than_a_note(alone)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.path)
def test_a_long_log_is_what_its_phrases_give(log: Log) -> None:
    stored = gzip.decompress((HEALTHY / log.path).read_bytes()).decode()
    assert stored == text_of(log), "python tests/healthy/longlogs.py writes it anew"

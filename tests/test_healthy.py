"""Estates that are well: nothing may fire, however much their logs complain."""

from functools import cache

import pytest

from incidents.ward import HEALTHY, diagnosed, names  # type: ignore[import-not-found]
from sickbay.app import exit_code
from sickbay.errors import Exit
from sickbay.model.diagnosis import Diagnosis, Health
from sickbay.model.finding import Severity

TEXTS_ONLY = {"node-logs"}

pytestmark = pytest.mark.usefixtures("rules")
bundles = pytest.mark.parametrize("name", names(HEALTHY))


@cache
def of(name: str) -> Diagnosis:
    diagnosis: Diagnosis = diagnosed(HEALTHY / name / "evidence")
    return diagnosis


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

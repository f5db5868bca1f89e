"""Whole incidents: the cause to fix first, how sure, what it explains, and the report as read."""

import os
from functools import cache
from pathlib import Path

import pytest

from incidents.ward import (  # type: ignore[import-not-found]
    DEMO,
    INCIDENTS,
    diagnosed,
    expected,
    found,
    names,
    rules_of,
)
from sickbay.app import exit_code
from sickbay.errors import Exit
from sickbay.model.diagnosis import Certainty, Diagnosis
from sickbay.report.render import render
from sickbay.store import Rules

pytestmark = pytest.mark.usefixtures("rules")
incidents = pytest.mark.parametrize("name", names(INCIDENTS))


@cache
def of(name: str) -> Diagnosis:
    diagnosis: Diagnosis = diagnosed(INCIDENTS / name / "evidence")
    return diagnosis


def test_there_are_incidents_of_every_family(rules: Rules) -> None:
    tops = {expected(name)["top"].partition(".")[0] for name in names(INCIDENTS)}
    assert {"aks", "kubernetes", "hybrid", "nexus", "arc"} <= tops
    assert all(expected(name)["top"] in rules.catalog for name in names(INCIDENTS))


@incidents
def test_the_first_cause_is_the_one_to_fix_first(name: str) -> None:
    first = of(name).causes[0]
    assert (first.rule, first.certainty.value) == (
        expected(name)["top"],
        expected(name)["certainty"],
    )


@incidents
def test_the_symptoms_are_explained_by_it(name: str) -> None:
    explained = {effect.rule for effect in of(name).causes[0].explains}
    assert set(expected(name)["explains"]) <= explained


@incidents
def test_rivals_are_ruled_out(name: str) -> None:
    excluded = {one.rule for one in of(name).causes[0].ruled_out}
    assert set(expected(name)["ruled_out"]) <= excluded


@incidents
def test_nothing_else_is_taken_for_a_cause(name: str) -> None:
    assert not set(expected(name)["not_causes"]) & set(rules_of(tuple(found(of(name)))))


@incidents
def test_other_causes_stay_separate(name: str) -> None:
    assert set(expected(name)["also"]) <= set(rules_of(of(name).causes[1:]))


@incidents
def test_what_could_be_behind_a_symptom_is_named(name: str) -> None:
    possible = {c.rule for c in of(name).causes if c.certainty is Certainty.POSSIBLE}
    assert set(expected(name)["candidates"]) <= possible


@incidents
def test_below_proven_the_look_that_decides_is_given(name: str) -> None:
    first = of(name).causes[0]
    assert expected(name)["asks"] in first.ask
    assert bool(first.ask) is (first.certainty is not Certainty.PROVEN)


@incidents
def test_what_could_not_be_read_is_listed(name: str) -> None:
    assert set(expected(name)["gaps"]) <= {gap.source for gap in of(name).gaps}


@incidents
def test_an_incident_ends_with_exit_code_1_and_no_crash(name: str) -> None:
    assert exit_code(of(name)) is Exit.SICK
    assert of(name).crashed == ()


@incidents
def test_the_report_reads_as_it_was_last_approved(name: str) -> None:
    golden = INCIDENTS / name / "report.txt"
    report = render(of(name), "text") + "\n"
    if os.environ.get("SICKBAY_WRITE_GOLDEN") == "1":
        golden.write_text(report, encoding="utf-8")
    assert report == golden.read_text(encoding="utf-8")


@incidents
def test_a_report_names_no_path_of_this_machine(name: str) -> None:
    assert str(Path.cwd()) not in render(of(name), "json")


def test_texts_and_state_alone_lead_to_the_same_cause() -> None:
    assert of("aks-subnet-full-texts").causes[0].rule == of("aks-subnet-full-state").causes[0].rule
    texts, state = of("nexus-prefix-overlap-texts"), of("nexus-prefix-overlap-state")
    assert (texts.causes[0].rule, texts.causes[0].subject) == (
        state.causes[0].rule,
        state.causes[0].subject,
    )


@pytest.mark.parametrize("name", sorted(path.name for path in DEMO.iterdir() if path.is_dir()))
def test_a_demo_gives_one_proven_cause_and_leaves_nothing_over(name: str) -> None:
    diagnosis = diagnosed(DEMO / name)
    assert [cause.certainty for cause in diagnosis.causes] == [Certainty.PROVEN]
    assert diagnosis.causes[0].explains
    assert diagnosis.unexplained == ()
    assert diagnosis.gaps == ()

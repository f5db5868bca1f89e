from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from sickbay.model.diagnosis import Cause, Certainty, Diagnosis, Effect, Health, Moment, Target
from sickbay.model.evidence import Gap, Origin
from sickbay.model.finding import Evidence, Severity
from sickbay.model.ids import kube
from sickbay.report.document import document
from sickbay.report.schema import SCHEMA, published

Document = dict[str, Any]
Make = Callable[..., Document]

FOLDER = Path(__file__).parents[2] / "docs" / "schema"


def validate(data: Document) -> None:
    Draft202012Validator(SCHEMA).validate(data)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_whole_diagnosis_validates(data: Make, cause: Make) -> None:
    validate(data(cause()))


def test_what_the_program_writes_validates() -> None:
    pod = kube("Pod", "shop", "web-0")
    cause = Cause(
        "aks.subnet_full",
        "The subnet is full",
        Severity.ERROR,
        Certainty.PROVEN,
        pod,
        "no addresses",
        "because",
        evidence=(Evidence(Origin("a.log", "line 1"), "full"),),
        explains=(Effect("aks.pool_failed", pod, "failed"),),
    )
    moment = Moment("2026-01-01T00:00:00Z", "a.log", pod, "no addresses")
    diagnosis = Diagnosis(
        Health.SICK,
        Target("evidence", "a.log"),
        (cause,),
        gaps=(Gap("b.log", "breaks off"),),
        timeline=(moment,),
    )
    validate(document(diagnosis))


def test_an_empty_diagnosis_validates() -> None:
    validate(document(Diagnosis(Health.UNKNOWN, Target("evidence", "stdin"))))


@pytest.mark.parametrize(
    "change",
    [
        {"health": "fine"},
        {"causes": None},
        {"schema": "sickbay.diagnosis/v2"},
        {"gaps": [{"source": "x"}]},
    ],
)
def test_a_broken_diagnosis_does_not_validate(data: Make, change: Document) -> None:
    with pytest.raises(ValidationError):
        validate(data() | change)


@pytest.mark.parametrize(
    "change",
    [{"certainty": "sure"}, {"severity": "fatal"}, {"count": 0}, {"first_seen": "yesterday"}],
)
def test_a_broken_cause_does_not_validate(data: Make, cause: Make, change: Document) -> None:
    with pytest.raises(ValidationError):
        validate(data(cause(**change)))


@pytest.mark.parametrize("name", sorted(published()))
def test_the_published_schema_is_that_of_the_code(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == published()[name]

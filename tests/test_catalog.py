"""The laws over the whole catalogue. Nothing here names a rule."""

from pathlib import Path

import pytest
import yaml

from sickbay.app import Settings, explain_with
from sickbay.engine.casebook import run_cases
from sickbay.engine.catalog import built_in_folder, rule_files
from sickbay.engine.laws import complaints
from sickbay.model.diagnosis import Diagnosis
from sickbay.store import Rules

IDS = [id for id, _ in rule_files(built_in_folder())]
CASES = Path(__file__).parent / "cases"
FAMILIES = {"aks", "kubernetes", "network", "nexus", "hybrid", "arc", "aso", "host"}


@pytest.mark.parametrize("id", IDS)
def test_a_rule_keeps_the_laws(id: str, rules: Rules) -> None:
    def explain(text: str) -> Diagnosis:
        return explain_with(rules, text.encode(), "sample", Settings())

    assert complaints(rules.catalog, id, explain) == []


@pytest.mark.parametrize("id", IDS)
def test_every_check_is_shown_firing_silent_and_unknown(id: str, rules: Rules) -> None:
    if not rules.catalog.card(id).checks:
        return
    path = CASES / (id.replace(".", "/") + ".yaml")
    assert path.exists(), f"{path.name} is missing: a structured check needs a case file"
    assert run_cases(rules.catalog, id, yaml.safe_load(path.read_text())) == []


def test_every_case_file_belongs_to_a_rule() -> None:
    found = {f"{path.parent.name}.{path.stem}" for path in CASES.glob("*/*.yaml")}
    assert found <= set(IDS)


def test_every_family_has_several_rules() -> None:
    counts = {family: sum(id.startswith(f"{family}.") for id in IDS) for family in FAMILIES}
    assert min(counts.values()) >= 3, counts
    assert sum(counts.values()) >= 80

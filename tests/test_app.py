"""The use-cases: what a run concludes, and what a script may conclude from it."""

import json
from pathlib import Path

import pytest

from sickbay import app
from sickbay.app import (
    Settings,
    check_rules,
    collect_saved,
    diagnose_saved,
    exit_code,
    explain_with,
)
from sickbay.cli.scaffold import RULE
from sickbay.errors import Exit, SickbayError
from sickbay.model.diagnosis import Diagnosis, Health, Target
from sickbay.model.evidence import Gap, Reason
from sickbay.progress import Event, FileRead, Stage
from sickbay.report.document import document
from sickbay.store import Rules, Shipped

DEMO = Path(app.__file__).parent / "demo"
ERROR = "Code: SubnetIsFull Message: Subnet nodes has no free addresses left.\n"
NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1"},
    "status": {"conditions": [{"type": "Ready", "status": "True"}]},
}
ASKED = Gap("x.bin", "binary", Reason.NOT_UNDERSTOOD, asked_for=True)
UNASKED = Gap("Pod", "not in the evidence")


def concluded(health: Health, *gaps: Gap, crashed: tuple[str, ...] = ()) -> Diagnosis:
    return Diagnosis(health, Target("evidence", "x"), gaps=gaps, crashed=crashed)


@pytest.mark.parametrize(
    ("diagnosis", "code"),
    [
        (concluded(Health.HEALTHY), Exit.HEALTHY),
        (concluded(Health.HEALTHY, UNASKED), Exit.HEALTHY),
        (concluded(Health.UNKNOWN), Exit.HEALTHY),
        (concluded(Health.UNKNOWN, ASKED), Exit.COULD_NOT_LOOK),
        (concluded(Health.UNKNOWN, crashed=("rule: KeyError",)), Exit.COULD_NOT_LOOK),
        (concluded(Health.SICK), Exit.SICK),
        (concluded(Health.SICK, ASKED, crashed=("rule: KeyError",)), Exit.SICK),
    ],
)
def test_the_exit_code_follows_from_the_diagnosis(diagnosis: Diagnosis, code: Exit) -> None:
    assert exit_code(diagnosis) is code


def explained(rules: Rules, text: str | bytes) -> Diagnosis:
    data = text.encode() if isinstance(text, str) else text
    return explain_with(rules, data, "stdin", Settings())


def saved(folder: Path, **files: object) -> Diagnosis:
    for name, content in files.items():
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / f"{name}.json").write_bytes(data)
    return diagnose_saved(str(folder), Settings())


def test_a_clean_text_is_unknown(rules: Rules) -> None:
    assert explained(rules, "all is well\n").health is Health.UNKNOWN


def test_a_text_with_an_error_is_sick(rules: Rules) -> None:
    diagnosis = explained(rules, ERROR)
    assert (diagnosis.health, diagnosis.causes[0].rule) == (Health.SICK, "aks.subnet_full")


def test_a_pasted_document_is_looked_at_like_a_saved_one(rules: Rules) -> None:
    diagnosis = explained(rules, json.dumps(NODE))
    assert (diagnosis.health, diagnosis.looked.entities) == (Health.HEALTHY, 1)


def test_documents_without_a_fault_are_healthy(tmp_path: Path) -> None:
    assert saved(tmp_path, node=NODE).health is Health.HEALTHY


def test_a_file_that_was_not_understood_is_not_health(tmp_path: Path) -> None:
    diagnosis = saved(tmp_path, node=NODE, image=b"\x7fELF" + bytes(range(256)) * 40)
    assert (diagnosis.health, exit_code(diagnosis)) == (Health.UNKNOWN, Exit.COULD_NOT_LOOK)
    assert (diagnosis.looked.files, diagnosis.looked.not_understood) == (2, 1)


def test_a_gap_tells_a_script_whether_it_was_asked_for(tmp_path: Path) -> None:
    diagnosis = saved(tmp_path, image=b"\x7fELF" + bytes(range(256)) * 40)
    assert [gap["asked_for"] for gap in document(diagnosis)["gaps"]] == [True]


def test_evidence_that_is_not_there_is_for_the_user_to_mend(tmp_path: Path) -> None:
    with pytest.raises(SickbayError, match="cannot be read"):
        diagnose_saved(str(tmp_path / "nowhere"), Settings())


def test_a_kind_of_trouble_narrows_the_causes() -> None:
    everything = diagnose_saved(str(DEMO / "aks-upgrade"), Settings()).causes
    narrowed = diagnose_saved(str(DEMO / "aks-upgrade"), Settings(categories=("upgrade",))).causes
    nothing = diagnose_saved(str(DEMO / "aks-upgrade"), Settings(categories=("storage",))).causes
    assert narrowed[0] == everything[0]
    assert nothing == ()


def test_the_observer_hears_of_each_file_and_of_the_weighing() -> None:
    heard: list[Event] = []
    diagnose_saved(str(DEMO / "aks-upgrade"), Settings(observer=heard.append))
    files = [event for event in heard if isinstance(event, FileRead)]
    assert len(files) == len(list((DEMO / "aks-upgrade").iterdir()))
    assert isinstance(heard[-1], Stage)


def test_a_bundle_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    with pytest.raises(SickbayError, match="cannot be written"):
        collect_saved(str(DEMO / "aks-upgrade"), str(tmp_path / "no" / "x"), pseudonyms=False)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_cases_that_is_no_yaml_is_told(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart_down.py").write_text(RULE)
    (tmp_path / "cases" / "shop").mkdir(parents=True)
    (tmp_path / "cases" / "shop" / "cart_down.yaml").write_text("- {name: [")
    (tmp_path / "shipped").mkdir()
    shipped = Shipped(str(tmp_path / "shipped"), "")
    (complaint,) = check_rules(str(tmp_path), shipped)["shop.cart_down"]
    assert "cart_down.yaml cannot be read: " in complaint

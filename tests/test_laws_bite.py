"""Each law over the catalogue is proven by a planted defect that turns it red."""

from pathlib import Path

import pytest

from sickbay.app import check_rules
from sickbay.cli.scaffold import CASE, RULE
from sickbay.errors import SickbayError


def complaints(folder: Path, rule: str = RULE, case: str | None = CASE, more: str = "") -> str:
    """Write the scaffold's rule with a defect in it, and return what the laws say."""
    (folder / "shop").mkdir()
    (folder / "shop" / "cart_down.py").write_text(rule)
    if case is not None:
        (folder / "cases" / "shop").mkdir(parents=True)
        (folder / "cases" / "shop" / "cart_down.yaml").write_text(case)
    if more:
        (folder / "shop" / "other.py").write_text(more)
    return "\n".join(check_rules(str(folder))["shop.cart_down"])


def changed(old: str, new: str) -> str:
    assert old in RULE
    return RULE.replace(old, new)


def test_the_scaffold_itself_is_lawful(tmp_path: Path) -> None:
    assert complaints(tmp_path) == ""


DEFECTS = [
    ("title=\"The pod", "title=\"Ensure the pod", "must state the fault"),
    ("out of order\",\n    severity", f"{'x' * 120}\",\n    severity", "longer than"),
    ("in one or two sentences.", "in one or two sentences", "whole sentences"),
    ("https://kubernetes.io", "http://kubernetes.io", "vendor's page"),
    ("run=(\"kubectl\"", "run=(\"rm\"", "must begin with a program"),
    ("{since}", "{until}", "does not capture"),
    ("\"{pod}\"", "\"{colour}\"", "{colour}"),
    ("ask=\"kubectl", "leads_to=(\"shop.nowhere\",),\n    ask=\"kubectl", "which is no rule"),
    ("ask=\"kubectl", "leads_to=(\"shop.cart_down\",),\n    ask=\"kubectl", "leads to itself"),
    ("this pod is in order", "this pod is out of order", "fires on its near miss"),
    ("] this pod is out of order", "] that pod is out of order", "comes first"),
    ("!= \"true\"", "== \"true\"", "wanted"),
    ("return None\n", "raise KeyError(pod.name)\n", "crashed KeyError"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "complaint"), DEFECTS)
def test_a_planted_defect_is_found(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    assert complaint in complaints(tmp_path, changed(old, new))


def test_a_check_without_cases_is_found(tmp_path: Path) -> None:
    assert "is missing" in complaints(tmp_path, case=None)


@pytest.mark.parametrize("outcome", ["Match", "Clear", "Unknown"])
def test_a_case_file_that_does_not_show_an_outcome_is_found(outcome: str, tmp_path: Path) -> None:
    number = ["Match", "Clear", "Unknown"].index(outcome)
    cases = CASE.split("\n\n")
    kept = "\n\n".join(cases[:number] + cases[number + 1 :])
    assert f"no case shows the check say {outcome}" in complaints(tmp_path, case=kept)


def test_a_rule_that_fires_on_the_sample_of_another_is_found(tmp_path: Path) -> None:
    greedy = changed("this pod is out of order since (?P<since>[\\d-]+)", "main.go:7(?P<since>.)")
    assert "fires beside it" in complaints(tmp_path, more=greedy)


def test_a_symptom_without_a_cause_is_found(tmp_path: Path) -> None:
    mild = changed("@each(Pod)", "@each(Pod, SYMPTOM)").replace(
        "near_miss=", "weight=SYMPTOM,\n            near_miss="
    )
    rule = mild.replace("import Category", "import SYMPTOM, Category")
    assert "no rule leads to it" in complaints(tmp_path, rule)


def test_a_hidden_cause_without_a_look_is_found(tmp_path: Path) -> None:
    rule = changed('ask="kubectl get pods -A -o json",', 'leads_to=("aks.drain_failed",),')
    rule = rule.replace("        says_so_itself,\n", "")
    assert "names no look" in complaints(tmp_path, rule)


@pytest.mark.parametrize(
    "pattern", [r"(a+)+\1 word", r"(?=look)around", r"\d+", "unclosed(", r"(?i)ab|cd"]
)
def test_a_pattern_that_cannot_be_linear_is_refused(pattern: str, tmp_path: Path) -> None:
    rule = changed("this pod is out of order since (?P<since>[\\d-]+)", pattern)
    with pytest.raises(SickbayError, match="pattern"):
        complaints(tmp_path, rule)


def test_two_rules_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "aks").mkdir()
    (tmp_path / "aks" / "drain_failed.py").write_text(RULE)
    with pytest.raises(SickbayError, match="two rules called"):
        check_rules(str(tmp_path))


@pytest.mark.parametrize("text", ["RULE = 7", "RULE = Rule(", "import nothing_of_this_name"])
def test_a_file_that_is_no_rule_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart_down.py").write_text(text)
    with pytest.raises(SickbayError, match=r"cart_down\.py"):
        check_rules(str(tmp_path))

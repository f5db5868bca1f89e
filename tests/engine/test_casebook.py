"""The cases of a rule: documents in, and what its checks say of each subject."""

from typing import Any

import pytest
from rule_kit import Book, check, rule  # type: ignore[import-not-found]

from sickbay.engine.casebook import in_words, outcomes_of, run_cases, snapshot_of
from sickbay.model.evidence import Gap
from sickbay.model.finding import Clear, Crashed, Match, Unknown
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Step


def lonely(pod: Pod, snapshot: Snapshot) -> Match | Clear:
    if pod.node:
        return Clear(f"it is on {pod.node}")
    return Match(f"{pod.name} has none of {len(snapshot.all(Node))} nodes")


def crashes(pod: Pod, snapshot: Snapshot) -> Match | None:
    raise ValueError(f"{pod.name} {len(snapshot)}")


BOOK = Book(lonely=rule(check(Pod, lonely)), broken=rule(check(Pod, crashes)))
WEB = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}}
PLACED = {**WEB, "spec": {"nodeName": "n1"}}
MATCH = {"name": "m", "documents": [WEB], "seen": ["Node"], "expect": {"web": "none of 0 nodes"}}
CLEAR = {"name": "c", "documents": [PLACED], "expect": {"web": "clear it is on n1"}}
UNKNOWN = {"name": "u", "documents": [WEB], "expect": {"web": "unknown Node"}}
GOOD: list[dict[str, Any]] = [MATCH, CLEAR, UNKNOWN]


def complaints(*cases: dict[str, Any], id: str = "lonely") -> str:
    return "\n".join(run_cases(BOOK, id, list(cases)))


def test_cases_that_show_all_three_outcomes_are_lawful() -> None:
    assert complaints(*GOOD) == ""


@pytest.mark.parametrize(("left_out", "word"), [(0, "Match"), (1, "Clear"), (2, "Unknown")])
def test_an_outcome_that_no_case_shows_is_missed(left_out: int, word: str) -> None:
    kept = GOOD[:left_out] + GOOD[left_out + 1 :]
    assert complaints(*kept) == f"no case shows the check say {word}"


def test_another_answer_than_expected_is_told() -> None:
    wrong = {**MATCH, "expect": {"web": "clear"}}
    assert "for pod/shop/web wanted 'clear', got 'web has none" in complaints(wrong, *GOOD)


def test_a_match_that_nobody_expected_is_told() -> None:
    assert "unexpected for pod/shop/web" in complaints({**MATCH, "expect": {}}, *GOOD)


def test_a_subject_of_which_nothing_was_said_is_told() -> None:
    assert "nothing was said of db" in complaints({**CLEAR, "expect": {"db": "clear"}}, *GOOD)


def test_a_crash_is_told() -> None:
    assert "crashed ValueError: web 1" in complaints({**MATCH, "expect": {}}, id="broken")


def test_a_remedy_whose_fact_the_match_does_not_give_is_told() -> None:
    book = Book(lonely=rule(check(Pod, lonely), remedy=(Step("Paint it {colour}."),)))
    assert "case 'm': the match gives no fact {colour}" in run_cases(book, "lonely", GOOD)


@pytest.mark.parametrize("cases", [None, "words", {"name": "x"}, [{"name": "x"}], [7]])
def test_a_file_that_holds_no_cases_is_told(cases: Any) -> None:
    assert "must be a list" in run_cases(BOOK, "lonely", cases)[0]


def test_nothing_counts_as_read_to_its_end_unless_the_case_says_so() -> None:
    assert not snapshot_of({"documents": [WEB]}).has_seen("Pod")
    seen = snapshot_of({"seen": ["Pod", {"kind": "Node", "scope": "shop"}]})
    assert seen.has_seen("Pod")
    assert seen.has_seen("Node", "shop")
    assert not seen.has_seen("Node")


def test_a_kind_that_is_not_in_evidence_is_unknown_for_nobody_in_particular() -> None:
    (subject,) = outcomes_of(BOOK, "lonely", Snapshot())
    assert subject == "-"


def test_outcomes_are_put_in_words() -> None:
    outcomes = (Match("so"), Clear("not so"), Clear(), Unknown(Gap("x", "quota")), Crashed("E"))
    assert [in_words(one) for one in outcomes] == [
        "so",
        "clear not so",
        "clear",
        "unknown quota",
        "crashed E",
    ]

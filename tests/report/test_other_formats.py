import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.report import junit, markdown, sarif
from sickbay.report import yaml as yaml_report

Document = dict[str, Any]
Make = Callable[..., Document]

HOSTILE = st.one_of(
    st.text(st.characters(), max_size=120),
    st.sampled_from(
        ["```\nout", "]]>&<x>", "\x00\ufffe\uffff", "\ud800", "- a\n- b", "~~~", "# x"]
    ),
)
GAP = {"source": "a.json", "what": "breaks off", "reason": "truncated", "to_open": ""}


def outside_fences(page: str) -> list[str]:
    """The lines that a renderer reads as Markdown."""
    kept: list[str] = []
    fence = ""
    for line in page.splitlines():
        ticks = re.match(r"\s*(`{3,})", line)
        if not fence and ticks:
            fence = ticks[1]
        elif fence and line.strip() == fence:
            fence = ""
        elif not fence:
            kept.append(line)
    assert not fence
    return kept


def test_yaml_holds_the_same_data(data: Make, cause: Make) -> None:
    one = data(cause(), gaps=[GAP])
    assert yaml.safe_load(yaml_report.render(one)) == one


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=120))
@settings(max_examples=60, deadline=None)
def test_yaml_holds_any_text(data: Make, said: str) -> None:
    assert yaml.safe_load(yaml_report.render(data(crashed=[said])))["crashed"] == [said]


def test_yaml_of_half_a_character_can_be_written(data: Make) -> None:
    assert yaml_report.render(data(crashed=["\ud800"])).encode()


def test_markdown_starts_with_the_answer(data: Make, cause: Make) -> None:
    page = markdown.render(data(cause(title="The subnet is full")))
    assert page.startswith("# Sick (proven): The subnet is full\n")
    assert "**Do first** (disruptive): Let one pod go during the drain." in page


def test_markdown_of_a_likely_cause_gives_the_look(data: Make, cause: Make) -> None:
    page = markdown.render(data(cause(certainty="likely", ask="kubectl get pdb")))
    assert "**To be sure:**\n\n```sh\nkubectl get pdb\n```" in page


def test_markdown_draws_the_chain_as_a_list(data: Make, cause: Make) -> None:
    assert "    - **pool np1** UpgradeFailed (2026-01-01 10:32 UTC)" in markdown.render(
        data(cause())
    )


def test_markdown_names_what_was_not_seen(data: Make) -> None:
    assert "- `a.json`: breaks off (truncated)" in markdown.render(data(gaps=[GAP]))


def test_markdown_escapes_what_would_be_markup(data: Make, cause: Make) -> None:
    page = markdown.render(data(cause(says="<b>_x_</b> [a](b) @all")))
    assert r"&lt;b&gt;\_x\_&lt;/b&gt; \[a\](b) \@all" in page


def test_a_fence_in_the_evidence_does_not_close_ours(data: Make, cause: Make) -> None:
    evidence = [{"source": "a.log", "locator": "line 1", "text": "```\n# out\n````"}]
    page = markdown.render(data(cause(evidence=evidence)))
    assert "   `````text\n   ```\n   # out\n   ````\n   `````\n" in page


@given(HOSTILE, HOSTILE)
@settings(max_examples=40, deadline=None)
def test_hostile_evidence_makes_no_markdown(hostile: Make, name: str, said: str) -> None:
    lines = outside_fences(markdown.render(hostile(name, said)))
    assert not [line for line in lines if "<script" in line or line.startswith("# x")]


def parsed(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(page)  # noqa: S314 - our own output


def counts(page: str) -> dict[str, str]:
    return dict(parsed(page).attrib)


def test_junit_fails_for_a_cause(data: Make, cause: Make) -> None:
    page = junit.render(data(cause()))
    case = parsed(page).find("testsuite/testcase")
    assert case is not None
    assert case.attrib["classname"] == "kubernetes.pdb_blocks_drain"
    assert counts(page) == {"name": "sickbay", "tests": "1", "failures": "1", "errors": "0"}


def test_junit_skips_what_is_only_possible(
    data: Make, symptom: Document, candidates: list[Document]
) -> None:
    suite = parsed(junit.render(data(symptom, *candidates))).find("testsuite")
    assert suite is not None
    assert (suite.get("failures"), suite.get("skipped")) == ("1", "2")


def test_junit_passes_with_a_note(data: Make, cause: Make) -> None:
    assert counts(junit.render(data(cause(severity="info"))))["failures"] == "0"


def test_junit_of_health_has_a_test_that_passes(data: Make) -> None:
    assert counts(junit.render(data(health="healthy"))) == {
        "name": "sickbay",
        "tests": "1",
        "failures": "0",
        "errors": "0",
    }


def test_junit_shows_a_crashed_rule_as_an_error(data: Make) -> None:
    assert counts(junit.render(data(crashed=["aks.x: KeyError: 'id'"])))["errors"] == "1"


@given(HOSTILE, HOSTILE)
@settings(max_examples=40, deadline=None)
def test_junit_is_valid_whatever_the_evidence(hostile: Make, name: str, said: str) -> None:
    assert counts(junit.render(hostile(name, said)).encode().decode())["tests"] == "6"


def run_of(data: Document) -> Document:
    log = json.loads(sarif.render(data).encode())
    assert log["version"] == "2.1.0"
    run: Document = log["runs"][0]
    return run


def test_sarif_names_tool_rules_and_results(data: Make, cause: Make) -> None:
    run = run_of(data(cause(), cause(subject={"kind": "Pod", "id": "pod/a/b", "name": "b"})))
    assert run["tool"]["driver"]["name"] == "Sickbay"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [
        "kubernetes.pdb_blocks_drain"
    ]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 0]


def test_sarif_points_at_the_line(data: Make, cause: Make) -> None:
    evidence = [{"source": "logs/a b.log", "locator": "line 41", "text": "x"}]
    place = run_of(data(cause(evidence=evidence)))["results"][0]["locations"][0]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "logs/a%20b.log"},
        "region": {"startLine": 41, "snippet": {"text": "x"}},
    }


def test_sarif_without_a_line_points_at_the_file(data: Make, cause: Make) -> None:
    evidence = [{"source": "a.json", "locator": "$.items[3]", "text": "x"}]
    place = run_of(data(cause(evidence=evidence)))["results"][0]["locations"][0]
    assert place["physicalLocation"] == {"artifactLocation": {"uri": "a.json"}}


@pytest.mark.parametrize(
    ("severity", "level"), [("error", "error"), ("warning", "warning"), ("info", "note")]
)
def test_sarif_has_the_level_of_the_cause(
    data: Make, cause: Make, severity: str, level: str
) -> None:
    assert run_of(data(cause(severity=severity)))["results"][0]["level"] == level


def test_sarif_leaves_open_what_is_only_possible(data: Make, candidates: list[Document]) -> None:
    result = run_of(data(*candidates))["results"][0]
    assert (result["kind"], result["level"]) == ("open", "none")


def test_a_fingerprint_does_not_depend_on_time_or_words(data: Make, cause: Make) -> None:
    one = run_of(data(cause()))["results"][0]["partialFingerprints"]
    other = run_of(data(cause(says="else", first_seen=None)))["results"][0]["partialFingerprints"]
    assert one == other


def test_fingerprints_of_two_subjects_differ(data: Make, cause: Make) -> None:
    thing = {"kind": "Pod", "id": "pod/a/b", "name": "b"}
    one, other = run_of(data(cause(), cause(subject=thing)))["results"]
    assert one["partialFingerprints"] != other["partialFingerprints"]


def test_sarif_tells_of_gaps_and_crashes(data: Make) -> None:
    invocation = run_of(data(gaps=[GAP], crashed=["aks.x: y"]))["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert [notice["level"] for notice in invocation["toolExecutionNotifications"]] == [
        "error",
        "warning",
    ]


@given(HOSTILE, HOSTILE)
@settings(max_examples=40, deadline=None)
def test_sarif_is_valid_whatever_the_evidence(hostile: Make, name: str, said: str) -> None:
    for result in run_of(hostile(name, said))["results"]:
        uri = result["locations"][0].get("physicalLocation", {}).get("artifactLocation", {})
        assert re.fullmatch(r"[\w./~%-]*", uri.get("uri", ""), re.ASCII)

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.report.columns import width
from sickbay.report.text import text

Document = dict[str, Any]
Make = Callable[..., Document]

GAP = {
    "source": "node logs",
    "what": "not in the evidence",
    "reason": "not-collected",
    "to_open": "kubectl logs -n kube-system ds/node-logs",
}
HOSTILE = st.text(st.characters(), max_size=160)


def plain(data: Document) -> str:
    return text(data, colour=False)


def section(page: str, title: str) -> list[str]:
    """The lines below a heading, up to the next empty line."""
    return re.split(rf"(?m)^{title}.*\n", page)[1].split("\n\n")[0].splitlines()


def test_the_answer_comes_first(data: Make, cause: Make) -> None:
    assert plain(data(cause(title="The subnet is full"))).splitlines()[:5] == [
        "SICK   proven    The subnet is full",
        "       shop/cart wants 2 of 2 pods up, so no node that holds one can be drained",
        "       Do first (disruptive):",
        "         kubectl -n shop patch pdb cart --type merge \\",
        """           -p '{"spec":{"minAvailable":1}}'""",
    ]


def test_a_first_step_without_a_command_is_told_in_words(data: Make, cause: Make) -> None:
    step = {"text": "Order quota.", "run": [], "risk": "safe", "verify": ""}
    again = {"text": "Try again.", "run": ["az", "aks", "up"], "risk": "safe", "verify": ""}
    page = plain(data(cause(remedy=[step, again])))
    assert "       Do first (safe):  Order quota." in page.splitlines()


def test_a_cause_that_is_not_proven_gives_the_look_that_decides(data: Make, cause: Make) -> None:
    page = plain(data(cause(certainty="likely", ask="kubectl get pdb -A")))
    assert "       To be sure:  kubectl get pdb -A" in page.splitlines()


def test_the_chain_is_a_tree(data: Make, cause: Make) -> None:
    assert section(plain(data(cause())), "Chain") == [
        "  pdb shop/cart                  10:02 shop/cart wants 2 of 2 pods up, so no",
        "                                 node that holds one can be drained",
        "  └─ node aks-np1-31-vmss000002  10:32 drain gave up after 30 min (12 tries)",
        "     └─ pool np1                 10:32 UpgradeFailed",
        "        └─ cluster prod          10:33 state Failed",
    ]


def test_brothers_in_the_chain_hang_on_one_line(data: Make, cause: Make) -> None:
    pods = [
        {
            "rule": "kubernetes.pod_pending",
            "subject": {"kind": "Pod", "id": f"pod/shop/web-{n}", "name": f"web-{n}"},
            "says": "Pending",
            "depth": 1,
        }
        for n in range(2)
    ]
    lines = section(plain(data(cause(says="full", explains=pods), timeline=[])), "Chain")
    assert lines == [
        "  pdb shop/cart      10:02 full",
        "  ├─ pod shop/web-0  Pending",
        "  └─ pod shop/web-1  Pending",
    ]


def test_evidence_names_file_and_place(data: Make, cause: Make) -> None:
    evidence = [{"source": "pdb.yaml", "locator": "line 41", "text": "allowed: 0"}]
    page = plain(data(cause(evidence=evidence)))
    assert section(page, "Evidence") == ["  1  pdb.yaml line 41  allowed: 0"]


def test_what_was_ruled_out_comes_with_its_arithmetic(data: Make, cause: Make) -> None:
    out = [{"rule": "aks.subnet_full", "because": "120 of 251 addresses used"}]
    page = plain(data(cause(ruled_out=out)))
    assert section(page, "Ruled out") == ["  aks.subnet_full  120 of 251 addresses used"]


def test_a_gap_beside_a_proven_cause_would_change_nothing(data: Make, cause: Make) -> None:
    assert section(plain(data(cause(), gaps=[GAP])), "Not seen") == [
        "  node logs  not in the evidence",
        "  None of this would change the answer above.",
    ]


def test_a_file_that_broke_off_may_hold_another_fault(data: Make, cause: Make) -> None:
    page = plain(data(cause(), gaps=[GAP | {"reason": "truncated"}]))
    assert "though it may hold another fault" in page


def test_a_gap_beside_a_likely_cause_says_what_would_open_it(data: Make, cause: Make) -> None:
    page = plain(data(cause(certainty="likely", ask="x"), gaps=[GAP]))
    assert "    kubectl logs -n kube-system ds/node-logs" in section(page, "Not seen")


def test_a_step_has_its_risk_at_the_right_and_its_command_alone(data: Make, cause: Make) -> None:
    step = {"text": "Scale.", "run": ["kubectl", "scale"], "risk": "safe", "verify": "nc x wants 3"}
    assert section(plain(data(cause(remedy=[step]))), "Treatment") == [
        "  1  Scale." + " " * 65 + "safe",
        "       kubectl scale",
        "     check  nc x  wants 3",
    ]


def test_candidates_are_folded_under_the_symptom(
    data: Make, symptom: Document, candidates: list[Document]
) -> None:
    page = plain(data(symptom, *candidates))
    assert page.count("SICK") + page.count("ALSO") == 1
    assert section(page, "Could be") == [
        "  A disruption budget forbids every eviction, so nodes cannot be drained",
        "    kubectl get pdb -A -o json",
        "  A finalizer keeps a pod in Terminating",
        "    kubectl get pods -A -o json",
    ]


def test_candidates_that_one_look_decides_share_it(
    data: Make, symptom: Document, candidates: list[Document]
) -> None:
    page = plain(data(symptom, *(one | {"ask": "kubectl get x"} for one in candidates)))
    assert section(page, "Could be") == [
        "  A disruption budget forbids every eviction, so nodes cannot be drained",
        "  A finalizer keeps a pod in Terminating",
        "    kubectl get x",
    ]


def test_a_look_that_was_told_is_not_told_again(data: Make, symptom: Document) -> None:
    gap = GAP | {"to_open": symptom["ask"]}
    assert "Not seen" not in plain(data(symptom, gaps=[gap]))


def test_two_causes_are_two_whole_blocks(data: Make, cause: Make) -> None:
    page = plain(data(cause(), cause(rule="aks.subnet_full", title="The subnet is full")))
    assert "ALSO   proven    The subnet is full" in page
    assert page.count("Treatment") == 2


def test_many_causes_are_counted_beyond_the_fifth(data: Make, cause: Make) -> None:
    page = plain(data(*(cause(rule=f"aks.rule_{n}") for n in range(8))))
    assert "and 3 more causes: aks.rule_5, aks.rule_6, aks.rule_7" in page


def test_twenty_things_with_one_cause_are_a_count_and_three_names(data: Make, cause: Make) -> None:
    pods = [{"kind": "Pod", "id": f"pod/shop/web-{n}", "name": f"web-{n}"} for n in range(20)]
    page = plain(data(cause(subject=pods[0], also=pods[1:], count=20)))
    assert "20 pods: shop/web-0, shop/web-1, shop/web-2 and 17 more" in page


def test_a_text_is_no_thing_to_count(data: Make, cause: Make) -> None:
    log = {"kind": "text", "id": "a.log", "name": "a.log"}
    assert "things" not in plain(data(cause(also=[log], count=1)))


def test_a_fault_that_only_a_text_shows_has_its_own_name_in_the_chain(
    data: Make, cause: Make
) -> None:
    log = {"kind": "text", "id": "a.log", "name": "a.log"}
    effect = {"rule": "aks.drain_failed", "subject": log, "says": "failed", "depth": 1}
    page = plain(data(cause(subject=log, explains=[effect])))
    assert "  └─ drain failed   failed" in section(page, "Chain")


def test_a_crashed_rule_is_shown_loudly(data: Make, cause: Make) -> None:
    page = plain(data(cause(), crashed=["aks.subnet_full: KeyError: 'id'"]))
    assert "DEFECT   1 rule of ours failed" in page
    assert "aks.subnet_full: KeyError: 'id'" in page


def test_the_footer_counts(data: Make, cause: Make) -> None:
    assert plain(data(cause())).splitlines()[-2:] == [
        "1 cause · 3 symptoms explained · 0 left over · 14 files read, 1 not understood",
        "More: sickbay rules show kubernetes.pdb_blocks_drain     Page: -o html",
    ]


def test_health_is_one_line_and_what_was_looked_at(data: Make) -> None:
    looked = {"files": 2, "not_understood": 0, "entities": 9, "texts": 4}
    assert plain(data(health="healthy", looked=looked)) == (
        "HEALTHY  Nothing wrong was found. 2 files read, 9 objects and 4 texts looked at.\n"
    )


def test_health_still_says_what_was_not_seen(data: Make) -> None:
    assert "Not seen" in plain(data(health="healthy", gaps=[GAP]))


def test_a_note_is_no_sickness(data: Make, cause: Make) -> None:
    page = plain(data(cause(severity="info", title="Uses kubenet"), health="healthy"))
    assert page.startswith("HEALTHY")
    assert "NOTE     Uses kubenet" in page


def test_when_nothing_can_be_said_it_says_what_to_collect(data: Make) -> None:
    page = plain(data())
    assert page.startswith("UNKNOWN")
    assert "  az aks show -g prod-rg -n prod -o json > aks.json" in section(page, "To know more")


def test_a_pasted_error_with_one_cause_is_a_screen(data: Make, cause: Make) -> None:
    one = cause(
        evidence=[{"source": "stdin", "locator": "line 1", "text": "x " * 400}],
        explains=[],
        ruled_out=[],
    )
    assert len(plain(data(one)).splitlines()) <= 40


def test_colour_changes_no_word(data: Make, cause: Make) -> None:
    page = data(cause(), crashed=["x: y"], gaps=[GAP])
    assert re.sub(r"\x1b\[[\d;]*m", "", text(page, colour=True)) == plain(page)


def test_colour_is_only_at_the_left_word_and_the_certainty(data: Make, cause: Make) -> None:
    inked = re.findall(r"\x1b\[[\d;]+m(\w+)\x1b\[0m", text(data(cause()), colour=True))
    assert inked == ["SICK", "proven"]


@pytest.mark.parametrize("certainty", ["proven", "likely", "possible"])
@given(HOSTILE, HOSTILE)
@settings(max_examples=40, deadline=None)
def test_hostile_evidence_stays_within_the_page(
    hostile: Make, certainty: str, name: str, said: str
) -> None:
    page = plain(hostile(name, said, certainty))
    assert max(map(width, page.splitlines())) <= 80
    assert page.replace("\n", "").isprintable()


def test_a_giant_line_is_cut_in_no_time(hostile: Make) -> None:
    giant = "x" * 20_000_000
    page = plain(hostile(giant, giant))
    assert len(page) < 60_000


def test_a_crooked_chain_is_still_drawn(data: Make, cause: Make) -> None:
    effect = cause()["explains"][0]
    lines = section(plain(data(cause(explains=[effect | {"depth": 40}] * 30))), "Chain")
    assert lines[-1] == "  and 18 more"

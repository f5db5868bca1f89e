"""What one treatment ends is one finding, with its count, its first and its last."""

from rule_kit import Book, finding, rule  # type: ignore[import-not-found]

from sickbay.engine.causes import Graph, gather
from sickbay.engine.evaluate import Found
from sickbay.engine.findings import MOST_EVIDENCE, Finding, fold, from_checks
from sickbay.model.entity import Metadata
from sickbay.model.evidence import Origin
from sickbay.model.finding import Evidence, Match, Weight
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Risk, Step

BOOK = Book(
    each_its_own=rule(remedy=(Step("Mend {name}."),)),
    one_for_all=rule(remedy=(Step("Look at {name}.", risk=Risk.READ), Step("Turn {switch} on."))),
)
PODS = [kube("Pod", "shop", f"web-{number}") for number in range(20)]


def gathered(findings: list[Finding]) -> tuple[Finding, ...]:
    """What is left when nothing explains anything."""
    folded = tuple(fold(BOOK, findings))
    return gather(BOOK, Graph(folded, ((),) * len(folded))).findings


def test_twenty_pods_with_one_treatment_are_one_finding() -> None:
    found = gathered([finding("one_for_all", pod, facts={"switch": "x"}) for pod in PODS])
    assert [(len(one.subjects), one.times) for one in found] == [(20, 20)]


def test_very_many_are_folded_before_they_are_compared() -> None:
    pods = [kube("Pod", "shop", f"web-{number}") for number in range(2_001)]
    found = fold(BOOK, [finding("one_for_all", pod, facts={"switch": "x"}) for pod in pods])
    assert [len(one.subjects) for one in found] == [2_001]


def test_a_treatment_with_other_names_is_another_finding() -> None:
    assert len(gathered([finding("each_its_own", pod) for pod in PODS[:2]])) == 2


def test_a_look_does_not_make_a_treatment_another_one() -> None:
    facts = [{"name": pod.name, "switch": "x"} for pod in PODS]
    found = [finding("one_for_all", pod, facts=f) for pod, f in zip(PODS, facts, strict=True)]
    assert len(gathered(found)) == 1


def test_two_sights_of_one_fault_are_one_and_the_stronger_speaks() -> None:
    heard = finding("each_its_own", PODS[0], says="a line said so", weight=Weight.TYPICAL)
    seen = finding("each_its_own", PODS[0], says="its state shows it")
    (one,) = fold(BOOK, [heard, seen])
    assert (one.says, one.weight, one.times) == ("its state shows it", Weight.DECISIVE, 2)


def test_the_first_and_the_last_time_are_kept_and_undated_ones_do_not_count() -> None:
    times = [
        ("2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"),
        ("", ""),
        ("2026-01-01", "2026-01-01"),
    ]
    (one,) = fold(BOOK, [finding("each_its_own", PODS[0], first=f, last=t) for f, t in times])
    assert (one.first, one.last) == ("2026-01-01", "2026-01-03T00:00:00Z")


def test_evidence_is_shown_once_and_only_so_much_of_it() -> None:
    pieces = [Evidence(Origin("log", f"line {number}"), "text") for number in range(30)]
    found = [finding("each_its_own", PODS[0], evidence=(piece,)) for piece in pieces]
    (one,) = fold(BOOK, [*found, *found])
    assert len(set(one.evidence)) == len(one.evidence) == MOST_EVIDENCE


def test_the_result_does_not_depend_on_the_order() -> None:
    found = [
        finding("each_its_own", pod, weight=weight, says=f"{weight} {pod.name}")
        for pod in PODS[:4]
        for weight in (Weight.TYPICAL, Weight.DECISIVE)
    ]
    assert fold(BOOK, found) == fold(BOOK, reversed(found))


def test_a_match_cites_the_place_in_the_file() -> None:
    pod = Pod(metadata=Metadata(name="a", namespace="shop"))
    snapshot = Snapshot([pod], origins={pod.ref: Origin("pods.json", "$.items[3]")})
    match = Match("it is so", cites=(pod.cite("spec.nodeName", "n1"),))
    (one,) = from_checks([Found("each_its_own", pod.ref, match, Weight.DECISIVE)], snapshot)
    assert one.evidence == (
        Evidence(Origin("pods.json", "$.items[3].spec.nodeName"), "nodeName: n1"),
    )


def test_a_match_that_cites_nothing_shows_its_own_words() -> None:
    (one,) = from_checks(
        [Found("each_its_own", PODS[0], Match("it is so"), Weight.DECISIVE)], Snapshot()
    )
    assert [piece.text for piece in one.evidence] == ["it is so"]

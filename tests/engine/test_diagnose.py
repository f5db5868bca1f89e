"""The order of causes, the words of certainty, and what the whole is called."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_kit import HEARD, MUTED, Book, diagnosed, finding, rule  # type: ignore[import-not-found]

from sickbay.engine.findings import Finding
from sickbay.model.diagnosis import Certainty, Health
from sickbay.model.entity import Metadata
from sickbay.model.evidence import Gap, Origin, Reason
from sickbay.model.finding import Evidence, Severity, Weight
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Step

BOOK = Book(
    a_error=rule(leads_to=("late",)),
    b_error=rule(categories=(Category.STORAGE,)),
    c_warning=rule(severity=Severity.WARNING, categories=(Category.IDENTITY,)),
    d_info=rule(severity=Severity.INFO),
    late=rule(MUTED, severity=Severity.WARNING, categories=(Category.UPGRADE,)),
    shared=rule(remedy=(Step("Turn it on."),)),
)
ERRORS = ("a_error", "b_error", "c_warning", "d_info", "shared")
PODS = [kube("Pod", "shop", f"p{number}") for number in range(6)]
WELL = Snapshot([Pod(metadata=Metadata(name=pod.name, namespace="shop")) for pod in PODS])
PLACED = Snapshot([*WELL.some(Pod), Pod(metadata=Metadata(name="x", namespace="elsewhere"))])

found = st.builds(
    lambda fault, pod, weight, day: finding(
        fault, pod, weight=weight, first=day, last=day, says=f"{fault} {pod.name} {weight} {day}"
    ),
    st.sampled_from(ERRORS),
    st.sampled_from(PODS),
    st.sampled_from([Weight.DECISIVE, Weight.TYPICAL]),
    st.sampled_from(["", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]),
)


def ranking(*findings: Finding) -> list[str]:
    return [cause.rule for cause in diagnosed(BOOK, *findings, snapshot=WELL).causes]


def test_severity_comes_before_certainty() -> None:
    likely = finding("b_error", PODS[0], weight=Weight.TYPICAL)
    assert ranking(finding("c_warning", PODS[1]), likely) == ["b_error", "c_warning"]


def test_of_equal_severity_the_surer_comes_first() -> None:
    likely = finding("a_error", PODS[0], weight=Weight.TYPICAL)
    assert ranking(likely, finding("b_error", PODS[1])) == ["b_error", "a_error"]


def test_of_equal_certainty_the_one_that_explains_more_comes_first() -> None:
    effect = finding("late", PODS[1], weight=Weight.SYMPTOM)
    cause = finding("a_error", PODS[1], first="2026-01-05T00:00:00Z")
    other = finding("b_error", PODS[0], first="2026-01-01T00:00:00Z")
    assert ranking(other, cause, effect) == ["a_error", "b_error"]


def test_then_the_one_that_began_first_comes_first() -> None:
    early = finding("b_error", PODS[0], first="2026-01-01T00:00:00Z")
    assert ranking(finding("a_error", PODS[1], first="2026-01-02T00:00:00Z"), early)[0] == "b_error"
    assert ranking(finding("a_error", PODS[1]), early)[0] == "b_error"


def test_then_the_name_decides() -> None:
    assert ranking(finding("b_error", PODS[0]), finding("a_error", PODS[1]))[0] == "a_error"


def test_a_mere_possibility_comes_last() -> None:
    symptom = finding("late", PODS[0], weight=Weight.SYMPTOM)
    warned = finding("d_info", PODS[1])
    assert ranking(symptom, warned) == ["late", "d_info", "a_error"]


@pytest.mark.parametrize(
    ("weight", "certainty"),
    [
        (Weight.DECISIVE, Certainty.PROVEN),
        (Weight.TYPICAL, Certainty.LIKELY),
        (Weight.SYMPTOM, Certainty.POSSIBLE),
    ],
)
def test_certainty_follows_from_the_weight(weight: Weight, certainty: Certainty) -> None:
    cause = diagnosed(BOOK, finding("b_error", PODS[0], weight=weight)).causes[0]
    assert (cause.certainty, cause.stands_in) == (certainty, weight is Weight.SYMPTOM)


def test_only_below_proven_is_a_look_asked_for() -> None:
    book = Book(known=rule(HEARD, ask="look at {name}"))
    asks = [
        diagnosed(book, finding("known", PODS[0], weight=weight)).causes[0].ask
        for weight in (Weight.DECISIVE, Weight.TYPICAL)
    ]
    assert asks == ["", "look at p0"]


def test_an_explained_symptom_is_no_cause_of_its_own() -> None:
    diagnosis = diagnosed(
        BOOK, finding("a_error", PODS[0]), finding("late", PODS[0], weight=Weight.SYMPTOM)
    )
    assert [cause.rule for cause in diagnosis.causes] == ["a_error"]
    assert [effect.rule for effect in diagnosis.causes[0].explains] == ["late"]
    assert diagnosis.unexplained == ()


def test_an_unexplained_symptom_is_said_to_be_one() -> None:
    diagnosis = diagnosed(BOOK, finding("late", PODS[0], weight=Weight.SYMPTOM))
    assert [effect.rule for effect in diagnosis.unexplained] == ["late"]


def test_an_effect_that_was_over_before_the_cause_began_stays_unexplained() -> None:
    cause = finding("a_error", PODS[0], first="2026-01-02T00:00:00Z")
    effect = finding("late", PODS[0], weight=Weight.SYMPTOM, last="2026-01-01T00:00:00Z")
    assert [one.rule for one in diagnosed(BOOK, cause, effect).unexplained] == ["late"]


def test_a_candidate_behind_two_symptoms_is_listed_once() -> None:
    book = Book(hidden=rule(leads_to=("one", "two")), one=rule(MUTED), two=rule(MUTED))
    symptoms = [finding(id, PODS[0], weight=Weight.SYMPTOM) for id in ("one", "two")]
    causes = [cause.rule for cause in diagnosed(book, *symptoms, snapshot=WELL).causes]
    assert causes == ["one", "two", "hidden"]


def test_twenty_pods_with_one_treatment_are_one_cause_with_a_count() -> None:
    many = [kube("Pod", "shop", f"w{number}") for number in range(20)]
    (cause,) = diagnosed(BOOK, *(finding("shared", pod) for pod in many)).causes
    assert (cause.times, len(cause.also)) == (20, 19)


def test_two_budgets_with_a_treatment_each_are_two_causes() -> None:
    budgets = [kube("PodDisruptionBudget", "shop", name) for name in ("a", "b")]
    world = Snapshot([*(WELL.some(Pod))])
    causes = diagnosed(BOOK, *(finding("b_error", one) for one in budgets), snapshot=world).causes
    assert [cause.remedy[0].text for cause in causes] == ["Mend a.", "Mend b."]


class TestCategories:
    def test_causes_of_another_kind_of_trouble_are_left_out(self) -> None:
        both = (finding("b_error", PODS[0]), finding("c_warning", PODS[1]))
        kept = diagnosed(BOOK, *both, categories=("identity",)).causes
        assert [cause.rule for cause in kept] == ["c_warning"]

    def test_a_cause_that_leads_to_the_trouble_is_kept(self) -> None:
        both = (finding("a_error", PODS[0]), finding("late", PODS[0], weight=Weight.SYMPTOM))
        kept = diagnosed(BOOK, *both, categories=("upgrade",)).causes
        assert [cause.rule for cause in kept] == ["a_error"]

    def test_nothing_of_the_kind_is_nothing_wrong(self) -> None:
        diagnosis = diagnosed(
            BOOK, finding("b_error", PODS[0]), categories=("identity",), snapshot=WELL
        )
        assert diagnosis.health is Health.HEALTHY


class TestHealth:
    def test_a_cause_makes_sick(self) -> None:
        assert diagnosed(BOOK, finding("c_warning", PODS[0])).health is Health.SICK

    def test_information_alone_does_not(self) -> None:
        diagnosis = diagnosed(BOOK, finding("d_info", PODS[0]), snapshot=WELL)
        assert diagnosis.health is Health.HEALTHY

    def test_a_text_without_documents_is_never_healthy(self) -> None:
        assert diagnosed(BOOK).health is Health.UNKNOWN

    def test_documents_without_a_find_are_healthy(self) -> None:
        assert diagnosed(BOOK, snapshot=WELL).health is Health.HEALTHY

    def test_a_file_that_could_not_be_read_is_not_health(self) -> None:
        gap = Gap("x.bin", "binary", Reason.NOT_UNDERSTOOD, asked_for=True)
        blind = Snapshot(WELL.some(Pod), gaps=[gap])
        assert diagnosed(BOOK, snapshot=blind).health is Health.UNKNOWN


def test_the_timeline_is_in_order_of_time() -> None:
    days = ["2026-01-03T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]
    dated = [
        finding("b_error", pod, first=day, last=day)
        for pod, day in zip(PODS[:3], days, strict=True)
    ]
    assert [moment.at for moment in diagnosed(BOOK, *dated, snapshot=WELL).timeline] == sorted(days)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(found, max_size=7).flatmap(lambda one: st.tuples(st.just(one), st.permutations(one)))
)
def test_the_order_of_findings_does_not_change_the_diagnosis(
    orders: tuple[list[Finding], list[Finding]],
) -> None:
    one, other = (diagnosed(BOOK, *findings, snapshot=WELL) for findings in orders)
    assert repr(one) == repr(other)


@settings(max_examples=50, deadline=None)
@given(st.lists(found, max_size=7))
def test_an_unrelated_finding_does_not_reorder_the_others(findings: list[Finding]) -> None:
    stranger = finding("late", kube("Pod", "elsewhere", "x"), weight=Weight.TYPICAL)
    with_it = diagnosed(BOOK, *findings, stranger, snapshot=PLACED).causes
    without = diagnosed(BOOK, *findings, snapshot=PLACED).causes
    kept = [cause for cause in with_it if cause.subject != stranger.subject]
    assert [(one.rule, one.subject) for one in kept] == [(one.rule, one.subject) for one in without]


def test_a_cause_shows_what_it_rests_on() -> None:
    piece = Evidence(Origin("kubelet.log", "line 3"), "it broke")
    cause = diagnosed(BOOK, finding("b_error", PODS[0], evidence=(piece,))).causes[0]
    assert cause.evidence == (piece,)

"""A state that may be meant so is a fault only where it is felt."""

from typing import Any

from rule_kit import HEARD, MUTED, Book, check, diagnosed, finding, rule  # type: ignore[import-not-found]

from sickbay.engine.evaluate import Found
from sickbay.engine.findings import Finding, fold, from_checks
from sickbay.model.aks import ManagedCluster
from sickbay.model.diagnosis import Certainty, Health
from sickbay.model.finding import Match, Weight
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot

CLUSTER = ManagedCluster(
    id="/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/a"
)
SNAPSHOT = Snapshot([CLUSTER])
BOOK = Book(
    stopped=rule(
        check(ManagedCluster, lambda _cluster, _snapshot: Match("a is Stopped")),
        leads_to=("silent", "failed"),
        spreads=True,
        ask="look at the power state",
    ),
    silent=rule(MUTED),
    failed=rule(MUTED),
    heard=rule(HEARD),
)
HOST = Ref("host", "a.azmk8s.io")


def off(**fields: Any) -> Finding:
    found: Finding = finding("stopped", CLUSTER.ref, felt_as=("silent",), **fields)
    return found


def symptom(id: str, subject: Ref = HOST) -> Finding:
    found: Finding = finding(id, subject, weight=Weight.SYMPTOM)
    return found


def test_a_state_that_nobody_feels_is_no_fault() -> None:
    diagnosis = diagnosed(BOOK, off(), snapshot=SNAPSHOT)
    assert (diagnosis.causes, diagnosis.health) == ((), Health.HEALTHY)


def test_a_state_that_is_felt_is_the_cause() -> None:
    (cause,) = diagnosed(BOOK, off(), symptom("silent"), snapshot=SNAPSHOT).causes
    assert (cause.rule, cause.certainty) == ("stopped", Certainty.PROVEN)
    assert [effect.rule for effect in cause.explains] == ["silent"]


def test_felt_as_something_else_it_stays_possible() -> None:
    diagnosis = diagnosed(BOOK, off(), symptom("failed"), snapshot=SNAPSHOT)
    assert [(cause.rule, cause.certainty, cause.ask) for cause in diagnosis.causes] == [
        ("failed", Certainty.POSSIBLE, "look at the power state"),
        ("stopped", Certainty.POSSIBLE, "look at the power state"),
    ]


def test_the_silence_of_another_host_is_not_its_doing() -> None:
    off_by_name = off(facts={"hosts": "B.azmk8s.io C.azmk8s.io"})
    (first, *_) = diagnosed(BOOK, off_by_name, symptom("silent"), snapshot=SNAPSHOT).causes
    assert first.rule == "silent"


def test_the_silence_of_its_own_host_or_of_an_address_is() -> None:
    for host in ("a.azmk8s.io", "20.50.2.7"):
        silent = symptom("silent", Ref("host", host))
        named = off(facts={"hosts": "A.azmk8s.io"})
        (cause,) = diagnosed(BOOK, named, silent, snapshot=SNAPSHOT).causes
        assert cause.rule == "stopped"


def test_a_check_hands_on_how_it_is_felt() -> None:
    match = Match("a is Stopped", felt_as=("silent",))
    (one,) = from_checks([Found("stopped", CLUSTER.ref, match, Weight.DECISIVE)], SNAPSHOT)
    assert one.felt_as == ("silent",)


def test_what_is_a_fault_in_any_case_stays_one() -> None:
    (one,) = fold(BOOK, [off(), finding("stopped", CLUSTER.ref, says="the cluster is stopped")])
    assert one.felt_as == ()

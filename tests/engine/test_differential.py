"""The causes that a symptom could have: found, ruled out with the arithmetic, or possible."""

import pytest
from rule_kit import MUTED, Book, check, examined, finding, rule  # type: ignore[import-not-found]

from sickbay.engine.differential import Open, best_look, candidates
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.diagnosis import Certainty, Diagnosis, RuledOut
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.finding import Clear, Match, Weight
from sickbay.model.ids import arm
from sickbay.model.snapshot import Seen, Snapshot

GROUP = "/subscriptions/s/resourceGroups/g/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/prod"
SUBNET = f"{GROUP}/Microsoft.Network/virtualNetworks/v/subnets/nodes"
POOL = AgentPool(id=f"{CLUSTER}/agentPools/np1", name="np1", vnet_subnet_id=SUBNET)
CLUSTER_ITSELF = ManagedCluster(id=CLUSTER, name="prod")


def full(subnet: Subnet, snapshot: Snapshot) -> Match | Clear:  # noqa: ARG001
    free = 251 - len(subnet.ip_configurations or ())
    return Clear(f"{subnet.name} has {free} of 251 free") if free else Match("it is full")


def plainly_not(subnet: Subnet, snapshot: Snapshot) -> None:  # noqa: ARG001
    return None


def wants_more(subnet: Subnet, snapshot: Snapshot) -> Match | None:
    raise UnseenError(Gap("quota", f"quota for {subnet.name} {len(snapshot)}", to_open="az quota"))


BOOK = Book(
    failed=rule(MUTED),
    subnet_full=rule(check(Subnet, full), leads_to=("failed",)),
    policy_denied=rule(leads_to=("failed",), ask="az policy state list -n {name}"),
)
SYMPTOM = finding("failed", POOL.ref, weight=Weight.SYMPTOM)


def seen(*subnets: Subnet) -> Snapshot:
    kinds = [Seen(kind) for kind in (AgentPool.kind, ManagedCluster.kind, Subnet.kind)]
    return Snapshot([CLUSTER_ITSELF, POOL, *subnets], seen=kinds)


def of(diagnosis: Diagnosis, rule: str) -> Certainty | None:
    return next((cause.certainty for cause in diagnosis.causes if cause.rule == rule), None)


def test_a_candidate_that_was_looked_at_is_ruled_out_with_its_arithmetic() -> None:
    diagnosis = examined(BOOK, seen(Subnet(id=SUBNET, name="nodes")), SYMPTOM)
    top = diagnosis.causes[0]
    assert top.rule == "failed"
    assert top.ruled_out == (RuledOut("subnet_full", "nodes has 251 of 251 free"),)
    assert of(diagnosis, "subnet_full") is None


def test_a_candidate_that_nobody_looked_at_is_possible_with_its_look() -> None:
    diagnosis = examined(BOOK, Snapshot([CLUSTER_ITSELF, POOL]), SYMPTOM)
    possible = {cause.rule: cause.ask for cause in diagnosis.causes[1:]}
    assert possible["subnet_full"].startswith("az network vnet subnet list")
    assert of(diagnosis, "subnet_full") is Certainty.POSSIBLE


def test_what_was_not_read_for_a_candidate_is_a_gap() -> None:
    diagnosis = examined(BOOK, Snapshot([CLUSTER_ITSELF, POOL]), SYMPTOM)
    assert [gap.source for gap in diagnosis.gaps] == [Subnet.kind]


def test_a_candidate_that_only_texts_show_stays_possible_with_its_ask() -> None:
    diagnosis = examined(BOOK, seen(Subnet(id=SUBNET, name="nodes")), SYMPTOM)
    possible = {cause.rule: cause.ask for cause in diagnosis.causes[1:]}
    assert possible == {"policy_denied": "az policy state list -n np1"}


def test_taking_the_deciding_document_away_lowers_the_word() -> None:
    book = Book(failed=rule(MUTED), subnet_full=rule(check(Subnet, full), leads_to=("failed",)))
    crowded = Subnet(id=SUBNET, name="nodes", ip_configurations=[None] * 251)  # type: ignore[list-item]
    assert of(examined(book, seen(crowded), SYMPTOM), "subnet_full") is Certainty.PROVEN
    blind = Snapshot([CLUSTER_ITSELF, POOL])
    assert of(examined(book, blind, SYMPTOM), "subnet_full") is Certainty.POSSIBLE


def test_a_check_that_could_not_look_beneath_the_symptom_leaves_it_open() -> None:
    book = Book(failed=rule(MUTED), quota=rule(check(Subnet, wants_more), leads_to=("failed",)))
    diagnosis = examined(book, seen(Subnet(id=SUBNET, name="nodes")), SYMPTOM)
    assert [cause.ask for cause in diagnosis.causes if cause.rule == "quota"] == ["az quota"]


def test_a_check_that_could_not_look_at_a_stranger_leaves_nothing_open() -> None:
    book = Book(failed=rule(MUTED), quota=rule(check(Subnet, wants_more), leads_to=("failed",)))
    stranger = Subnet(id=f"{GROUP}/Microsoft.Network/virtualNetworks/other/subnets/x", name="x")
    assert of(examined(book, seen(stranger), SYMPTOM), "quota") is None


def test_a_plain_no_is_a_reason_of_its_own() -> None:
    book = Book(failed=rule(MUTED), quiet=rule(check(Subnet, plainly_not), leads_to=("failed",)))
    top = examined(book, seen(Subnet(id=SUBNET, name="nodes")), SYMPTOM).causes[0]
    assert top.ruled_out == (RuledOut("quiet", "subnets looked at: not so"),)


def test_behind_a_symptom_stand_the_causes_of_its_symptoms() -> None:
    book = Book(
        down=rule(MUTED),
        late=rule(MUTED, leads_to=("down",)),
        cause=rule(leads_to=("late",)),
        behind=rule(leads_to=("cause",)),
    )
    assert list(candidates(book, "down")) == ["cause"]


@pytest.mark.parametrize(
    ("looks", "best"),
    [
        (["a", "b", "b"], "b"),
        (["b", "a"], "a"),
        (["", "", "z"], "z"),
        (["", ""], ""),
        ([], ""),
    ],
)
def test_the_best_look_decides_most(looks: list[str], best: str) -> None:
    card = BOOK.card("failed")
    assert best_look([Open(card, look) for look in looks]) == best


def test_candidates_stand_in_the_order_of_the_causal_graph() -> None:
    book = Book(
        down=rule(MUTED),
        late=rule(MUTED, leads_to=("down",)),
        afar=rule(leads_to=("late",), ask="look afar"),
        direct=rule(leads_to=("down",), ask="look here"),
    )
    found = examined(book, Snapshot(), finding("down", arm(SUBNET), weight=Weight.SYMPTOM))
    assert [cause.rule for cause in found.causes] == ["down", "direct", "afar"]


def test_a_symptom_without_a_cause_asks_for_the_best_look() -> None:
    book = Book(
        failed=rule(MUTED),
        one=rule(leads_to=("failed",), ask="look here"),
        two=rule(leads_to=("failed",), ask="look there"),
        three=rule(leads_to=("failed",), ask="look there"),
    )
    assert examined(book, Snapshot(), SYMPTOM).causes[0].ask == "look there"


def test_a_cause_that_was_found_is_not_listed_as_possible() -> None:
    diagnosis = examined(BOOK, Snapshot([POOL]), SYMPTOM, finding("policy_denied", arm(SUBNET)))
    assert [cause.rule for cause in diagnosis.causes] == ["policy_denied"]
    assert [effect.rule for effect in diagnosis.causes[0].explains] == ["failed"]

"""Which finding explains which: by rules, by kinship, by time, by what a message carried."""

from sickbay.engine.cards import card_of
from sickbay.engine.catalog import Catalog
from sickbay.engine.causes import Graph, connect, gather
from sickbay.engine.findings import Finding
from sickbay.engine.index import Place, build
from sickbay.engine.kinship import Kinship
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.evidence import Origin
from sickbay.model.finding import Evidence, Severity, Weight
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Rule, Signature, Step

GROUP = "/subscriptions/s/resourceGroups/g/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/prod"
SUBNET = f"{GROUP}/Microsoft.Network/virtualNetworks/v/subnets/nodes"
ESTATE = (
    ManagedCluster(id=CLUSTER, name="prod"),
    AgentPool(id=f"{CLUSTER}/agentPools/np1", name="np1", vnet_subnet_id=SUBNET),
    AgentPool(id=f"{CLUSTER}/agentPools/np2", name="np2"),
    Subnet(id=SUBNET, name="nodes"),
)


def rule(*leads_to: str, spreads: bool = False) -> Rule:
    return Rule(
        title="It is broken",
        severity=Severity.ERROR,
        categories=(Category.NODES,),
        detect=(Signature("broken", "it broke", "broken", "whole"),),
        why="It broke.",
        remedy=(Step("Mend it."),),
        docs=("https://example.com",),
        leads_to=leads_to,
        spreads=spreads,
    )


def catalog(**rules: Rule) -> Catalog:
    return Catalog(build((card_of(id, one), Place(id)) for id, one in rules.items()).opened())


def finding(id: str, subject: Ref, first: str = "", last: str = "") -> Finding:
    evidence = (Evidence(Origin("file", subject.id), "text"),)
    says = f"{id} on {subject.name}"
    return Finding(id, (subject,), says, {}, Weight.DECISIVE, evidence, 1, first, last)


def explained(graph: Graph) -> set[tuple[str, str]]:
    return {
        (graph.findings[cause].rule, graph.findings[effect].rule)
        for cause, effects in enumerate(graph.effects)
        for effect in effects
    }


CHAIN = catalog(full=rule("failed"), failed=rule("down"), down=rule(), other=rule())
POOL1, POOL2 = (arm(f"{CLUSTER}/agentPools/{name}") for name in ("np1", "np2"))


def connected(*findings: Finding, rules: Catalog = CHAIN) -> Graph:
    return connect(rules, Kinship(Snapshot(ESTATE)), findings)


def test_a_cause_explains_what_stands_on_its_subject() -> None:
    graph = connected(finding("full", arm(SUBNET)), finding("failed", POOL1))
    assert explained(graph) == {("full", "failed")}


def test_a_pool_on_another_subnet_is_not_explained() -> None:
    graph = connected(finding("full", arm(SUBNET)), finding("failed", POOL2))
    assert explained(graph) == set()


def test_a_chain_is_drawn_link_by_link() -> None:
    graph = connected(
        finding("down", arm(CLUSTER)), finding("failed", POOL1), finding("full", arm(SUBNET))
    )
    assert explained(graph) == {("full", "failed"), ("failed", "down")}


def test_a_missing_link_does_not_break_the_chain() -> None:
    graph = connected(finding("down", arm(CLUSTER)), finding("full", POOL1))
    assert explained(graph) == {("full", "down")}


def test_independent_causes_stay_separate() -> None:
    graph = connected(finding("full", arm(SUBNET)), finding("other", POOL2))
    assert len(graph.roots()) == 2


def test_an_effect_that_was_over_before_the_cause_began_is_not_explained() -> None:
    early = finding("failed", POOL1, first="2026-01-01T00:00:00Z", last="2026-01-01T01:00:00Z")
    late = finding("full", arm(SUBNET), first="2026-01-02T00:00:00Z", last="2026-01-02T00:00:00Z")
    assert explained(connected(early, late)) == set()


def test_a_cause_that_spreads_is_felt_across_the_cluster() -> None:
    rules = catalog(dns=rule("lookup", spreads=True), lookup=rule())
    graph = connected(finding("dns", POOL1), finding("lookup", POOL2), rules=rules)
    assert explained(graph) == {("dns", "lookup")}


def test_a_thing_without_documents_is_not_excluded() -> None:
    graph = connected(finding("full", arm(SUBNET)), finding("failed", kube("Node", "", "n1")))
    assert explained(graph) == {("full", "failed")}


def test_an_error_that_only_carried_another_is_explained_by_it() -> None:
    record = Origin("activity.json", "$[3]")
    outer = finding("other", POOL2)._replace(weight=Weight.SYMPTOM, records={record: 0})
    inner = finding("full", POOL2)._replace(records={record: 2})
    assert explained(connected(outer, inner)) == {("full", "other")}


def beside_each_other(*weights: Weight, rules: Catalog = CHAIN) -> set[tuple[str, str]]:
    """What explains what of two findings in one message: `other` and `full`."""
    record = {Origin("error.txt", "line 1"): 0}
    pair = (finding("other", POOL2), finding("full", POOL2))
    found = (
        one._replace(weight=weight, records=record)
        for one, weight in zip(pair, weights, strict=True)
    )
    return explained(connected(*found, rules=rules))


def test_the_code_of_a_message_is_explained_by_the_cause_that_the_message_names() -> None:
    assert beside_each_other(Weight.SYMPTOM, Weight.TYPICAL) == {("full", "other")}


def test_of_two_symptoms_in_one_message_none_explains_the_other() -> None:
    assert beside_each_other(Weight.SYMPTOM, Weight.SYMPTOM) == set()


def test_a_rule_that_only_wraps_is_explained_by_any_other_symptom_beside_it() -> None:
    rules = catalog(full=rule(), other=rule()._replace(wraps=True))
    both = beside_each_other(Weight.SYMPTOM, Weight.SYMPTOM, rules=rules)
    assert both == {("full", "other")}


def in_one_record(*names: str, rules: Catalog) -> set[str]:
    """The rules that are left of findings that one record shows."""
    record = {Origin("error.txt", "line 1"): 0}
    found = (finding(name, POOL2)._replace(records=record) for name in names)
    return {one.rule for one in connected(*found, rules=rules).findings}


def test_general_words_are_left_out_where_the_same_record_says_more() -> None:
    rules = catalog(full=rule(), other=rule()._replace(vague=True))
    assert in_one_record("full", "other", rules=rules) == {"full"}
    assert in_one_record("other", rules=rules) == {"other"}


def test_general_words_stay_beside_what_they_lead_to() -> None:
    rules = catalog(full=rule(), other=rule("full")._replace(vague=True))
    assert in_one_record("full", "other", rules=rules) == {"full", "other"}


def beside_a_vague_signature(other: Finding, rules: Catalog) -> set[str]:
    """The rules that are left where `answered` was heard in general words alone."""
    record = {Origin("error.txt", "line 1"): 0}
    said = finding("answered", POOL2)._replace(records=record, vague=True)
    graph = connected(said, other._replace(records=record), rules=rules)
    return {one.rule for one in graph.findings}


def test_a_vague_signature_gives_way_to_a_vague_rule_and_to_an_effect() -> None:
    other = finding("other", POOL2)
    rules = catalog(answered=rule("other"), other=rule()._replace(vague=True))
    assert beside_a_vague_signature(other, rules) == {"other"}
    assert beside_a_vague_signature(other, catalog(answered=rule(), other=rule())) == {"other"}


def test_a_vague_signature_explains_what_only_carries_it_and_is_a_symptom() -> None:
    symptom = finding("other", POOL2)._replace(weight=Weight.SYMPTOM)
    rules = catalog(answered=rule("other"), other=rule())
    assert beside_a_vague_signature(symptom, rules) == {"answered", "other"}
    carried = catalog(answered=rule("other"), other=rule()._replace(wraps=True))
    assert beside_a_vague_signature(finding("other", POOL2), carried) == {"answered", "other"}
    # What it does not lead to is another matter, and was there first.
    rules = catalog(answered=rule(), other=rule())
    assert beside_a_vague_signature(symptom, rules) == {"other"}


def test_the_graph_does_not_depend_on_the_order_of_findings() -> None:
    found = [finding("down", arm(CLUSTER)), finding("failed", POOL1), finding("full", arm(SUBNET))]
    assert connected(*found) == connected(*reversed(found))


def test_one_fault_seen_on_a_thing_and_on_its_parent_is_one_finding() -> None:
    graph = connected(finding("failed", POOL1), finding("failed", arm(CLUSTER)))
    assert [len(one.subjects) for one in graph.findings] == [2]


def test_the_same_symptom_in_two_places_keeps_its_two_causes() -> None:
    """One place is explained; the other stands for itself, though one treatment would end both."""
    there = arm(f"{CLUSTER}/agentPools/np2")
    graph = connected(
        finding("full", arm(SUBNET)),
        finding("failed", arm(f"{CLUSTER}/agentPools/np1")),
        finding("failed", there),
    )
    gathered = gather(CHAIN, graph)
    roots = [gathered.findings[root] for root in gathered.roots()]
    assert {(one.rule, one.subject) for one in roots} == {("full", arm(SUBNET)), ("failed", there)}


def test_a_pod_that_is_gone_is_not_kin_to_another_namespace() -> None:
    kinship = Kinship(Snapshot(ESTATE))
    gone = kube("Pod", "shop", "web-1")
    assert not kinship.related(gone, kube("Pod", "pay", "web-2"))
    assert kinship.related(gone, kube("ReplicaSet", "shop", "web"))
    assert kinship.related(gone, kube("Node", "", "node1"))

"""This case's names in the sentences and commands of a rule."""

import pytest

from sickbay.engine.fill import facts_of, fill, needed, tell, treat, treatment_key, unfold
from sickbay.model.ids import Ref, arm, kube
from sickbay.rulekit import Risk, Step

POOL = (
    "/subscriptions/s/resourceGroups/g/providers"
    "/Microsoft.ContainerService/managedClusters/prod/agentPools/np1"
)


def test_a_known_fact_is_filled_in() -> None:
    assert fill("az aks show -n {cluster}", {"cluster": "prod"}) == "az aks show -n prod"


@pytest.mark.parametrize("facts", [{}, {"resource_group": ""}])
def test_an_unknown_fact_stays_visible(facts: dict[str, str]) -> None:
    assert fill("-g {resource_group}", facts) == "-g <resource-group>"


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"size": "D2", "free": "4"}, "Use D2 (4 cores are free), or another."),
        ({"size": "D2"}, "Use D2, or another."),
        ({"free": "4"}, "Use <size> (4 cores are free), or another."),
    ],
)
def test_a_clause_is_said_where_its_facts_are_known(facts: dict[str, str], told: str) -> None:
    assert tell("Use {size}[ ({free} cores are free)], or another.", facts) == told


def test_brackets_without_a_fact_are_only_brackets() -> None:
    assert tell("See [MSC v.1929 32 bit] there.", {}) == "See [MSC v.1929 32 bit] there."


def test_the_page_of_a_rule_shows_all_clauses_and_a_match_needs_none_of_their_facts() -> None:
    assert unfold("Use {size}[ ({free} free)].") == "Use {size} ({free} free)."
    assert needed("Use {size}[ ({free} free)].") == {"size"}


def test_a_query_in_braces_is_left_alone() -> None:
    assert fill("[].{name:name,v4:prefix}", {"name": "x"}) == "[].{name:name,v4:prefix}"


def test_a_filled_in_value_is_not_filled_again() -> None:
    assert fill("{one} {two}", {"one": "{two}", "two": "x"}) == "{two} x"


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("deployment/<deployment>", "statefulset/db"),
        ("az arcappliance logs <fabric>", "az arcappliance logs vmware"),
        ("cat <name>-infra.yaml", "cat edge-infra.yaml"),
        ("ping <control-plane-ip>", "ping 10.0.0.4"),
    ],
)
def test_a_stand_in_that_is_known_is_filled_in(template: str, filled: str) -> None:
    facts = {
        "workload": "statefulset/db",
        "fabric": "vmware",
        "infra_file": "edge-infra.yaml",
        "control_plane_ip": "10.0.0.4",
    }
    assert fill(template, facts) == filled
    assert fill(template, {}) == template


def test_other_words_in_brackets_are_for_the_reader() -> None:
    facts = {"limit": "128Mi", "name": "x", "deployment": "y"}
    assert fill("<limit> <name> <deployment>", facts) == "<limit> <name> <deployment>"


def test_an_arm_id_names_all_that_it_stands_in() -> None:
    assert facts_of(arm(POOL)) == {
        "subscription": "s",
        "resource_group": "g",
        "cluster": "prod",
        "pool": "np1",
        "name": "np1",
        "subject": POOL,
    }


def test_a_pod_names_itself_and_its_namespace() -> None:
    facts = facts_of(kube("Pod", "shop", "web-0"))
    assert (facts["pod"], facts["namespace"], facts["name"]) == ("web-0", "shop", "web-0")


def test_a_node_has_no_namespace() -> None:
    assert facts_of(kube("Node", "", "n1")) == {"name": "n1", "subject": "node/n1", "node": "n1"}


def test_the_name_of_a_file_is_no_name_of_a_thing() -> None:
    assert facts_of(Ref("text", "logs/kubelet.log")) == {}


def test_each_word_of_a_command_is_filled_on_its_own() -> None:
    step = Step("Restart {pod}.", ("kubectl", "delete", "pod", "{pod}"), Risk.DISRUPTIVE, "{pod}")
    (treatment,) = treat((step,), {"pod": "a b; rm -rf /"})
    assert treatment.run == ("kubectl", "delete", "pod", "a b; rm -rf /")
    assert (treatment.text, treatment.risk) == ("Restart a b; rm -rf /.", "disruptive")


def test_looks_do_not_tell_treatments_apart() -> None:
    steps = (Step("Look at {pod}.", risk=Risk.READ), Step("Turn it on."))
    assert treatment_key(steps, {"pod": "a"}) == treatment_key(steps, {"pod": "b"})


def test_a_look_by_a_debugging_pod_does_not_tell_treatments_apart() -> None:
    steps = (Step("List it.", ("kubectl", "debug", "node/{node}", "--", "ls")), Step("Mend it."))
    assert treatment_key(steps, {"node": "a"}) == treatment_key(steps, {"node": "b"})


def test_names_tell_treatments_apart() -> None:
    steps = (Step("Mend {pod}."),)
    assert treatment_key(steps, {"pod": "a"}) != treatment_key(steps, {"pod": "b"})


def test_a_remark_of_which_nothing_is_known_is_left_out() -> None:
    steps = (Step("Take another size ({sizes}) in {location}."),)
    assert treat(steps, {})[0].text == "Take another size in <location>."
    known = {"sizes": "Standard_D4s_v5", "location": "westeurope"}
    assert treat(steps, known)[0].text == "Take another size (Standard_D4s_v5) in westeurope."

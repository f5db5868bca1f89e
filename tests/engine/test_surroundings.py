"""A remedy names what stands around its subject, as far as the evidence tells."""

import pytest
from rule_kit import Book, diagnosed, finding, rule  # type: ignore[import-not-found]

from sickbay.engine.surroundings import facts_around, facts_of_bridge, with_names
from sickbay.engine.target import facts_of_target
from sickbay.model.arc import ApplianceInfra, ApplianceSettings, ApplianceTarget
from sickbay.model.diagnosis import Target
from sickbay.model.entity import Metadata, OwnerReference
from sickbay.model.evidence import Origin
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Node, Pod, PodSpec
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Step

RAISE = Step("Raise it.", run=("kubectl", "set", "resources", "deployment/<deployment>"))
DEPLOY = Step("Again.", run=("az", "arcappliance", "run", "<fabric>", "<name>-appliance.yaml"))


def pod(name: str, kind: str = "ReplicaSet", owner: str = "web-7d9c5b6f4") -> Pod:
    owners = [OwnerReference(kind=kind, name=owner, controller=True)]
    metadata = Metadata(name=name, namespace="shop", owner_references=owners)
    return Pod(metadata=metadata, spec=PodSpec(node_name="n1"))


def bridge(name: str = "edge") -> Snapshot:
    metadata = Metadata(name=name)
    infra = ApplianceInfra(metadata=metadata, provider="vsphere")
    settings = ApplianceSettings(metadata=metadata, control_plane="10.0.0.4")
    target = ApplianceTarget(metadata=metadata, subscription="s", resource_group="g", location="l")
    origins = {settings.ref: Origin(f"saved/{name}-appliance.yml")}
    return Snapshot([infra, settings, target], origins=origins)


@pytest.mark.parametrize(
    ("kind", "owner", "workload"),
    [
        ("ReplicaSet", "web-7d9c5b6f4", "deployment/web"),
        ("StatefulSet", "db", "statefulset/db"),
        ("DaemonSet", "agent", "daemonset/agent"),
    ],
)
def test_a_pod_is_changed_where_it_is_declared(kind: str, owner: str, workload: str) -> None:
    one = pod("web-1", kind, owner)
    assert facts_around(one.ref, Snapshot([one])) == {"workload": workload, "node": "n1"}


@pytest.mark.parametrize(("kind", "owner"), [("Job", "nightly"), ("Node", "n1")])
def test_what_cannot_be_changed_is_not_named(kind: str, owner: str) -> None:
    one = pod("web-1", kind, owner)
    assert facts_around(one.ref, Snapshot([one])) == {"node": "n1"}


def test_a_pod_without_its_document_has_no_surroundings() -> None:
    assert facts_around(kube("Pod", "shop", "web-1"), Snapshot()) == {}


def test_a_workload_is_itself() -> None:
    facts = facts_around(kube("Deployment", "shop", "web"), Snapshot())
    assert facts == {"workload": "deployment/web"}


def test_a_node_names_its_pool() -> None:
    node = Node(metadata=Metadata(name="n1", labels={"agentpool": "np1"}))
    assert facts_around(node.ref, Snapshot([node])) == {"pool": "np1"}


def test_the_files_of_a_bridge_name_each_other() -> None:
    snapshot = bridge()
    facts = facts_around(kube("ApplianceInfra", "", "edge"), snapshot)
    assert facts == facts_of_bridge(snapshot)
    assert (facts["fabric"], facts["resource_group"], facts["control_plane_ip"]) == (
        "vmware",
        "g",
        "10.0.0.4",
    )
    assert facts["appliance_file"] == "edge-appliance.yml"


def test_the_only_bridge_lends_its_names_to_texts() -> None:
    assert facts_of_target(Target("evidence", "folder"), bridge())["fabric"] == "vmware"


def test_of_two_bridges_none_does() -> None:
    other = ApplianceInfra(metadata=Metadata(name="other"), provider="scvmm")
    both = Snapshot([other, *(e for r in bridge().refs() if (e := bridge().find(r)))])
    assert facts_of_bridge(both) == {}


def test_the_remedy_of_a_pod_names_its_deployment() -> None:
    book = Book(killed=rule(remedy=(RAISE,)))
    pods = [pod("web-1"), pod("web-2"), pod("db-0", "StatefulSet", "db")]
    snapshot = Snapshot(pods)
    found = with_names([finding("killed", one.ref) for one in pods], snapshot)
    causes = diagnosed(book, *found, snapshot=snapshot).causes
    assert sorted((c.remedy[0].run[-1], len(c.also)) for c in causes) == [
        ("deployment/web", 1),
        ("statefulset/db", 0),
    ]


def test_what_a_text_captured_comes_before_what_stands_around() -> None:
    one = pod("web-1")
    (named,) = with_names([finding("x", one.ref, facts={"node": "n2"})], Snapshot([one]))
    assert named.facts == {"node": "n2", "workload": "deployment/web"}


def test_a_text_about_a_host_joins_the_finding_that_can_name_more() -> None:
    book = Book(local=rule(remedy=(DEPLOY,)))
    snapshot = bridge()
    about = (kube("ApplianceInfra", "", "edge"), Ref("host", "vcenter.lab"))
    found = with_names([finding("local", ref) for ref in about], snapshot)
    (cause,) = diagnosed(book, *found, snapshot=snapshot).causes
    assert cause.remedy[0].run[-2:] == ("vmware", "edge-appliance.yml")

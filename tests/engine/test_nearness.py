"""What lies beside the target comes behind what it stands on."""

import pytest
from rule_kit import HEARD, Book, finding, rule  # type: ignore[import-not-found]

from sickbay.engine.diagnose import Case, diagnose
from sickbay.engine.findings import Finding, fold
from sickbay.engine.target import target_of
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.finding import Severity
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.snapshot import Snapshot

GROUP = "/subscriptions/s/resourceGroups/shop"
NODES = "/subscriptions/s/resourceGroups/MC_shop"
CLUSTER = ManagedCluster(
    id=f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/prod",
    name="prod",
    node_resource_group="MC_shop",
)
NETWORK = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/net"
POOL = AgentPool(
    id=f"{CLUSTER.id}/agentPools/apps", name="apps", vnet_subnet_id=f"{NETWORK}/subnets/nodes"
)
SUBNET = Subnet(id=f"{NETWORK}/subnets/nodes", name="nodes")
SNAPSHOT = Snapshot([CLUSTER, POOL, SUBNET])
BOOK = Book(
    a_error=rule(),
    b_felt=rule(HEARD, leads_to=("d_late",)),
    c_wide=rule(spreads=True),
    d_late=rule(severity=Severity.WARNING),
    e_warning=rule(severity=Severity.WARNING),
    f_info=rule(severity=Severity.INFO),
)
ELSEWHERE = arm(f"{GROUP}/providers/Microsoft.Web/sites/frontdesk")


def ranking(*findings: Finding, snapshot: Snapshot = SNAPSHOT) -> list[str]:
    case = Case(snapshot, target_of(snapshot, "folder"), {})
    return [cause.rule for cause in diagnose(BOOK, fold(BOOK, findings), case).causes]


@pytest.mark.parametrize(
    "near",
    [
        CLUSTER.ref,
        POOL.ref,
        SUBNET.ref,
        arm(f"{CLUSTER.id}/agentPools/gone"),
        arm(GROUP),
        arm("/subscriptions/s"),
        arm("/subscriptions/s/providers/Microsoft.Compute/locations/westeurope/usages"),
        arm(f"{NODES}/providers/Microsoft.Compute/disks/pvc-1"),
        arm(f"{SUBNET.id}/providers/Microsoft.Authorization/roleAssignments/r"),
        arm(f"{GROUP}/providers/Microsoft.Resources/deployments/prod-7"),
        kube("Pod", "shop", "p"),
        Ref("text", "paste"),
    ],
    ids=lambda ref: ref.id,
)
def test_what_fails_beside_the_target_comes_behind_what_it_stands_on(near: Ref) -> None:
    assert ranking(finding("a_error", ELSEWHERE), finding("e_warning", near)) == [
        "e_warning",
        "a_error",
    ]


def test_among_things_of_the_target_the_graver_still_comes_first() -> None:
    assert ranking(finding("e_warning", CLUSTER.ref), finding("a_error", SUBNET.ref)) == [
        "a_error",
        "e_warning",
    ]


def test_what_is_no_fault_never_comes_first() -> None:
    assert ranking(finding("a_error", ELSEWHERE), finding("f_info", CLUSTER.ref)) == [
        "a_error",
        "f_info",
    ]


def test_a_cause_beside_the_target_that_is_felt_in_it_is_about_it() -> None:
    findings = finding("b_felt", ELSEWHERE), finding("d_late", CLUSTER.ref)
    assert ranking(*findings, finding("e_warning", POOL.ref)) == ["b_felt", "e_warning"]


def test_what_is_felt_in_the_whole_cluster_is_about_it_wherever_it_stands() -> None:
    wall = arm("/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/azureFirewalls/w")
    found = finding("c_wide", wall), finding("e_warning", CLUSTER.ref)
    assert ranking(*found) == ["c_wide", "e_warning"]


def test_without_a_target_nothing_lies_beside_it() -> None:
    found = finding("a_error", ELSEWHERE), finding("e_warning", kube("Pod", "shop", "p"))
    assert ranking(*found, snapshot=Snapshot()) == ["a_error", "e_warning"]

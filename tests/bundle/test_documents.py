"""Several documents of one thing: one of them counts, whatever the order they came in."""

import itertools
import json
from typing import Any

import pytest
from evidence_kit import made_of  # type: ignore[import-not-found]

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.evidence import Reason
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot

G = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg"
CLUSTER = f"{G}/providers/Microsoft.ContainerService/managedClusters/aks1"
TABLE = """\
Name    Location    ResourceGroup    KubernetesVersion    CurrentKubernetesVersion    ProvisioningState    Fqdn
------  ----------  ---------------  -------------------  --------------------------  -------------------  ------
aks1    westeurope  rg               1.28.5               1.28.5                      Failed               a.b
"""  # noqa: E501


def document(state: str, at: str = "", **members: Any) -> str:
    pools = [{"name": "p1", "provisioningState": state}]
    properties = {"provisioningState": state, "agentPoolProfiles": pools, **members}
    body: dict[str, Any] = {"id": CLUSTER, "properties": properties}
    if at:
        body["systemData"] = {"lastModifiedAt": at}
    return json.dumps(body)


def cluster(snapshot: Snapshot) -> ManagedCluster:
    found = snapshot.find(arm(CLUSTER))
    assert isinstance(found, ManagedCluster)
    return found


OLD, NEW = "2024-01-01T00:00:00.1234567Z", "2024-01-02T00:00:00+00:00"
FILES = {
    "newer wins": ({"a": document("Failed", OLD), "b": document("Succeeded", NEW)}, "Succeeded"),
    "worse wins": ({"a": document("Failed"), "b": document("Succeeded")}, "Failed"),
    "undated and worse wins": (
        {"a": document("Succeeded", OLD), "b": document("Failed"), "c": document("Succeeded", NEW)},
        "Failed",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_which_document_counts_does_not_depend_on_their_order(case: str) -> None:
    files, state = FILES[case]
    results = [
        made_of({name: files[name] for name in order}).snapshot
        for order in itertools.permutations(files)
    ]
    assert {cluster(result).provisioning_state for result in results} == {state}
    assert len({tuple(gap.what for gap in result.gaps) for result in results}) == 1


def test_a_contradiction_names_both_files_and_asks_for_nothing() -> None:
    files, _ = FILES["worse wins"]
    gaps = [gap for gap in made_of(files).snapshot.gaps if "agentPools" not in gap.what]
    [gap] = gaps
    assert (gap.reason, gap.asked_for) == (Reason.CONTRADICTED, False)
    assert "in a than in b" in gap.what


def test_what_a_document_holds_is_as_old_as_the_document() -> None:
    files, _ = FILES["newer wins"]
    pool = made_of(files).snapshot.find(arm(f"{CLUSTER}/agentPools/p1"))
    assert isinstance(pool, AgentPool)
    assert pool.provisioning_state == "Succeeded"


@pytest.mark.parametrize("order", [("full", "table"), ("table", "full")])
def test_a_row_of_a_table_completes_a_full_document_and_never_replaces_it(
    order: tuple[str, str],
) -> None:
    files = {"full": document("Succeeded", NEW, nodeResourceGroup="MC_rg"), "table": TABLE}
    snapshot = made_of({name: files[name] for name in order}).snapshot
    [found] = snapshot.some(ManagedCluster)
    assert found.ref == arm(CLUSTER)
    assert (found.provisioning_state, found.node_resource_group) == ("Failed", "MC_rg")
    assert found.fqdn == "a.b"


def test_a_row_that_could_be_two_things_stays_by_itself() -> None:
    other = CLUSTER.replace("11111111", "22222222")
    files = {"a": document("Succeeded"), "b": json.dumps({"id": other}), "t": TABLE}
    assert len(made_of(files).snapshot.some(ManagedCluster)) == 3


def test_what_a_cluster_says_of_a_pool_is_about_the_pool() -> None:
    error = {"code": "QuotaExceeded", "message": "the cores of the family are used up"}
    pools = [{"name": "p1"}, {"name": "p2", "status": {"provisioningError": error}}]
    texts = [
        text
        for body in ({"properties": {"agentPoolProfiles": pools}}, {"agentPoolProfiles": pools})
        for text in made_of({"a.json": json.dumps({"id": CLUSTER, **body})}).texts
    ]
    assert [text.about for text in texts] == [arm(f"{CLUSTER}/agentPools/p2")] * 2

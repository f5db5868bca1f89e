"""How sure a diagnosis is: never surer than its evidence, and lower when the proof is gone."""

import json
from pathlib import Path
from shutil import copytree

import pytest

from incidents.ward import (  # type: ignore[import-not-found]
    HEALTHY,
    INCIDENTS,
    copied,
    diagnosed,
    rules_of,
    without,
)
from sickbay.app import Settings, explain_with
from sickbay.model.diagnosis import Cause, Certainty, Diagnosis
from sickbay.model.evidence import Reason
from sickbay.model.finding import Weight
from sickbay.store import Rules

pytestmark = pytest.mark.usefixtures("rules")

RANK = {Certainty.POSSIBLE: 0, Certainty.LIKELY: 1, Certainty.PROVEN: 2}

# The incident, the files that decide it, and a word of the look that would bring them back.
DECIDING = [
    (
        "aks-upgrade-blocked-by-pdb",
        ["pdb.txt", "activity-log.json", "events.txt"],
        "kubernetes.pdb_blocks_drain",
        "activity-log",
    ),
    (
        "aks-subnet-full-state",
        ["az-network-vnet-subnet-show.json"],
        "aks.subnet_full",
        "az network vnet subnet",
    ),
    ("aks-quota", ["az-vm-list-usage.json", "activity-log.json"], "aks.quota_exceeded", "az vm"),
    (
        "aks-policy-three-levels-deep",
        ["activity-log-export.json"],
        "aks.policy_denies",
        "activity-log",
    ),
    (
        "aks-bootstrap-exit-50",
        ["activity-log.json", "cluster-provision.log"],
        "aks.outbound_blocked",
        "az vmss",
    ),
    (
        "hybrid-vnet-case-mismatch",
        ["dcn.json"],
        "hybrid.vnet_case_mismatch",
        "az resource show",
    ),
    ("nexus-prefix-overlap-state", ["l3networks.json"], "nexus.prefix_overlap", "l3network"),
    ("hybrid-concurrent-creation", ["hybridaks-list.json"], "hybrid.concurrent_creation", ""),
    (
        "arc-local-domain",
        ["hci-infra.yaml", "logs/kva.log"],
        "arc.local_domain",
        "infra.yaml",
    ),
    (
        "coredns-down",
        ["deployments.json", "logs/coredns-6f776c8fb5-9nq4t.log"],
        "network.corefile_invalid",
        "k8s-app=kube-dns",
    ),
    (
        "service-selector-client-crash",
        ["kubectl-get-svc-A.yaml"],
        "kubernetes.selector_matches_nothing",
        "kubectl",
    ),
    ("policy-blocks-client", ["np.json"], "network.policy_blocks_client", "networkpolic"),
    ("folder-overlay-range-used", ["aks.json"], "kubernetes.overlay_cidr_exhausted", ""),
    ("folder-share-port-denied", ["nsg.json"], "kubernetes.smb_port_blocked", "kubectl describe"),
    ("folder-kubelet-identity-removed", ["vmss.json"], "aks.kubelet_identity_unbound", ""),
    ("folder-pools-parted", ["nsg.json"], "network.nodes_parted", ""),
    (
        "folder-policy-and-class",
        ["networkpolicies.json"],
        "network.policy_blocks_client",
        "networkpolic",
    ),
    ("folder-domain-table", ["l3domain.txt"], "nexus.isolation_domain_disabled", "l3domain"),
    (
        "storage-machine-stopped",
        ["vmss-instances.json"],
        "aks.node_machine_stopped",
        "az vmss",
    ),
]


def of_rule(diagnosis: Diagnosis, rule: str) -> Cause | None:
    return next((cause for cause in diagnosis.causes if cause.rule == rule), None)


def certainty_of(diagnosis: Diagnosis, rule: str) -> int:
    cause = of_rule(diagnosis, rule)
    return -1 if cause is None else RANK[cause.certainty]


@pytest.mark.parametrize(("name", "parts", "rule", "look"), DECIDING)
def test_without_the_deciding_document_the_cause_is_not_proven(
    name: str, parts: list[str], rule: str, look: str, tmp_path: Path
) -> None:
    del look
    whole = diagnosed(INCIDENTS / name / "evidence")
    rest = without(name, parts, tmp_path)
    assert certainty_of(whole, rule) == RANK[Certainty.PROVEN]
    assert certainty_of(rest, rule) < RANK[Certainty.PROVEN]


@pytest.mark.parametrize(
    ("name", "parts", "look"), [(name, parts, look) for name, parts, _, look in DECIDING if look]
)
def test_the_look_that_would_bring_it_back_is_named(
    name: str, parts: list[str], look: str, tmp_path: Path
) -> None:
    rest = without(name, parts, tmp_path)
    looks = [cause.ask for cause in rest.causes] + [gap.to_open for gap in rest.gaps]
    assert any(look in one for one in looks), looks


def test_the_text_of_a_symptom_alone_never_proves_a_cause(rules: Rules) -> None:
    surer = []
    for number, signature in enumerate(rules.catalog.signatures()):
        rule, _ = rules.catalog.signature(number)
        if signature.weight is not Weight.SYMPTOM:
            continue
        found = explain_with(rules, signature.sample.encode(), "sample", Settings())
        surer += [
            (rule, cause.rule)
            for cause in found.causes
            if cause.rule == rule and cause.certainty is not Certainty.POSSIBLE
        ]
    assert surer == []


@pytest.mark.parametrize("name", ["aks-quota", "node-disk-pressure", "hybrid-vnet-case-mismatch"])
def test_an_unrelated_healthy_document_changes_nothing(name: str, tmp_path: Path) -> None:
    whole = diagnosed(INCIDENTS / name / "evidence")
    folder = copied(name, tmp_path)
    copytree(HEALTHY / "arc-appliance" / "evidence", folder / "elsewhere")
    more = diagnosed(folder)
    assert [(c.rule, c.certainty, c.subject, c.says) for c in more.causes] == [
        (c.rule, c.certainty, c.subject, c.says) for c in whole.causes
    ]


def pool(state: str, at: str = "") -> bytes:
    group = "/subscriptions/c0150c00-0000-4000-8000-000000000001/resourceGroups/rg"
    cluster = f"{group}/providers/Microsoft.ContainerService/managedClusters/shop"
    body = {"id": f"{cluster}/agentPools/np1", "name": "np1", "provisioningState": state}
    return json.dumps({**body, "systemData": {"lastModifiedAt": at}} if at else body).encode()


def of_two(folder: Path, one: bytes, other: bytes) -> Diagnosis:
    (folder / "a.json").write_bytes(one)
    (folder / "b.json").write_bytes(other)
    diagnosis: Diagnosis = diagnosed(folder)
    return diagnosis


@pytest.mark.parametrize("swap", ["as read", "the other way round"])
def test_of_two_dated_documents_the_newer_counts(swap: str, tmp_path: Path) -> None:
    old = pool("Failed", "2026-11-01T00:00:00Z")
    new = pool("Succeeded", "2026-11-02T00:00:00Z")
    diagnosis = of_two(tmp_path, *((old, new) if swap == "as read" else (new, old)))
    assert rules_of(diagnosis.causes) == []
    assert [gap.reason for gap in diagnosis.gaps] == [Reason.CONTRADICTED]
    assert "the newer counts" in diagnosis.gaps[0].what


@pytest.mark.parametrize("swap", ["as read", "the other way round"])
def test_of_two_undated_documents_the_worse_counts(swap: str, tmp_path: Path) -> None:
    bad, good = pool("Failed"), pool("Succeeded")
    diagnosis = of_two(tmp_path, *((bad, good) if swap == "as read" else (good, bad)))
    assert diagnosis.causes[0].rule == "aks.pool_failed"
    contradictions = [gap for gap in diagnosis.gaps if gap.reason is Reason.CONTRADICTED]
    assert "the worse counts" in contradictions[0].what
    assert "a.json" in contradictions[0].what
    assert "b.json" in contradictions[0].what

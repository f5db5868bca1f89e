"""Faults of Azure Service Operator, made with the operator itself, and what is said of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cluster.aso.operating import CLIENT, Operating, operating
from tests.cluster.running import Cluster

from sickbay.app import Settings, diagnose_saved
from sickbay.collect.kubeconfig import access
from sickbay.collect.kubernetes import About, Kubernetes
from sickbay.lab.place import SUBSCRIPTION, TENANT
from sickbay.live import collect_live, diagnose_live
from sickbay.model.diagnosis import Diagnosis
from sickbay.model.finding import Severity

HERE = Path(__file__).parent
STORED = {
    "ResourceGroup": ("resources.azure.com", "v1api20200601"),
    "ManagedCluster": ("containerservice.azure.com", "v1api20250801"),
    "RoleAssignment": ("authorization.azure.com", "v1api20220401"),
}
SPECS: dict[str, dict[str, Any]] = {
    "ResourceGroup": {"location": "westeurope"},
    "ManagedCluster": {
        "location": "westeurope",
        "dnsPrefix": "shop",
        "identity": {"type": "SystemAssigned"},
        "agentPoolProfiles": [
            {
                "name": "pool1",
                "count": 1,
                "mode": "System",
                "osType": "Linux",
                "vmSize": "Standard_DS2_v2",
            }
        ],
    },
    "RoleAssignment": {},
}
ANNOTATIONS = {
    "credential": "serviceoperator.azure.com/credential-from",
    "policy": "serviceoperator.azure.com/reconcile-policy",
}


@dataclass(frozen=True)
class Fault:
    expect: str
    subject: str
    until: dict[str, str]
    objects: list[dict[str, Any]]
    secrets: dict[str, dict[str, str]] = field(default_factory=dict)

    def manifests(self) -> list[dict[str, Any]]:
        return [*map(_credential, self.secrets.items()), *map(_object, self.objects)]


def _credential(named: tuple[str, dict[str, str]]) -> dict[str, Any]:
    name, changed = named
    usual = {
        "AZURE_SUBSCRIPTION_ID": SUBSCRIPTION,
        "AZURE_TENANT_ID": TENANT,
        "AZURE_CLIENT_ID": CLIENT,
        "AZURE_CLIENT_SECRET": "lab",
    }
    data = {"stringData": usual | changed}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, **data}


def _object(given: dict[str, Any]) -> dict[str, Any]:
    """An object as it is stored: without its webhooks the operator converts none."""
    group, version = STORED[given["kind"]]
    spec = {**SPECS[given["kind"]], "azureName": given["name"], "originalVersion": version}
    if "owner" in given:
        spec["owner"] = {"name": given["owner"]}
        if given["kind"] == "RoleAssignment":
            spec["owner"] |= {"group": "resources.azure.com", "kind": "ResourceGroup"}
    notes = {ANNOTATIONS[word]: given[word] for word in ANNOTATIONS if word in given}
    return {
        "apiVersion": f"{group}/{version}storage",
        "kind": given["kind"],
        "metadata": {"name": given["name"], "annotations": notes},
        "spec": spec | given.get("spec", {}),
    }


def all_faults() -> dict[str, Fault]:
    entries = yaml.safe_load((HERE / "faults.yaml").read_text(encoding="utf-8"))
    return {name: Fault(**entry) for name, entry in entries.items()}


FAULTS = all_faults()


@pytest.fixture(scope="module")
def aso(cluster: Cluster) -> Iterator[Operating]:
    """The operator with every fault made, and a namespace in which all is well."""
    with operating(cluster) as found:
        healthy = [{"kind": "ResourceGroup", "name": "fine"}]
        healthy += [{"kind": "ManagedCluster", "name": "fine", "owner": "fine"}]
        _make(found, "healthy", [_object(one) for one in healthy])
        for name, fault in FAULTS.items():
            _make(found, name, fault.manifests())
        wanted = {name: fault.until for name, fault in FAULTS.items()}
        fine = {"ResourceGroup/fine": "Succeeded", "ManagedCluster/fine": "Succeeded"}
        found.wait({**wanted, "healthy": fine})
        yield found


def _make(aso: Operating, namespace: str, objects: list[dict[str, Any]]) -> None:
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
    aso.cluster.apply([space])
    aso.cluster.apply(objects, namespace)


def _source(aso: Operating, namespace: str) -> Kubernetes:
    found = access(str(aso.cluster.kubeconfig), "")
    assert found is not None
    return Kubernetes(found, About(namespace))


def _top(diagnosis: Diagnosis) -> tuple[str, str]:
    first = diagnosis.causes[0]
    return first.rule, first.subject.name


@pytest.mark.enable_socket
@pytest.mark.parametrize("name", FAULTS)
def test_the_cause_comes_first_live_and_from_its_bundle(
    aso: Operating, name: str, tmp_path: Path
) -> None:
    fault = FAULTS[name]
    live = diagnose_live([_source(aso, name)], name, Settings())
    assert _top(live) == (fault.expect, fault.subject)
    bundle = str(tmp_path / "case.sickbay")
    collect_live([_source(aso, name)], bundle, pseudonyms=False)
    assert _top(diagnose_saved(bundle, Settings())) == (fault.expect, fault.subject)


@pytest.mark.enable_socket
def test_objects_that_are_well_are_silent(aso: Operating) -> None:
    found = diagnose_live([_source(aso, "healthy")], "healthy", Settings())
    assert [one.rule for one in found.causes if one.severity is not Severity.INFO] == []

"""The list of what nodes must reach, as Azure answers it and as `az` prints it."""

import json

from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.aks import ManagedCluster
from sickbay.model.egress import RequiredEndpoints, endpoints_of

ID = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/prod"
CLUSTER = ManagedCluster(id=ID, name="prod")
ROW = {
    "category": "images",
    "endpoints": [
        {
            "domainName": "mcr.microsoft.com",
            "endpointDetails": [
                {"description": None, "ipAddress": None, "port": 443, "protocol": "Https"}
            ],
        }
    ],
}


def names(found: RequiredEndpoints) -> list[str | None]:
    return [end.domain_name for one in found.categories or () for end in one.endpoints or ()]


def test_the_answer_belongs_to_the_cluster_that_was_asked() -> None:
    source = f"azure{ID}/outboundNetworkDependenciesEndpoints.json"
    snapshot = made(json.dumps({"value": [ROW]}), source).snapshot
    [found] = snapshot.grouped(RequiredEndpoints, "kind", RequiredEndpoints.kind)
    assert found.id == f"{ID}/outboundNetworkDependenciesEndpoints"
    assert names(found) == ["mcr.microsoft.com"]


def test_what_az_prints_belongs_to_the_only_cluster() -> None:
    text = json.dumps([ROW, {**ROW, "category": "artifacts"}])
    snapshot = made(text, "egress.json").snapshot
    assert not snapshot.gaps
    [found] = snapshot.grouped(RequiredEndpoints, "kind", RequiredEndpoints.kind)
    assert names(found) == ["mcr.microsoft.com", "mcr.microsoft.com"]
    assert endpoints_of(snapshot, CLUSTER) is None

"""The service of the API server against where the API server is."""

from typing import Any

import pytest
from services_kit import (  # type: ignore[import-not-found]
    decided,
    endpoint,
    said,
    seen,
    service,
    slices,
    wired,
)

GROUP = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/aks"
SUBNET = f"{GROUP}/Microsoft.Network/virtualNetworks/vnet/subnets/apiserver"
INTERFACE = f"{GROUP}/Microsoft.Network/networkInterfaces/nic"


def cluster(name: str = CLUSTER, **access: Any) -> dict[str, Any]:
    return {"id": name, "name": "aks", "properties": {"apiServerAccessProfile": access}}


def private_endpoint(of: str = CLUSTER) -> dict[str, Any]:
    return {
        "id": f"{GROUP}/Microsoft.Network/privateEndpoints/kube-apiserver",
        "properties": {
            "networkInterfaces": [{"id": INTERFACE}],
            "privateLinkServiceConnections": [{"properties": {"privateLinkServiceId": of}}],
        },
    }


def interface(address: str) -> dict[str, Any]:
    part = {"name": "a", "properties": {"privateIPAddress": address}}
    return {"id": INTERFACE, "properties": {"ipConfigurations": [part]}}


def leading_to(address: str, *documents: dict[str, Any], name: str = "kubernetes") -> Any:
    ports = [{"name": "https", "port": 443, "targetPort": 443}]
    own = slices(
        endpoint(address, pod=""),
        of=name,
        ports=[{"name": "https", "port": 443}],
        **{"in": "default"},
    )
    api = service(name, "default", selector=None, clusterIP="10.0.0.1", ports=ports)
    return wired(seen(api, own, *documents), 443, name=name, namespace="default")


PRIVATE = cluster(enablePrivateCluster=True)


@pytest.mark.parametrize("name", ["kubernetes", "kubernetes-internal"])
def test_the_address_of_the_private_endpoint_is_right(name: str) -> None:
    documents = (PRIVATE, private_endpoint(), interface("10.224.0.4"))
    found = leading_to("10.224.0.4", *documents, name=name)
    assert found.decision.verdict == "allowed"


def test_an_address_that_the_private_endpoint_lost_leads_nowhere() -> None:
    found = leading_to("10.224.0.4", PRIVATE, private_endpoint(), interface("10.224.0.9"))
    assert decided(found) == ("blocked", "Endpoints default/kubernetes")
    assert said(found) == (
        "names 10.224.0.4, and private endpoint kube-apiserver of aks has 10.224.0.9"
    )


def test_a_private_api_server_has_no_public_address() -> None:
    found = leading_to("20.1.2.3", PRIVATE)
    assert decided(found) == ("blocked", "Endpoints default/kubernetes")


@pytest.mark.parametrize(
    ("address", "verdict"), [("10.224.1.4", "allowed"), ("10.224.9.4", "blocked")]
)
def test_an_integrated_api_server_stands_in_its_subnet(address: str, verdict: str) -> None:
    subnet = {"id": SUBNET, "properties": {"addressPrefix": "10.224.1.0/28"}}
    integrated = cluster(enableVnetIntegration=True, subnetId=SUBNET)
    assert leading_to(address, integrated, subnet).decision.verdict == verdict


@pytest.mark.parametrize(
    "documents",
    [
        [],
        [cluster()],
        [PRIVATE],
        [PRIVATE, private_endpoint(of=f"{CLUSTER}-other"), interface("10.1.1.1")],
        [cluster(enableVnetIntegration=True, subnetId=SUBNET)],
        [PRIVATE, cluster(f"{CLUSTER}2", enablePrivateCluster=True)],
    ],
)
def test_nothing_is_said_where_nothing_tells(documents: list[dict[str, Any]]) -> None:
    assert leading_to("10.224.0.4", *documents).decision.verdict == "allowed"

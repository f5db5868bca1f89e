"""What Azure lists as required outside counts instead of what we know by heart."""

from typing import Any

from routing_kit import (  # type: ignore[import-not-found]
    CLUSTER,
    Document,
    cluster,
    evidence,
)

from sickbay.model.aks import ManagedCluster
from sickbay.model.egress import RequiredEndpoints, endpoints_of
from sickbay.model.ids import arm
from sickbay.network.egress import Endpoint, judged
from sickbay.network.traffic import ALLOWED

LIST = f"{CLUSTER}/outboundNetworkDependenciesEndpoints"


def category(name: str, *names: str, port: int = 443, protocol: str = "Https") -> Document:
    details = [{"port": port, "protocol": protocol}]
    ends = [{"domainName": one, "endpointDetails": details} for one in names]
    return {"category": name, "endpoints": ends}


def snapshot(*categories: Document, of: str = LIST, more: tuple[Document, ...] = ()) -> Any:
    named = {**cluster(fqdn="prod-1.hcp.westeurope.azmk8s.io"), "location": "westeurope"}
    return evidence(named, *more, {"id": of, "categories": list(categories)})


def asked(*categories: Document) -> dict[str, Endpoint]:
    found = snapshot(*categories)
    one = found.get(arm(CLUSTER), ManagedCluster)
    return {ask.endpoint.fqdn: ask.endpoint for ask in judged(found, one, lambda *_: ALLOWED)}


def test_a_name_that_only_azure_knows_is_required_for_what_its_category_is_for() -> None:
    found = asked(category("artifacts", "binaries.contoso-aks.net"))["binaries.contoso-aks.net"]
    assert (found.port, found.protocol, found.is_required) == (443, "TCP", True)
    assert found.breaks == asked()["packages.microsoft.com"].breaks


def test_a_name_that_azure_no_longer_lists_is_not_required() -> None:
    found = asked(category("images", "mcr.microsoft.com"))
    assert "mcr.microsoft.com" in found
    assert "acs-mirror.azureedge.net" not in found


def test_without_a_category_the_table_counts() -> None:
    assert asked(category("images", "mcr.microsoft.com")).keys() > {"ntp.ubuntu.com"}
    assert asked().keys() > {"mcr.microsoft.com", "acs-mirror.azureedge.net"}


def test_what_the_cluster_has_no_use_for_is_left_out() -> None:
    found = asked(
        category("gpu", "nvidia.github.io"),
        category("windows", "go.microsoft.com"),
        category("tunnel-classic", "*.hcp.westeurope.azmk8s.io", port=1194, protocol="Udp"),
        category("addon-of-tomorrow", "tomorrow.contoso.com"),
    )
    assert not found.keys() & {"nvidia.github.io", "go.microsoft.com", "tomorrow.contoso.com"}
    assert {one.port for one in found.values()} == {443, 80, 123}


def test_a_list_without_a_name_belongs_to_the_only_cluster() -> None:
    found = snapshot(category("images", "mcr.microsoft.com"))
    [own] = found.some(ManagedCluster)
    other = ManagedCluster(id=f"{CLUSTER}2", name="other")
    assert isinstance(endpoints_of(found, own), RequiredEndpoints)
    assert endpoints_of(found, other) is None

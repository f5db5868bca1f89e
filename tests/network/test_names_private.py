"""Names of private clusters and private endpoints: unlinked zones, stale records, unused links."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from names_kit import (  # type: ignore[import-not-found]
    API_NAME,
    API_ZONE,
    HUB,
    NETWORK,
    NODE_GROUP,
    NODE_NETWORK,
    PUBLIC_NAME,
    RECORDS,
    SPOKE,
    ZONES,
    Document,
    a_record,
    endpoint,
    evidence,
    link,
    network,
    private_cluster,
    resource,
    server_endpoint,
    zone,
)

from sickbay.network.names import resolve
from sickbay.network.traffic import Verdict

ALLOWED, BLOCKED, UNKNOWN = Verdict.ALLOWED, Verdict.BLOCKED, Verdict.UNKNOWN


def test_the_name_of_a_private_cluster_is_unknown_where_its_zone_is_not_linked() -> None:
    documents = (network(HUB), zone(API_ZONE, 1), link(API_ZONE, SPOKE), private_cluster())
    found = resolve(evidence(*documents), API_NAME, HUB)
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert (found.answered_by.kind, found.answered_by.name) == ("PrivateDnsZone", API_ZONE)
    assert found.answered_by.says == "is not linked to hub, only to spoke"


def test_a_zone_that_is_linked_to_nobody_says_so() -> None:
    found = resolve(evidence(network(), zone(API_ZONE, 0)), API_NAME, SPOKE)
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert "linked to no network" in found.answered_by.says


@pytest.mark.parametrize("count", [None, 2])
def test_links_that_were_not_all_read_leave_the_answer_open(count: int | None) -> None:
    documents = (network(HUB), zone(API_ZONE, count), link(API_ZONE, SPOKE))
    found = resolve(evidence(*documents), API_NAME, HUB)
    assert found.verdict is UNKNOWN
    assert "az network private-dns link vnet list" in found.gaps[0].to_open


def test_a_zone_of_which_nothing_was_read_leaves_the_answer_open() -> None:
    found = resolve(evidence(network(), private_cluster()), API_NAME, SPOKE)
    assert found.verdict is UNKNOWN
    assert found.gaps[-1].to_open == "az network private-dns zone list -o json"


@pytest.mark.parametrize("scope", ["/subscriptions/s", NODE_GROUP])
def test_a_zone_that_is_known_to_be_absent_does_not_answer(scope: str) -> None:
    seen = ({"kind": ZONES, "scope": scope},)
    found = resolve(evidence(network(), private_cluster(), seen=seen), API_NAME, SPOKE)
    assert found.verdict is BLOCKED


def api_zone(address: str) -> tuple[Document, ...]:
    record = a_record(API_ZONE, "prod-1.guid", address)
    return (network(), zone(API_ZONE, 1), link(API_ZONE, SPOKE), record, private_cluster())


def test_the_record_of_an_api_server_that_is_still_right_is_the_answer() -> None:
    documents = (*api_zone("10.1.0.4"), server_endpoint("10.1.0.4"))
    found = resolve(evidence(*documents), API_NAME, SPOKE)
    assert (found.verdict, found.addresses) == (ALLOWED, ("10.1.0.4",))


def test_a_stale_record_of_an_api_server_leads_nowhere() -> None:
    documents = (*api_zone("10.1.0.4"), server_endpoint("10.1.0.7"))
    found = resolve(evidence(*documents), API_NAME, SPOKE)
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    says = found.answered_by.says
    assert says.endswith("but private endpoint kube-apiserver has 10.1.0.7")


def test_the_interface_of_an_endpoint_counts_before_what_the_endpoint_writes() -> None:
    nic = f"{NODE_NETWORK}/networkInterfaces/kube-apiserver.nic"
    written = server_endpoint("10.1.0.4")
    written["properties"]["networkInterfaces"] = [{"id": nic}]
    card = resource(nic, ipConfigurations=[{"properties": {"privateIPAddress": "10.1.0.7"}}])
    found = resolve(evidence(*api_zone("10.1.0.4"), written, card), API_NAME, SPOKE)
    assert found.verdict is BLOCKED


def test_the_public_name_of_a_private_cluster_has_a_private_address() -> None:
    documents = (network(HUB), private_cluster(), server_endpoint("10.1.0.4"))
    found = resolve(evidence(*documents), PUBLIC_NAME, HUB)
    assert (found.verdict, found.addresses) == (ALLOWED, ("10.1.0.4",))


def test_a_private_cluster_can_have_its_public_name_taken_away() -> None:
    documents = private_cluster({"enablePrivateClusterPublicFQDN": False})
    seen = ({"kind": ZONES, "scope": "/subscriptions/s"},)
    found = resolve(evidence(network(HUB), documents, seen=seen), PUBLIC_NAME, HUB)
    assert found.verdict is BLOCKED


VAULT = f"{NETWORK}/privateEndpoints/vault"
REGISTRY = f"{NETWORK}/privateEndpoints/registry"


@pytest.mark.parametrize(
    ("name", "zone_name", "relative"),
    [
        ("acr1.azurecr.io", "privatelink.azurecr.io", "acr1"),
        ("acr1.westeurope.data.azurecr.io", "privatelink.azurecr.io", "acr1.westeurope.data"),
        ("kv1.vault.azure.net", "privatelink.vaultcore.azure.net", "kv1"),
    ],
)
def test_a_private_link_is_followed_into_its_zone(name: str, zone_name: str, relative: str) -> None:
    record = a_record(zone_name, relative, "10.1.0.5")
    documents = (network(), zone(zone_name, 1), link(zone_name, SPOKE), record)
    assert resolve(evidence(*documents), name, SPOKE).addresses == ("10.1.0.5",)


def test_a_private_endpoint_is_not_used_where_its_zone_is_not_linked() -> None:
    name = "privatelink.azurecr.io"
    made = endpoint(REGISTRY, "acr1.azurecr.io", "10.1.0.5")
    documents = (network(HUB), zone(name, 1), link(name, SPOKE), made)
    found = resolve(evidence(*documents), "acr1.azurecr.io", HUB)
    assert (found.verdict, found.addresses) == (ALLOWED, ())
    kinds = [one.kind for one in found.considered]
    assert kinds == ["PrivateDnsZone", "PrivateEndpoint", "PublicDns"]


def test_a_linked_zone_without_the_record_of_an_endpoint_hides_the_name() -> None:
    name = "privatelink.azurecr.io"
    made = endpoint(REGISTRY, "acr1.azurecr.io", "10.1.0.5")
    documents = (network(), zone(name, 1), link(name, SPOKE), made)
    found = resolve(evidence(*documents, seen=RECORDS), "acr1.azurecr.io", SPOKE)
    assert found.verdict is BLOCKED


def test_a_service_without_a_private_endpoint_stays_public_beside_a_linked_zone() -> None:
    name = "privatelink.azurecr.io"
    documents = (network(), zone(name, 1), link(name, SPOKE))
    found = resolve(evidence(*documents, seen=RECORDS), "acr2.azurecr.io", SPOKE)
    assert found.verdict is ALLOWED


ESTATE = (
    network(),
    zone(API_ZONE, 2),
    link(API_ZONE, SPOKE),
    link(API_ZONE, HUB),
    a_record(API_ZONE, "prod-1.guid", "10.1.0.4"),
    private_cluster(),
    server_endpoint("10.1.0.7"),
    endpoint(VAULT, "kv1.vault.azure.net", "10.1.0.5"),
)
NAMES = ("b.corp.internal", API_NAME, PUBLIC_NAME, "kv1.vault.azure.net")


@settings(max_examples=25)
@given(st.permutations(ESTATE))
def test_the_order_of_documents_changes_no_answer(documents: list[Document]) -> None:
    one, other = evidence(*ESTATE, seen=RECORDS), evidence(*documents, seen=RECORDS)
    answers = [resolve(one, name, SPOKE) for name in NAMES]
    assert [resolve(other, name, SPOKE) for name in NAMES] == answers

"""Names in a virtual network: private zones, their links, custom servers, private endpoints."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from names_kit import (  # type: ignore[import-not-found]
    HUB,
    NETWORK,
    PUBLIC_NAME,
    RECORDS,
    SPOKE,
    SUBNET,
    ZONES,
    Document,
    a_record,
    aaaa_record,
    cluster,
    cname,
    evidence,
    link,
    network,
    resource,
    zone,
)

from sickbay.network.names import resolve
from sickbay.network.traffic import Verdict

ALLOWED, BLOCKED, UNKNOWN = Verdict.ALLOWED, Verdict.BLOCKED, Verdict.UNKNOWN
ZONE = "corp.internal"


def linked(*records: Document, policy: str = "Default") -> tuple[Document, ...]:
    return (network(), zone(ZONE, 1), link(ZONE, SPOKE, policy=policy), *records)


def test_a_record_of_a_linked_zone_is_the_answer() -> None:
    snapshot = evidence(*linked(a_record(ZONE, "db", "10.1.0.4")))
    found = resolve(snapshot, "DB.corp.internal.", SPOKE)
    assert (found.verdict, found.addresses) == (ALLOWED, ("10.1.0.4",))
    assert found.answered_by is not None
    assert (found.answered_by.kind, found.answered_by.name) == ("PrivateDnsZone", ZONE)


def test_a_subnet_asks_as_its_network_does() -> None:
    snapshot = evidence(*linked(a_record(ZONE, "db", "10.1.0.4")))
    assert resolve(snapshot, "db.corp.internal", SUBNET).addresses == ("10.1.0.4",)


def test_addresses_of_both_families_are_answered() -> None:
    snapshot = evidence(
        *linked(a_record(ZONE, "db", "10.1.0.4"), aaaa_record(ZONE, "db", "fd00::4"))
    )
    assert resolve(snapshot, "db.corp.internal", SPOKE).addresses == ("10.1.0.4", "fd00::4")


def test_the_zone_itself_has_the_record_at() -> None:
    snapshot = evidence(*linked(a_record(ZONE, "@", "10.1.0.9")))
    assert resolve(snapshot, ZONE, SPOKE).addresses == ("10.1.0.9",)


def test_a_linked_zone_answers_that_a_name_does_not_exist() -> None:
    snapshot = evidence(*linked(), seen=RECORDS)
    found = resolve(snapshot, "db.corp.internal", SPOKE)
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert "does not exist; public DNS is not asked" in found.answered_by.says


def test_a_public_name_below_a_linked_zone_is_hidden_by_it() -> None:
    documents = (network(), zone("contoso.com", 1), link("contoso.com", SPOKE))
    found = resolve(evidence(*documents, seen=RECORDS), "www.contoso.com", SPOKE)
    assert found.verdict is BLOCKED


def test_a_link_that_redirects_asks_public_dns_for_what_the_zone_lacks() -> None:
    name = "contoso.com"
    documents = (network(), zone(name, 1), link(name, SPOKE, policy="NxDomainRedirect"))
    found = resolve(evidence(*documents, seen=RECORDS), "www.contoso.com", SPOKE)
    assert found.verdict is ALLOWED
    assert found.answered_by is not None
    assert found.answered_by.kind == "PublicDns"


def test_records_that_nobody_read_leave_the_answer_open() -> None:
    found = resolve(evidence(*linked()), "db.corp.internal", SPOKE)
    assert found.verdict is UNKNOWN
    assert found.gaps[0].to_open.startswith("az network private-dns record-set list -g rg")


def test_a_record_set_without_records_is_no_address() -> None:
    found = resolve(evidence(*linked(a_record(ZONE, "db"))), "db.corp.internal", SPOKE)
    assert found.verdict is BLOCKED


def test_the_longest_zone_that_is_linked_answers() -> None:
    documents = (
        *linked(a_record(ZONE, "db.shop", "10.1.0.4")),
        zone(f"shop.{ZONE}", 1),
        link(f"shop.{ZONE}", SPOKE),
        a_record(f"shop.{ZONE}", "db", "10.2.0.4"),
    )
    assert resolve(evidence(*documents), "db.shop.corp.internal", SPOKE).addresses == ("10.2.0.4",)


def test_a_longer_zone_that_is_not_linked_does_not_answer() -> None:
    documents = (
        *linked(a_record(ZONE, "db.shop", "10.1.0.4")),
        zone(f"shop.{ZONE}", 1),
        link(f"shop.{ZONE}", HUB),
        a_record(f"shop.{ZONE}", "db", "10.2.0.4"),
    )
    found = resolve(evidence(*documents), "db.shop.corp.internal", SPOKE)
    assert found.addresses == ("10.1.0.4",)
    assert "is not linked to spoke, only to hub" in found.considered[0].says


@pytest.mark.parametrize(
    ("name", "addresses"),
    [
        ("any.corp.internal", ("10.9.0.1",)),
        ("a.b.corp.internal", ("10.9.0.1",)),
        ("db.corp.internal", ("10.1.0.4",)),
        ("x.eu.corp.internal", ("10.9.0.2",)),
    ],
)
def test_a_wildcard_answers_for_what_has_no_record(name: str, addresses: tuple[str, ...]) -> None:
    documents = linked(
        a_record(ZONE, "*", "10.9.0.1"),
        a_record(ZONE, "*.eu", "10.9.0.2"),
        a_record(ZONE, "db", "10.1.0.4"),
    )
    assert resolve(evidence(*documents, seen=RECORDS), name, SPOKE).addresses == addresses


def test_a_wildcard_does_not_reach_below_a_name_that_exists() -> None:
    documents = linked(a_record(ZONE, "*", "10.9.0.1"), a_record(ZONE, "db", "10.1.0.4"))
    found = resolve(evidence(*documents, seen=RECORDS), "x.db.corp.internal", SPOKE)
    assert found.verdict is BLOCKED


def test_an_alias_is_followed() -> None:
    documents = linked(cname(ZONE, "db", "db1.corp.internal."), a_record(ZONE, "db1", "10.1.0.4"))
    found = resolve(evidence(*documents), "db.corp.internal", SPOKE)
    assert (found.verdict, found.addresses) == (ALLOWED, ("10.1.0.4",))


def test_aliases_in_a_circle_resolve_to_nothing() -> None:
    documents = linked(cname(ZONE, "a", "b.corp.internal"), cname(ZONE, "b", "a.corp.internal"))
    found = resolve(evidence(*documents), "a.corp.internal", SPOKE)
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert "circle" in found.answered_by.says


def test_a_link_that_is_not_complete_leaves_the_answer_open() -> None:
    documents = (network(), zone(ZONE, 1), link(ZONE, SPOKE, "InProgress"))
    assert resolve(evidence(*documents), "db.corp.internal", SPOKE).verdict is UNKNOWN


@pytest.mark.parametrize("name", [PUBLIC_NAME, "mcr.microsoft.com", "example.org"])
def test_a_public_name_resolves_and_its_addresses_are_a_gap(name: str) -> None:
    found = resolve(evidence(network(), cluster()), name, SPOKE)
    assert (found.verdict, found.addresses) == (ALLOWED, ())
    assert found.gaps[0].to_open == f"nslookup {name}"


def test_the_name_of_a_public_address_in_evidence_is_known() -> None:
    ip = resource(
        f"{NETWORK}/publicIPAddresses/front",
        ipAddress="20.1.2.3",
        dnsSettings={"fqdn": "shop.westeurope.cloudapp.azure.com"},
    )
    found = resolve(evidence(network(), ip), "shop.westeurope.cloudapp.azure.com", SPOKE)
    assert found.addresses == ("20.1.2.3",)


@pytest.mark.parametrize("name", ["db.corp.local", "esx.lan"])
def test_a_name_that_is_never_public_needs_a_zone(name: str) -> None:
    seen = ({"kind": ZONES, "scope": "/subscriptions/s"},)
    assert resolve(evidence(network(), seen=seen), name, SPOKE).verdict is BLOCKED
    assert resolve(evidence(network()), name, SPOKE).verdict is UNKNOWN


def test_a_name_that_is_too_long_is_none() -> None:
    assert resolve(evidence(network()), "a." * 50_000 + "example", SPOKE).verdict is BLOCKED


def test_a_bare_word_is_in_no_zone() -> None:
    assert resolve(evidence(network()), "db", SPOKE).verdict is BLOCKED


def test_an_address_needs_no_name_server() -> None:
    assert resolve(evidence(), "10.0.0.4", SPOKE).addresses == ("10.0.0.4",)


def test_in_a_network_that_nobody_read_only_an_address_is_sure() -> None:
    documents = (zone(ZONE, 1), link(ZONE, SPOKE), a_record(ZONE, "db", "10.1.0.4"))
    snapshot = evidence(*documents, seen=RECORDS)
    assert resolve(snapshot, "db.corp.internal", SPOKE).verdict is ALLOWED
    assert resolve(snapshot, "other.corp.internal", SPOKE).verdict is UNKNOWN


@settings(max_examples=60)
@given(st.text(max_size=80))
def test_any_text_as_a_name_is_answered(name: str) -> None:
    snapshot = evidence(*linked(a_record(ZONE, "db", "10.1.0.4")), seen=RECORDS)
    assert resolve(snapshot, name, SPOKE).verdict in set(Verdict)

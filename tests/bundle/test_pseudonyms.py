"""Pseudonyms hide who it is and keep what is true of it."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sickbay.bundle.redact import Pseudonyms, Redactor

SUBSCRIPTION = "3f2b1c00-1111-4222-8333-444444444444"


@pytest.fixture
def redactor() -> Redactor:
    return Redactor(Pseudonyms.ON, b"salt", ("contoso.com", "lab.local"))


def test_nothing_is_renamed_unless_asked() -> None:
    line = f"{SUBSCRIPTION} alice@contoso.com 20.1.2.3"
    assert Redactor(salt=b"salt").text(line) == line


@pytest.mark.parametrize(
    "identity",
    [
        SUBSCRIPTION,
        SUBSCRIPTION.upper(),
        "alice@contoso.com",
        "alice_gmail.com#EXT#@contoso.onmicrosoft.com",
        "20.1.2.3",
        "2603:1030:8::5",
        "api.cluster.contoso.com",
        "esx01.lab.local",
    ],
)
def test_an_identity_is_renamed(redactor: Redactor, identity: str) -> None:
    assert identity.lower() not in redactor.text(f'before "{identity}", after').lower()


@pytest.mark.parametrize(
    "line",
    [
        "10.240.0.4 172.16.0.0/12 192.168.1.1 100.64.0.1 127.0.0.1 169.254.169.254",
        "168.63.129.16 0.0.0.0/0 255.255.255.255 8.8.8.8",
        "fe80::1 fd00::/8 ::1 ::",
        "12:34:56 aa:bb:cc:dd:ee:ff 1.28.3 v20.1.2.3 10.0.20348.2031",
        'version: "1.2.3.4"',
        "b24988ac-6180-42a0-ab88-20f7382dd24c 00000000-0000-0000-0000-000000000000",
        "00000003-0000-0000-c000-000000000000",
        "git@github.com:azure/aks.git",
        "mcr.microsoft.com/x@sha256:" + "9b7cd58b" * 8,
        "my.azurecr.io x.privatelink.westeurope.azmk8s.io notcontoso.com",
    ],
)
def test_what_identifies_nobody_stays(redactor: Redactor, line: str) -> None:
    assert redactor.text(line) == line


def test_one_identity_has_one_name_in_texts_and_documents(redactor: Redactor) -> None:
    said = redactor.text(f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg").split("/")[2]
    body = redactor.document({"subscriptionId": SUBSCRIPTION.upper(), "key": {SUBSCRIPTION: 1}})
    assert body["subscriptionId"].lower() == said
    assert list(body["key"]) == [said]


def test_one_salt_gives_the_same_names_again(redactor: Redactor) -> None:
    line = f"{SUBSCRIPTION} alice@contoso.com 20.1.2.3 2603:1030:8::5"
    again = Redactor(Pseudonyms.ON, b"salt").text(line)
    assert redactor.text(line) == again


def test_another_salt_gives_other_names(redactor: Redactor) -> None:
    other = Redactor(Pseudonyms.ON, b"pepper")
    assert other.text(SUBSCRIPTION) != redactor.text(SUBSCRIPTION)


def test_hosts_of_one_domain_stay_in_one_domain(redactor: Redactor) -> None:
    one, two, mail = redactor.text("a.contoso.com b.contoso.com x@contoso.com").split()
    assert one.partition(".")[2] == two.partition(".")[2] == mail.partition("@")[2]


def test_a_local_name_stays_a_local_name(redactor: Redactor) -> None:
    assert redactor.text("lookup esx01.lab.local: no such host").endswith(".local: no such host")


def test_secrets_go_before_names_are_given(redactor: Redactor) -> None:
    assert redactor.text("http://a@contoso.com:hunter2@20.1.2.3/").count("hunter2") == 0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from((SUBSCRIPTION, "alice@contoso.com", "a.contoso.com", "x")), max_size=4
    ),
    st.lists(st.ip_addresses().map(str), max_size=4),
)
def test_renaming_twice_changes_nothing(words: list[str], addresses: list[str]) -> None:
    redactor = Redactor(Pseudonyms.ON, b"salt", ("contoso.com",))
    once = redactor.text(" ".join([*words, *addresses]))
    assert redactor.text(once) == once


@settings(max_examples=150, deadline=None)
@given(st.ip_addresses(v=4), st.integers(0, 32))
def test_an_address_stays_in_its_network(address: IPv4Address, length: int) -> None:
    _stays_inside(address, ip_network((address, length), strict=False))


@settings(max_examples=60, deadline=None)
@given(st.ip_addresses(v=6), st.integers(0, 128))
def test_an_address_of_the_newer_kind_stays_in_its_network(
    address: IPv6Address, length: int
) -> None:
    _stays_inside(address, ip_network((address, length), strict=False))


def _stays_inside(address: IPv4Address | IPv6Address, network: IPv4Network | IPv6Network) -> None:
    redactor = Redactor(Pseudonyms.ON, b"salt")
    inside, around = redactor.text(f"{address} {network}").split()
    assert ip_address(inside) in ip_network(around)
    assert ip_network(around).prefixlen == network.prefixlen


@settings(max_examples=150, deadline=None)
@given(st.ip_addresses(v=4), st.ip_addresses(v=4), st.integers(1, 32))
def test_an_address_outside_a_network_stays_outside(
    one: IPv4Address, other: IPv4Address, length: int
) -> None:
    network = ip_network((other, length), strict=False)
    assume(one not in network)
    address, around = Redactor(Pseudonyms.ON, b"salt").text(f"{one} {network}").split()
    assert ip_address(address) not in ip_network(around)


@settings(max_examples=100, deadline=None)
@given(st.ip_addresses(v=4))
def test_private_stays_private_and_public_public(address: IPv4Address) -> None:
    renamed = Redactor(Pseudonyms.ON, b"salt").text(str(address))
    assert ip_address(renamed).is_private == address.is_private

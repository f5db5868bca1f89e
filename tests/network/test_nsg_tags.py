"""What the words in a rule stand for: the internet, services, groups of addresses."""

from typing import Any

import pytest
from nsg_kit import (  # type: ignore[import-not-found]
    IN,
    NETWORK,
    OUT,
    WEB,
    decided,
    group,
    interface,
    network,
    rule,
    seen,
)

from sickbay.network.flow import Flow
from sickbay.network.nsg import decide
from sickbay.network.traffic import Decision, Verdict

NAMED = Flow("10.1.0.4", "", "TCP", 443)
INTERNET = Flow("", "10.1.0.4", "TCP", 443, source_is_internet=True)
ASG = f"{NETWORK}/applicationSecurityGroups/web"


def asked(*documents: dict[str, Any], flow: Flow, crossing: Any = OUT) -> Decision:
    found = decide(seen(*documents), crossing, flow)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("address", "verdict"),
    [
        ("93.184.216.34", Verdict.BLOCKED),
        ("10.1.0.5", Verdict.ALLOWED),
        ("168.63.129.16", Verdict.ALLOWED),
    ],
)
def test_the_internet_is_what_is_public_and_outside(address: str, verdict: Verdict) -> None:
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefix="Internet")
    assert decided(denies, flow=WEB._replace(destination=address)).verdict is verdict


def test_a_network_of_public_addresses_is_not_the_internet() -> None:
    space = {"addressSpace": {"addressPrefixes": ["10.1.0.0/16", "93.184.216.0/24"]}}
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefix="Internet")
    assert asked(network(**space), group(denies), flow=WEB).verdict is Verdict.ALLOWED


@pytest.mark.parametrize(
    ("prefix", "verdict"),
    [
        ("*", Verdict.ALLOWED),
        ("Internet", Verdict.ALLOWED),
        ("0.0.0.0/0", Verdict.ALLOWED),
        ("0.0.0.0/1,128.0.0.0/1", Verdict.ALLOWED),
        ("203.0.113.0/24", Verdict.UNKNOWN),
        ("AzureFrontDoor.Backend", Verdict.UNKNOWN),
        ("10.0.0.0/8", Verdict.BLOCKED),
        ("VirtualNetwork", Verdict.BLOCKED),
        ("AzureLoadBalancer", Verdict.BLOCKED),
    ],
)
def test_the_internet_as_a_source_is_every_public_address(prefix: str, verdict: Verdict) -> None:
    allows = rule("r", 100, "Allow Inbound", sourceAddressPrefix=prefix)
    assert decided(allows, flow=INTERNET, crossing=IN).verdict is verdict


def test_an_address_that_is_not_known_leaves_a_rule_for_addresses_open() -> None:
    denies = rule("r", 100, "Deny Inbound", sourceAddressPrefix="10.1.0.0/24")
    flow = Flow("", "10.1.0.4", "TCP", 443)
    assert decided(denies, flow=flow, crossing=IN).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("tag", "fqdn", "verdict"),
    [
        ("AzureActiveDirectory", "login.microsoftonline.com", Verdict.BLOCKED),
        ("azureactivedirectory", "LOGIN.microsoftonline.com.", Verdict.BLOCKED),
        ("AzureResourceManager", "management.azure.com", Verdict.BLOCKED),
        ("Storage", "management.azure.com", Verdict.ALLOWED),
        ("AzureCloud", "management.azure.com", Verdict.UNKNOWN),
        ("AzureCloud.westeurope", "x.hcp.westeurope.azmk8s.io", Verdict.BLOCKED),
        ("AzureCloud", "x.hcp.westeurope.azmk8s.io", Verdict.BLOCKED),
        ("AzureCloud.eastus", "x.hcp.westeurope.azmk8s.io", Verdict.ALLOWED),
        ("AzureKubernetesService", "x.hcp.westeurope.azmk8s.io", Verdict.UNKNOWN),
        ("Storage.westeurope", "a.blob.core.windows.net", Verdict.UNKNOWN),
        ("Storage", "a.blob.core.windows.net", Verdict.BLOCKED),
        ("MicrosoftContainerRegistry", "mcr.microsoft.com", Verdict.UNKNOWN),
        (
            "MicrosoftContainerRegistry,AzureFrontDoor.FirstParty",
            "mcr.microsoft.com",
            Verdict.BLOCKED,
        ),
        ("Storage", "example.com", Verdict.UNKNOWN),
        ("Internet", "example.com", Verdict.BLOCKED),
        ("10.0.0.0/8", "example.com", Verdict.ALLOWED),
        ("93.184.216.0/24", "example.com", Verdict.UNKNOWN),
        ("VirtualNetwork", "example.com", Verdict.ALLOWED),
        ("Internet", "build.corp.internal", Verdict.UNKNOWN),
        ("AzureContainerRegistry", "x.privatelink.azurecr.io", Verdict.UNKNOWN),
    ],
)
def test_a_name_without_an_address_is_judged_by_its_meaning(
    tag: str, fqdn: str, verdict: Verdict
) -> None:
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefix=tag)
    flow = NAMED._replace(destination_fqdn=fqdn)
    everything = rule("all", 4000, "Allow Outbound")
    assert decided(denies, everything, flow=flow).verdict is verdict


def test_both_tags_of_the_registry_in_two_rules_let_it_pass() -> None:
    decision = decided(
        rule("a", 100, "Allow Outbound", destinationAddressPrefix="MicrosoftContainerRegistry"),
        rule("b", 110, "Allow Outbound", destinationAddressPrefix="AzureFrontDoor.FirstParty"),
        rule("c", 120, "Deny Outbound"),
        flow=NAMED._replace(destination_fqdn="mcr.microsoft.com"),
    )
    assert decision.verdict is Verdict.ALLOWED


def test_parts_of_a_service_that_fare_differently_leave_a_gap_that_names_them() -> None:
    decision = decided(
        rule("a", 100, "Allow Outbound", destinationAddressPrefix="MicrosoftContainerRegistry"),
        rule("c", 120, "Deny Outbound"),
        flow=NAMED._replace(destination_fqdn="mcr.microsoft.com"),
    )
    assert decision.verdict is Verdict.UNKNOWN
    assert "microsoftcontainerregistry, azurefrontdoor.firstparty" in decision.gaps[0].what


def test_a_private_address_of_a_public_name_is_under_no_public_tag() -> None:
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefix="Storage")
    flow = Flow("10.1.0.4", "10.1.0.9", "TCP", 443, destination_fqdn="a.blob.core.windows.net")
    assert decided(denies, flow=flow).verdict is Verdict.ALLOWED


@pytest.mark.parametrize(
    ("address", "tag", "verdict"),
    [
        ("168.63.129.16", "*", Verdict.ALLOWED),
        ("168.63.129.16", "AzurePlatformDNS", Verdict.BLOCKED),
        ("168.63.129.16", "AzurePlatformIMDS", Verdict.ALLOWED),
        ("169.254.169.254", "*", Verdict.ALLOWED),
        ("169.254.169.254", "AzurePlatformIMDS", Verdict.BLOCKED),
    ],
)
def test_what_the_platform_answers_is_governed_by_its_own_tags_alone(
    address: str, tag: str, verdict: Verdict
) -> None:
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefix=tag)
    flow = Flow("10.1.0.4", address, "UDP", 53)
    assert decided(denies, flow=flow).verdict is verdict


@pytest.mark.parametrize(
    ("nics", "verdict"),
    [
        ([interface("10.1.0.4", applicationSecurityGroups=[{"id": ASG}])], Verdict.BLOCKED),
        ([interface("10.1.0.4", applicationSecurityGroups=[{"id": ASG.upper()}])], Verdict.BLOCKED),
        ([interface("10.1.0.4")], Verdict.ALLOWED),
        ([interface("10.1.0.7", applicationSecurityGroups=[{"id": ASG}])], Verdict.UNKNOWN),
        ([], Verdict.UNKNOWN),
    ],
)
def test_an_application_security_group_is_its_interfaces(
    nics: list[dict[str, Any]], verdict: Verdict
) -> None:
    members = {"sourceAddressPrefix": "", "sourceApplicationSecurityGroups": [{"id": ASG}]}
    denies = rule("r", 100, "Deny Outbound", **members)
    assert asked(network(), group(denies), *nics, flow=WEB).verdict is verdict


def test_a_public_address_is_in_no_application_security_group() -> None:
    members = {"sourceAddressPrefix": "", "sourceApplicationSecurityGroups": [{"id": ASG}]}
    allows = rule("r", 100, "Allow Inbound", **members)
    assert decided(allows, flow=INTERNET, crossing=IN).verdict is Verdict.BLOCKED

"""Service tags: their ranges where they were read, their meaning where they were not."""

from typing import Any

import pytest
from nsg_kit import OUT, WEB, decided, group, network, rule, seen  # type: ignore[import-not-found]

from sickbay.bundle.build import Builder
from sickbay.bundle.foreign.service_tags import is_service_tags, take_service_tags
from sickbay.engine.casebook import snapshot_of
from sickbay.model.evidence import Origin, Text
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg import decide
from sickbay.network.nsg_ranges import Match
from sickbay.network.service_tags import holds_address, is_public_name, of_name, tags_of_name
from sickbay.network.traffic import Verdict

ID = "/subscriptions/0000/providers/Microsoft.Network/serviceTags/public"
VALUES = [
    {"name": "Storage", "properties": {"addressPrefixes": ["93.184.216.0/24", "2603:1020::/32"]}},
    {"name": "Storage.WestEurope", "properties": {"addressPrefixes": ["93.184.216.0/28"]}},
]
TAGS = {"id": ID, "name": "public", "values": VALUES}
DOWNLOAD = {"changeNumber": 1, "cloud": "Public", "values": VALUES}


class Deaf:
    def add(self, text: Text) -> None: ...
    def scan_blocks(self, blocks: object, frame: object) -> None: ...


def downloaded(body: dict[str, Any]) -> Snapshot:
    builder = Builder(Deaf())
    take_service_tags(body, Origin("ServiceTags_Public.json", "$"), builder)
    return builder.finish()


@pytest.mark.parametrize(
    ("tag", "address", "match"),
    [
        ("Storage", "93.184.216.34", Match.YES),
        ("storage", "93.184.216.34", Match.YES),
        ("Storage.westeurope", "93.184.216.34", Match.NO),
        ("Storage.westeurope", "93.184.216.3", Match.YES),
        ("Storage", "2603:1020::1", Match.YES),
        ("Storage", "8.8.8.8", Match.NO),
        ("Sql", "8.8.8.8", Match.MAYBE),
        ("Sql", "10.0.0.1", Match.NO),
        ("AzureLoadBalancer", "168.63.129.16", Match.YES),
        ("AzureLoadBalancer", "8.8.8.8", Match.NO),
        ("Storage", "no address", Match.MAYBE),
    ],
)
def test_a_tag_holds_the_ranges_that_were_read(tag: str, address: str, match: Match) -> None:
    assert holds_address(snapshot_of({"documents": [TAGS]}), tag, address) is match


def test_a_rule_for_a_tag_is_decided_by_its_ranges() -> None:
    denies = rule("r", 100, "Deny Outbound", destinationAddressPrefix="Storage")
    found = decide(seen(network(), group(denies), TAGS), OUT, WEB)
    assert found is not None
    assert found.verdict is Verdict.BLOCKED
    assert decided(denies).verdict is Verdict.UNKNOWN


def test_the_file_for_download_is_read_as_the_list_of_its_cloud() -> None:
    assert is_service_tags(DOWNLOAD)
    snapshot = downloaded(DOWNLOAD)
    assert holds_address(snapshot, "Storage", "93.184.216.34") is Match.YES


@pytest.mark.parametrize(
    "other",
    [
        TAGS,
        {},
        {"values": []},
        {"values": [1], "changeNumber": 1},
        {"values": [{"name": "x"}], "changeNumber": 1},
        {"values": "many", "changeNumber": 1},
    ],
)
def test_other_documents_are_not_taken_for_the_file(other: dict[str, Any]) -> None:
    assert not is_service_tags(other)


def test_a_value_of_a_wrong_type_in_the_file_is_left_out() -> None:
    odd = {"name": 7, "properties": {"addressPrefixes": "all"}}
    body = {**DOWNLOAD, "values": [*VALUES, odd]}
    assert holds_address(downloaded(body), "Storage", "93.184.216.34") is Match.YES


def test_of_two_lists_the_same_one_counts_in_any_order() -> None:
    other = {
        "id": ID + "2",
        "values": [{"name": "Storage", "properties": {"addressPrefixes": ["8.8.8.0/24"]}}],
    }
    one = snapshot_of({"documents": [TAGS, other]})
    two = snapshot_of({"documents": [other, TAGS]})
    assert holds_address(one, "Storage", "8.8.8.8") is Match.YES
    assert holds_address(two, "Storage", "8.8.8.8") is Match.YES


@pytest.mark.parametrize(
    ("fqdn", "tags"),
    [
        ("mcr.microsoft.com", ("microsoftcontainerregistry", "azurefrontdoor.firstparty")),
        ("eu.data.mcr.microsoft.com", ("microsoftcontainerregistry", "azurefrontdoor.firstparty")),
        ("Login.MicrosoftOnline.com.", ("azureactivedirectory",)),
        ("a-1.hcp.westeurope.azmk8s.io", ("azurecloud.westeurope",)),
        ("reg.westeurope.data.azurecr.io", ("azurecontainerregistry.westeurope",)),
        ("reg.azurecr.io", ("azurecontainerregistry",)),
        ("a.b.vault.azure.net", ("azurekeyvault",)),
        ("hub.servicebus.windows.net", ("servicebus", "eventhub")),
        ("vault.azure.net", ()),
        ("a.hcp.x.y.azmk8s.io", ()),
        ("a.hcp..azmk8s.io", ()),
        ("example.com", ()),
        ("", ()),
        ("." * 300, ()),
    ],
)
def test_a_well_known_name_falls_under_the_tag_of_its_service(
    fqdn: str, tags: tuple[str, ...]
) -> None:
    assert tags_of_name(fqdn) == tags


@pytest.mark.parametrize(
    ("tag", "own", "match"),
    [
        ("Storage", "storage", Match.YES),
        ("Storage", "storage.westeurope", Match.YES),
        ("Storage.westeurope", "storage", Match.MAYBE),
        ("Storage.eastus", "storage.westeurope", Match.NO),
        ("Stor", "storage", Match.NO),
        ("AzureCloud", "storage", Match.MAYBE),
        ("AzureCloud.eastus", "azurecloud.westeurope", Match.NO),
        ("AzureFrontDoor.FirstParty", "azurefrontdoor.firstparty", Match.YES),
        ("Sql", "storage", Match.NO),
    ],
)
def test_a_tag_covers_its_own_service_and_perhaps_others(tag: str, own: str, match: Match) -> None:
    assert of_name(tag, own) is match


@pytest.mark.parametrize(
    ("name", "is_public"),
    [
        ("example.com", True),
        ("example.com.", True),
        ("esx.lab.local", False),
        ("x.privatelink.westeurope.azmk8s.io", False),
        ("printer", False),
        ("", False),
    ],
)
def test_a_name_of_a_private_resolver_is_no_public_one(name: str, is_public: bool) -> None:
    assert is_public_name(name) is is_public

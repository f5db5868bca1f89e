"""Resources that were pasted without their id."""

from sickbay.app import Settings, explain_with
from sickbay.store import Rules


def _first(rules: Rules, text: str) -> list[str]:
    return [cause.rule for cause in explain_with(rules, text.encode(), "stdin", Settings()).causes]


def test_type_and_name_stand_for_the_id(rules: Rules) -> None:
    text = """{"name": "vnf1", "type": "microsoft.networkcloud/virtualmachines",
      "properties": {"detailedStatus": "Error", "provisioningState": "Succeeded"}}"""
    assert _first(rules, text)[:1] == ["nexus.vm_out_of_sync"]


def test_a_child_has_a_stand_in_for_its_parent(rules: Rules) -> None:
    text = """{"name": "ext1", "properties": {"configurationState": "Rejected"},
      "type": "microsoft.managednetworkfabric/l3isolationdomains/externalnetworks"}"""
    assert _first(rules, text)[:1] == ["nexus.config_rejected"]


def test_a_resource_of_a_template_is_none(rules: Rules) -> None:
    text = """{"name": "ext1", "apiVersion": "2025-07-15",
      "type": "microsoft.managednetworkfabric/l3isolationdomains/externalnetworks",
      "properties": {"peeringOption": "OptionA"}}"""
    assert not _first(rules, text)

"""Documents as `az` and REST print them, become groups, rules and interfaces."""

import json
from pathlib import Path
from typing import Any

import pytest
from nsg_kit import NIC, NSG, OUT, SUBNET, WEB, network, seen  # type: ignore[import-not-found]

from sickbay.engine.casebook import snapshot_of
from sickbay.model.ids import arm
from sickbay.model.security import (
    DefaultSecurityRule,
    NetworkInterface,
    NetworkSecurityGroup,
    ScaleSetInterface,
)
from sickbay.network.nsg import decide
from sickbay.network.traffic import Verdict

EXAMPLES = Path(__file__).parents[3] / "shared" / "arm" / "examples"
RULE = {
    "access": "Deny",
    "direction": "Outbound",
    "priority": 100,
    "protocol": "Tcp",
    "sourceAddressPrefix": "*",
    "sourcePortRange": "*",
    "destinationAddressPrefix": "Internet",
    "destinationPortRange": "443",
}


def pascal(body: dict[str, Any]) -> dict[str, Any]:
    return {key[0].upper() + key[1:]: value for key, value in body.items()}


@pytest.mark.parametrize(
    "body",
    [
        {"id": NSG, "securityRules": [{"name": "r", **RULE}]},
        {"id": NSG, "properties": {"securityRules": [{"name": "r", "properties": RULE}]}},
        {"id": NSG, "properties": {"securityRules": [{"name": "r", "properties": pascal(RULE)}]}},
        {"id": NSG, "SecurityRules": [{"Name": "r", **pascal(RULE)}]},
    ],
)
def test_a_group_reads_the_same_in_every_spelling(body: dict[str, Any]) -> None:
    decision = decide(seen(network(), body), OUT, WEB)
    assert decision is not None
    assert [one.name for one in decision.by] == ["web-nsg/r"]


@pytest.mark.parametrize(
    "body",
    [
        {"id": NSG, "securityRules": "none"},
        {"id": NSG, "securityRules": [7, None, "x"]},
        {"id": NSG, "securityRules": [{"name": "r", "priority": "high"}]},
        {"id": NSG, "securityRules": [{}]},
        {"id": NSG, "securityRules": [{"name": "r", **RULE, "destinationPortRange": ["443"]}]},
        {"id": NSG, "securityRules": [{"name": "r", **RULE, "priority": 10**30}]},
        {"id": NSG, "securityRules": [{"name": "r", **RULE, "access": {"is": "Deny"}}]},
    ],
)
def test_a_broken_group_is_judged_without_a_crash(body: dict[str, Any]) -> None:
    decision = decide(seen(network(), body), OUT, WEB)
    assert decision is not None
    assert decision.verdict in set(Verdict)


def test_interfaces_of_scale_sets_know_their_machine() -> None:
    part = {"privateIPAddress": "10.1.0.4", "subnet": {"id": SUBNET}}
    snapshot = seen({"id": NIC, "properties": {"ipConfigurations": [{"properties": part}]}})
    nic = snapshot.find(arm(NIC))
    assert isinstance(nic, ScaleSetInterface)
    assert nic.machine_id == NIC.rpartition("/networkInterfaces/")[0]
    assert nic.subnet_ids == [SUBNET]
    assert {ref.key for ref in snapshot.links(nic.ref)} >= {SUBNET.casefold()}


def test_interfaces_of_machines_know_their_machine() -> None:
    id = "/subscriptions/0/resourceGroups/g/providers/Microsoft.Network/networkInterfaces/n"
    machine = "/subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m"
    nic = seen({"id": id, "virtualMachine": {"id": machine}}).find(arm(id))
    assert isinstance(nic, NetworkInterface)
    assert nic.machine_id == machine


@pytest.mark.parametrize(
    "path", ["_az/nsg.json", "Microsoft.Network/networkSecurityGroups/get.json"]
)
def test_a_recorded_group_gives_its_rules(path: str) -> None:
    if not EXAMPLES.is_dir():
        pytest.skip("the recorded bodies are not here")
    snapshot = snapshot_of({"documents": [json.loads((EXAMPLES / path).read_text())]})
    (group,) = snapshot.some(NetworkSecurityGroup)
    assert len(snapshot.grouped(DefaultSecurityRule, "parent_key", group.ref.key)) == 6
    assert not snapshot.gaps

"""The states of every world: a fault that is a state is seen, and a healthy world has none."""

import json
from pathlib import Path
from typing import Any

import pytest
from live import azure, expected  # type: ignore[import-not-found]

from sickbay.lab.server import running
from sickbay.progress import ignore
from sickbay.report.status import document
from sickbay.states import status_live

pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "::1"])

# Faults that no state tells: rules, routes, records, roles, versions, bookings, figures.
NO_STATE = {
    "aks-disk-held",
    "aks-egress-listed",
    "aks-firewall-denies",
    "aks-no-default-route",
    "aks-node-memory",
    "aks-nsg-egress",
    "aks-public-disabled",
    "aks-ranges-firewall",
    "aks-record-missing",
    "aks-record-stale",
    "aks-route-drops",
    "aks-version-skew",
    "aks-zone-unlinked",
    "two-firewall-and-ranges",
}
# What is not well, and not ill either: at rest, or on its way.
AT_REST = {
    "aks-stopped-on-purpose": ("off", "prod"),
    "aks-operation-in-progress": ("changing", "apps"),
    "arc-waiting": ("changing", "plant-bridge"),
    "nexus-not-committed": ("changing", "fab7"),
}
# Where the state is of another thing than the target.
NAMED = {
    "aks-disk-detach": {"0"},
    "aks-machine-stopped": {"1"},
    "aks-node-group-gone": {"MC_shop_prod_westeurope"},
    "aks-outbound-blocked": {"apps", "2", "vmssCSE"},
    "aks-peering-down": {"to-hub"},
    "aks-provider": {"Microsoft.Compute"},
    "aks-workspace-gone": {"shop-logs"},
    "arc-extension-failed": {"flux"},
    "nexus-domain-disabled": {"l3-apps", "apps-dcn"},
    "nexus-l2-domain-disabled": {"l2-backup"},
    "nexus-quorum-lost": {"rack1control01", "rack1control02", "site7"},
    "two-certificate-and-extension": {"plant-k3s", "flux"},
    "two-domain-and-machines": {"l3-apps"},
    "two-quota-and-stopped-machine": {"apps", "2"},
    "two-workspace-and-machine": {"prod", "1"},
}


def found(world: str) -> dict[str, Any]:
    with running(world) as lab:
        source = azure(lab, expected()[world]["target"])
        status = status_live([source], "x", "2026-03-01T12:00:00Z", ignore)
    data: dict[str, Any] = json.loads(json.dumps(document(status, "sickbay diagnose")))
    return data


def standings(data: dict[str, Any]) -> dict[str, str]:
    """How each thing stands that is not well, by its name."""
    left, told = [*data["trees"], *data["beside"]], dict[str, str]()
    while left:
        branch = left.pop()
        left += branch["children"]
        if branch["standing"] not in {"healthy", "unseen"}:
            told[branch["subject"]["name"]] = branch["standing"]
    return told


@pytest.mark.parametrize("world", sorted(expected()))
def test_a_fault_that_is_a_state_is_seen_and_health_shows_none(world: str) -> None:
    data = found(world)
    told = standings(data)
    if expected()[world].get("health") == "unknown":
        assert data["health"] == "unknown"
    elif world in AT_REST:
        standing, name = AT_REST[world]
        assert told[name] == standing
        assert data["health"] == "healthy"
    elif not expected()[world].get("rule") or world in NO_STATE:
        assert told == {}
        assert data["health"] == "healthy"
    else:
        ill = {name for name, standing in told.items() if standing == "unhealthy"}
        assert ill >= NAMED.get(world, set())
        assert data["health"] == "sick"


def test_every_exception_is_a_world_that_is_there() -> None:
    assert {*NO_STATE, *AT_REST, *NAMED} <= set(expected())
    assert Path(__file__).with_name("expected.yaml").exists()

"""Each of the six steps, broken for real from each end: the first that fails is named."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.appliance.faults import FAULTS, Fault
from tests.appliance.namespaces import SUBNET
from tests.appliance.world import PROXY, VCENTER, World

pytestmark = pytest.mark.usefixtures("rules")


def diagnosed(world: World, fault: Fault) -> Any:
    config = world.files("proxied", PROXY) if fault.appliance_proxy else world.config
    exempt = f"localhost,10.0.0.0/8,{VCENTER}"
    variables = {"HTTPS_PROXY": PROXY, "NO_PROXY": exempt} if fault.machine_proxy else {}
    return world.diagnosed(config, **variables)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_first_failing_step_is_named(healthy: World, fault: Fault) -> None:
    try:
        fault.make(healthy)
        found = diagnosed(healthy, fault)
    finally:
        fault.mend(healthy)
    top = found["causes"][0]
    assert top["rule"] == fault.rule, [(one["rule"], one["says"]) for one in found["causes"]]
    steps = [one["says"] for one in top["explains"] if one["rule"] == "arc.kva_step_fails"]
    first = f"step {fault.step} of the six fails first: from the {fault.place}, "
    assert steps, top
    assert steps[0].startswith(first)
    assert all(word in top["says"] for word in fault.words), top["says"]


def test_a_bridge_that_is_well_is_healthy(healthy: World) -> None:
    found = healthy.diagnosed()
    assert [one for one in found["causes"] if one["severity"] != "info"] == []
    assert (found["exit"], found["health"], found["gaps"]) == (0, "healthy", [])


def test_a_bridge_behind_a_proxy_that_works_is_healthy(healthy: World) -> None:
    found = healthy.diagnosed(
        healthy.files("proxied", PROXY), HTTPS_PROXY=PROXY, NO_PROXY=f"10.0.0.0/8,{VCENTER}"
    )
    assert (found["exit"], found["causes"]) == (0, [])


@pytest.fixture
def silent(healthy: World) -> Iterator[World]:
    """A management machine that drops what the appliance begins, pings included."""
    new = ("-m", "conntrack", "--ctstate", "NEW", "-j", "DROP")
    healthy.machines.wall("mgmt", "INPUT", "-s", f"{SUBNET}.20/30", *new)
    before = (healthy.logs / "kva.log").read_text()
    yield healthy
    healthy.machines.open_walls("mgmt")
    (healthy.logs / "kva.log").write_text(before)


def test_a_machine_that_drops_pings_is_no_fault(silent: World) -> None:
    found = silent.diagnosed()
    assert (found["exit"], found["causes"]) == (0, [])


def test_a_machine_that_drops_pings_is_suspected_where_the_deployment_timed_out(
    silent: World,
) -> None:
    words = "ERROR KVA timeout error: timed out waiting for the appliance cluster"
    (silent.logs / "kva.log").write_text(f"2026-11-17T10:00:00Z {words}\n")
    top = silent.diagnosed()["causes"][0]
    assert (top["rule"], top["certainty"]) == ("arc.machine_closed_to_appliance", "likely")
    assert [one["rule"] for one in top["explains"]] == ["arc.kva_timeout"]

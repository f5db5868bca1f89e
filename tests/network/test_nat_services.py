"""Services that the rules of a node get wrong."""

import pytest
from services_kit import (  # type: ignore[import-not-found]
    EVERYTHING,
    NODE,
    endpoint,
    pod,
    seen,
    service,
    slices,
)

from sickbay.model.exposure import HeldService, NatRules
from sickbay.model.snapshot import Seen, Snapshot
from sickbay.network.nat_services import misrouted

OTHER = HeldService("10.0.0.1", 443, "TCP", "default/kubernetes:https", ["10.224.0.4:443"])


def wrong(*held: HeldService) -> list[str]:
    rules = NatRules(NODE, "", "iptables-save", True, [OTHER, *held])
    known = seen(service(), pod(), slices(endpoint()))
    entities = [one for one in map(known.find, known.refs()) if one is not None]
    snapshot = Snapshot([*entities, rules], seen=[Seen(kind) for kind in EVERYTHING])
    return [f"{one.service} {one.by.says}" for one in misrouted(snapshot, rules)]


def held(*backends: str, is_rejected: bool = False) -> HeldService:
    return HeldService("10.0.12.7", 80, "TCP", "shop/web", list(backends), is_rejected)


@pytest.mark.parametrize("known", [held("10.244.1.5:8080"), held()])
def test_a_service_that_the_rules_know_is_right(known: HeldService) -> None:
    assert wrong(known) == []


def test_a_service_that_the_rules_lack_is_named() -> None:
    (said,) = wrong()
    assert said.startswith("shop/web hold 1 ports of services, and not TCP 80 at 10.0.12.7")


def test_rules_that_reject_a_service_with_endpoints_are_wrong() -> None:
    (said,) = wrong(held(is_rejected=True))
    assert "reject TCP 80 at 10.0.12.7" in said


@pytest.mark.parametrize("old", ["10.244.9.9:8080", "10.244.1.5:9090"])
def test_rules_that_keep_an_old_pod_or_port_are_wrong(old: str) -> None:
    (said,) = wrong(held(old))
    assert "which is no endpoint of the service any more" in said

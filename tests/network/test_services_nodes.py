"""What differs between nodes: kube-proxy, its rules, and policies of the service."""

from typing import Any

import pytest
from services_kit import (  # type: ignore[import-not-found]
    NODE,
    OTHER_NODE,
    decided,
    endpoint,
    object_of,
    pod,
    said,
    seen,
    service,
    slices,
    wired,
)

from sickbay.model.exposure import HeldService, NatRules
from sickbay.model.snapshot import Snapshot

WELL = (service(), pod(), slices(endpoint()))
KUBERNETES = HeldService("10.0.0.1", 443, "TCP", "default/kubernetes:https", ["10.224.0.4:443"])


def proxy(node: str = NODE, **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = pod(
        f"kube-proxy-{node[-4:]}",
        "10.224.0.5",
        "kube-system",
        node=node,
        labels={"component": "kube-proxy"},
        **changes,
    )
    return made


def node(name: str = NODE, **labels: str) -> dict[str, Any]:
    made: dict[str, Any] = object_of("v1", "Node", name)
    made["metadata"]["labels"] = labels
    return made


CRASHING = {
    "phase": "Running",
    "conditions": [{"type": "Ready", "status": "False"}],
    "containerStatuses": [
        {"name": "kube-proxy", "ready": False, "state": {"waiting": {"reason": "CrashLoopBackOff"}}}
    ],
}


def test_a_ready_proxy_passes() -> None:
    found = wired(seen(*WELL, proxy()), from_node=NODE)
    assert decided(found) == ("allowed", "Service shop/web")
    assert found.steps[-1].says == f"is ready and keeps the rules of {NODE}"


def test_a_node_without_proxy_translates_nothing() -> None:
    found = wired(seen(*WELL, proxy(OTHER_NODE)), from_node=NODE)
    assert decided(found) == ("blocked", "DaemonSet kube-system/kube-proxy")
    assert said(found) == f"runs no pod on {NODE}"


def test_a_proxy_that_crashes_blocks() -> None:
    found = wired(seen(*WELL, proxy(status=CRASHING)), from_node=NODE)
    assert decided(found) == ("blocked", "Pod kube-system/kube-proxy-0000")
    assert "CrashLoopBackOff" in said(found)


def test_a_proxy_that_runs_and_is_not_ready_leaves_it_open() -> None:
    found = wired(seen(*WELL, proxy(ready=False)), from_node=NODE)
    assert found.decision.verdict == "unknown"
    assert NODE in found.decision.gaps[0].to_open


@pytest.mark.parametrize(
    "documents",
    [
        [proxy(OTHER_NODE), pod("cilium-x", namespace="kube-system", labels={"k8s-app": "cilium"})],
        [object_of("apps/v1", "DaemonSet", "cilium", "kube-system")],
        [proxy(ready=False), object_of("apps/v1", "DaemonSet", "cilium", "kube-system")],
        [proxy(OTHER_NODE), node(**{"kubernetes.io/os": "windows"})],
        [proxy(OTHER_NODE), node(type="virtual-kubelet")],
        [],
    ],
    ids=["cilium", "cilium alone", "both", "windows", "virtual node", "nothing is told"],
)
def test_a_node_can_do_without_a_pod_of_the_proxy(documents: list[dict[str, Any]]) -> None:
    assert wired(seen(*WELL, *documents), from_node=NODE).decision.verdict == "allowed"


def test_pods_of_the_system_that_were_not_read_say_nothing() -> None:
    kinds = (
        {"kind": "Pod", "scope": "shop"},
        {"kind": "Service", "scope": "shop"},
        {"kind": "EndpointSlice", "scope": "shop"},
    )
    found = wired(seen(*WELL, proxy(OTHER_NODE), only=kinds), from_node=NODE)
    assert found.decision.verdict == "allowed"


def test_a_headless_service_needs_no_proxy() -> None:
    documents = (service(clusterIP="None"), pod(), slices(endpoint()), proxy(OTHER_NODE))
    assert wired(seen(*documents), from_node=NODE).decision.verdict == "allowed"


# The rules themselves.


def with_rules(
    *services: HeldService, documents: tuple[Any, ...] = WELL, is_whole: bool = True
) -> Snapshot:
    plain: Snapshot = seen(*documents)
    rules = NatRules(NODE, "", "iptables", is_whole, [KUBERNETES, *services])
    entities = [*(plain.find(ref) for ref in plain.refs()), rules]
    everything = [(kind, "") for kind in ("Pod", "Service", "EndpointSlice")]
    return Snapshot([one for one in entities if one]).with_seen(everything)


def held(*backends: str, is_rejected: bool = False) -> HeldService:
    return HeldService("10.0.12.7", 80, "TCP", "shop/web", list(backends), is_rejected)


def test_rules_that_hold_the_service_pass() -> None:
    found = wired(with_rules(held("10.244.1.5:8080")), from_node=NODE)
    assert found.decision.verdict == "allowed"
    assert found.steps[-1].says == "send TCP 80 at 10.0.12.7 to 10.244.1.5:8080"


@pytest.mark.parametrize(
    ("services", "says"),
    [
        ([], "hold 1 ports of services, and not TCP 80 at 10.0.12.7: nothing translates it"),
        ([held(is_rejected=True)], "reject TCP 80 at 10.0.12.7, as of a service without endpoints"),
        (
            [held("10.244.9.9:8080")],
            "send TCP 80 at 10.0.12.7 to 10.244.9.9:8080, "
            "which is no endpoint of the service any more",
        ),
    ],
)
def test_rules_that_do_not_follow_block(services: list[HeldService], says: str) -> None:
    found = wired(with_rules(*services), from_node=NODE)
    assert decided(found) == ("blocked", f"NAT rules {NODE}")
    assert said(found) == says


def test_rules_outweigh_the_state_of_the_proxy() -> None:
    documents = (*WELL, proxy(status=CRASHING))
    found = wired(with_rules(held("10.244.1.5:8080"), documents=documents), from_node=NODE)
    assert found.decision.verdict == "allowed"


def test_a_proxy_that_is_ill_is_named_beside_its_rules() -> None:
    found = wired(with_rules(documents=(*WELL, proxy(status=CRASHING))), from_node=NODE)
    assert [by.kind for by in found.decision.by] == ["NAT rules", "Pod"]


def test_a_part_of_the_rules_proves_no_absence() -> None:
    assert wired(with_rules(is_whole=False), from_node=NODE).decision.verdict == "allowed"


def test_rules_of_another_node_do_not_matter() -> None:
    assert wired(with_rules(), from_node=OTHER_NODE).decision.verdict == "allowed"


def test_rules_of_one_family_say_nothing_of_the_other() -> None:
    documents = (service(clusterIP="fd00::7", clusterIPs=["fd00::7"]), pod(), slices(endpoint()))
    assert wired(with_rules(documents=documents), from_node=NODE).decision.verdict == "allowed"


# Policies of the service.


def test_a_local_service_has_nothing_on_other_nodes() -> None:
    documents = (service(internalTrafficPolicy="Local"), pod(), slices(endpoint()))
    found = wired(seen(*documents), from_node=OTHER_NODE)
    assert decided(found) == ("blocked", "Service shop/web")
    assert said(found).endswith(f"{NODE}, and the client is on {OTHER_NODE}")


@pytest.mark.parametrize("where", [NODE, ""])
def test_a_local_service_answers_on_the_node_of_its_pod(where: str) -> None:
    documents = (service(internalTrafficPolicy="Local"), pod(), slices(endpoint()))
    assert wired(seen(*documents), from_node=where).decision.verdict == "allowed"


def test_traffic_from_outside_that_stays_on_its_node_does_not_concern_clients_inside() -> None:
    documents = (service(externalTrafficPolicy="Local"), pod(), slices(endpoint()))
    found = wired(seen(*documents), from_node=OTHER_NODE)
    assert found.decision.verdict == "allowed"
    assert NODE in found.steps[-1].says

"""From a service to its pods: each step, and who decides."""

import pytest
from services_kit import (  # type: ignore[import-not-found]
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

SLICE = slices(endpoint())


def test_a_healthy_service_leads_to_its_pods() -> None:
    found = wired(seen(service(), pod(), SLICE))
    assert decided(found) == ("allowed", "Service shop/web")
    (backend,) = found.backends
    assert (backend.address, backend.port, backend.ready) == ("10.244.1.5", 8080, True)
    assert backend.pod is not None
    assert backend.pod.name == "web-1"
    assert said(found) == "leads to 1 ready backend at port 8080"
    assert not found.decision.gaps


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"type": "NodePort"},
        {"type": "LoadBalancer", "externalTrafficPolicy": "Local"},
        {"clusterIP": "None"},
        {"sessionAffinity": "ClientIP"},
        {"internalTrafficPolicy": "Local"},
        {"ports": [{"port": 80, "targetPort": "http"}]},
        {"ports": [{"port": 80, "targetPort": "8080"}]},
        {"clusterIPs": ["10.0.12.7", "fd00::7"], "ipFamilies": ["IPv4", "IPv6"]},
    ],
    ids=str,
)
@pytest.mark.parametrize("documents", [[SLICE], []], ids=["with slices", "without slices"])
def test_a_healthy_service_of_any_kind_passes(
    spec: dict[str, object], documents: list[dict[str, object]]
) -> None:
    kinds = ("Pod", "Service", *(["EndpointSlice"] if documents else []))
    found = wired(seen(service(**spec), pod(), *documents, only=kinds))
    assert found.decision.verdict == "allowed"
    assert [backend.address for backend in found.backends] == ["10.244.1.5"]


def test_the_steps_come_in_the_order_of_the_guide() -> None:
    found = wired(seen(service(), pod(), SLICE))
    assert [step.says for step in found.steps] == [
        "is of type ClusterIP at 10.0.12.7",
        "selects 1 pod by app=web",
        "has 1 of 1 pod ready",
        "holds 1 of 1 addresses as ready",
        "has TCP port 80, which leads to 8080 of its pods",
    ]


def test_slices_that_were_not_read_are_named_and_do_not_decide() -> None:
    found = wired(seen(service(), pod(), only=("Pod", "Service")))
    assert found.decision.verdict == "allowed"
    assert [gap.source for gap in found.decision.gaps] == ["EndpointSlice"]


def test_the_order_of_the_documents_does_not_matter() -> None:
    documents = [
        service(),
        pod(ready=False),
        pod("web-2", "10.244.1.6"),
        pod("web-3", "10.244.1.7"),
        slices(endpoint("10.244.1.7", "web-3"), name="web-x"),
        slices(endpoint("10.244.1.6", "web-2"), endpoint("10.244.9.9", "web-0"), name="web-a"),
    ]
    there, back = wired(seen(*documents)), wired(seen(*reversed(documents)))
    assert there.steps == back.steps
    assert [one.address for one in there.backends] == [one.address for one in back.backends]


# The selector.


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (
            {"app": "web-v2"},
            "selects app=web, which no pod has; x has app=web-v2 instead of app=web",
        ),
        ({"App": "web"}, "selects app=web, which no pod has; x has App=web instead of app=web"),
        ({"app": "Web"}, "selects app=web, which no pod has; x has app=Web instead of app=web"),
        (
            {"app.kubernetes.io/name": "web"},
            "selects app=web, which no pod has; "
            "x has app.kubernetes.io/name=web instead of app=web",
        ),
        ({"role": "db"}, "selects app=web, which none of 1 pods in shop has"),
        ({}, "selects app=web, which none of 1 pods in shop has"),
    ],
)
def test_a_selector_without_pods_names_what_differs(labels: dict[str, str], says: str) -> None:
    found = wired(seen(service(), pod("x", labels=labels)))
    assert (*decided(found), said(found)) == ("blocked", "Service shop/web", says)


def test_of_many_pods_the_nearest_is_named() -> None:
    selector = {"app": "web", "tier": "front"}
    pods = [
        pod("a-1", labels={"app": "web", "tier": "frontend", "pod-template-hash": "1"}),
        pod("a-2", labels={"app": "web", "tier": "frontend", "pod-template-hash": "2"}),
        pod("b-1", labels={"app": "web", "tier": "db"}),
        pod("c-1", labels={"app": "api", "tier": "back"}),
    ]
    found = wired(seen(service(selector=selector), *pods))
    assert said(found).endswith("a-1 and 1 more have tier=frontend instead of tier=front")


def test_pods_of_another_namespace_are_pointed_at() -> None:
    found = wired(seen(service(), pod(namespace="stage")))
    assert said(found) == "selects app=web, which no pod in shop has; pods in stage do"


def test_a_deployment_that_is_scaled_to_zero_decides() -> None:
    deployment = object_of(
        "apps/v1",
        "Deployment",
        "web",
        "shop",
        spec={"replicas": 0, "selector": {"matchLabels": {"app": "web"}}},
    )
    found = wired(seen(service(), deployment))
    assert decided(found) == ("blocked", "Deployment shop/web")
    assert "is scaled to 0" in said(found)


def test_pods_that_were_not_read_leave_it_open() -> None:
    found = wired(seen(service(), only=("Service",)))
    assert decided(found) == ("unknown", "Service shop/web")
    assert "kubectl get pods -A -o json" in [gap.to_open for gap in found.decision.gaps]


def test_some_pods_are_enough_to_pass() -> None:
    found = wired(seen(service(), pod(), only=("Service",)))
    assert found.decision.verdict == "allowed"


# The pods.


def waiting(reason: str) -> dict[str, object]:
    return {
        "phase": "Running",
        "podIP": "10.244.1.5",
        "conditions": [{"type": "Ready", "status": "False"}],
        "containerStatuses": [
            {"name": "app", "ready": False, "state": {"waiting": {"reason": reason}}}
        ],
    }


UNSCHEDULED = {
    "phase": "Pending",
    "conditions": [
        {"type": "PodScheduled", "status": "False", "message": "0/3 nodes are available"}
    ],
}
GATED = {
    "phase": "Running",
    "conditions": [
        {"type": "Ready", "status": "False"},
        {"type": "azure.com/gateway", "status": "False"},
    ],
}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"ready": False}, "its readiness probe does not pass (app)"),
        ({"status": waiting("CrashLoopBackOff")}, "container app waits: CrashLoopBackOff"),
        ({"status": UNSCHEDULED}, "it is not scheduled: 0/3 nodes are available"),
        ({"status": GATED}, "its readiness gate azure.com/gateway is not met"),
        ({"deleted": True}, "it is being deleted"),
        ({"status": {"phase": "Succeeded"}}, "it is over (Succeeded)"),
    ],
)
@pytest.mark.parametrize("kinds", [("Pod", "Service"), ("Pod", "Service", "EndpointSlice")])
def test_pods_that_are_not_ready_decide(
    changes: dict[str, object], why: str, kinds: tuple[str, ...]
) -> None:
    found = wired(seen(service(), pod(**changes), only=kinds))
    assert decided(found) == ("blocked", "Pod shop/web-1")
    assert said(found) == f"is not ready: {why}"


def test_one_ready_pod_is_enough() -> None:
    found = wired(seen(service(), pod(), pod("web-2", "10.244.1.6", ready=False)))
    assert "EndpointSlice" in decided(found)[1]
    found = wired(
        seen(service(), pod(), pod("web-2", "10.244.1.6", ready=False), only=("Pod", "Service"))
    )
    assert found.decision.verdict == "allowed"
    assert [(one.address, one.ready) for one in found.backends] == [
        ("10.244.1.5", True),
        ("10.244.1.6", False),
    ]


def test_addresses_of_pods_that_are_not_ready_are_published_on_demand() -> None:
    snapshot = seen(
        service(publishNotReadyAddresses=True), pod(ready=False), only=("Pod", "Service")
    )
    assert wired(snapshot).decision.verdict == "allowed"


def test_a_manifest_does_not_tell_how_a_pod_fares() -> None:
    found = wired(seen(service(), pod(status={}), only=("Pod", "Service")))
    assert found.decision.verdict == "allowed"
    assert any("only the manifest" in step.says for step in found.steps)
    assert [gap.what for gap in found.decision.gaps if gap.source == "Pod"] == [
        "how pod shop/web-1 fares"
    ]

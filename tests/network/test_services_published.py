"""What slices and Endpoints publish of a service, against the pods that are there."""

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
ALL_BUT_PODS = ("Service", "EndpointSlice")


def test_ready_pods_that_are_not_published_point_at_the_controller() -> None:
    found = wired(seen(service(), pod()))
    assert decided(found) == ("blocked", "EndpointSlice shop/web")
    assert "while web-1 is ready: the controller of slices does not follow" in said(found)


def test_an_address_that_no_pod_has_any_more_leads_nowhere() -> None:
    found = wired(seen(service(), pod(), slices(endpoint("10.244.9.9", "web-0"))))
    assert decided(found) == ("blocked", "EndpointSlice shop/web-abc")
    assert said(found) == "holds only 10.244.9.9, which no pod of the service has any more"


def test_a_stale_address_beside_a_good_one_is_no_block() -> None:
    found = wired(seen(service(), pod(), slices(endpoint("10.244.9.9", "web-0"), endpoint())))
    assert found.decision.verdict == "allowed"
    assert [(one.address, one.ready) for one in found.backends] == [
        ("10.244.1.5", True),
        ("10.244.9.9", False),
    ]


def test_a_pod_that_changed_its_address_is_stale_in_the_slice() -> None:
    found = wired(seen(service(), pod(address="10.244.1.77"), SLICE))
    assert decided(found)[0] == "blocked"


def test_slices_are_believed_where_pods_were_not_read() -> None:
    assert wired(seen(service(), SLICE, only=ALL_BUT_PODS)).decision.verdict == "allowed"


def test_an_empty_slice_blocks_where_pods_were_not_read() -> None:
    found = wired(seen(service(), slices(endpoint(ready=False)), only=ALL_BUT_PODS))
    assert decided(found) == ("blocked", "EndpointSlice shop/web-abc")
    assert [gap.source for gap in found.decision.gaps] == ["Pod"]


def test_a_slice_alone_may_be_one_of_several() -> None:
    found = wired(seen(service(), slices(endpoint(ready=False)), only=("Service",)))
    assert found.decision.verdict == "unknown"


def test_pods_on_their_way_out_serve_while_nothing_better_is_there() -> None:
    going = endpoint(ready=False, serving=True, terminating=True)
    found = wired(seen(service(), pod(deleted=True), slices(going)))
    assert found.decision.verdict == "allowed"


def test_endpoints_stand_in_for_slices() -> None:
    subset = {
        "addresses": [{"ip": "10.244.1.5", "targetRef": {"kind": "Pod", "name": "web-1"}}],
        "notReadyAddresses": [{"ip": "10.244.1.6"}],
        "ports": [{"port": 8080}],
    }
    endpoints = object_of("v1", "Endpoints", "web", "shop", subsets=[subset])
    found = wired(seen(service(), pod(), endpoints, only=("Pod", "Service")))
    assert found.decision.verdict == "allowed"
    assert [(one.address, one.ready) for one in found.backends] == [
        ("10.244.1.5", True),
        ("10.244.1.6", False),
    ]


def test_empty_endpoints_block() -> None:
    endpoints = object_of("v1", "Endpoints", "web", "shop")
    found = wired(seen(service(), endpoints, only=("Service",)))
    assert decided(found) == ("blocked", "Endpoints shop/web")


# Without a selector.


def test_a_service_without_a_selector_leads_where_its_slices_say() -> None:
    by_hand = slices(endpoint("10.1.0.9", pod=""), ports=[{"port": 5432}])
    found = wired(seen(service(selector=None), by_hand))
    assert found.decision.verdict == "allowed"
    assert [(one.pod, one.address, one.port) for one in found.backends] == [
        (None, "10.1.0.9", 5432)
    ]


def test_a_service_without_selector_and_endpoints_leads_nowhere() -> None:
    found = wired(seen(service(selector=None)))
    assert decided(found) == ("blocked", "EndpointSlice shop/web")
    assert "no selector that would bring any" in said(found)


def test_a_service_without_selector_whose_endpoints_were_not_read_is_open() -> None:
    found = wired(seen(service(selector=None), only=("Service", "Pod")))
    assert found.decision.verdict == "unknown"

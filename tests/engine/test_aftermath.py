"""A warning is over when the same thing tells of success, in events or in a table."""

import pytest
from scan_kit import FULL, scanner  # type: ignore[import-not-found]

from sickbay.engine.aftermath import Aftermath
from sickbay.engine.ledger import Heard
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, kube

POD = kube("Pod", "shop", "cart-7d9c5b6f4-x2x8k")
NODE = kube("Node", "", "aks-np2-31415926-vmss000004")
OTHER = kube("Node", "", "aks-np2-31415926-vmss000005")
SCHEDULING = "FailedScheduling: 0/3 nodes are available: 3 Insufficient cpu."
PULL = 'Failed: Failed to pull image "contoso.azurecr.io/cart:1": EOF'
PULLED = 'Pulled: Successfully pulled image "contoso.azurecr.io/{}" in 1s'


def event(says: str, about: Ref = POD, channel: str = "event") -> Text:
    return Text(says, Origin("events.txt", "line 1"), about, channel)


def is_overcome(warning: str, *later: Text, about: Ref = POD, times: int = 1) -> bool:
    one = Aftermath()
    for text in later:
        one.note(text)
    channel = "table" if "Terminating" in warning else "event"
    return one.is_overcome(
        Heard(0, (), event(warning, about, channel), warning, 0, (), times=times)
    )


@pytest.mark.parametrize(
    ("warning", "news"),
    [
        (SCHEDULING, "Scheduled: Successfully assigned shop/cart to n1"),
        (PULL, PULLED.format("cart:1")),
        ("FailedMount: MountVolume.SetUp failed", "Started: Started container app"),
        ("FailedCreatePodSandBox: Failed to create pod sandbox", "Started: Started container app"),
        ("Unhealthy: Readiness probe failed: refused", "Killing: Stopping container app"),
    ],
)
def test_good_news_of_the_same_pod_ends_a_warning(warning: str, news: str) -> None:
    assert is_overcome(warning, event(news))
    assert not is_overcome(warning)
    assert not is_overcome(warning, event(news, kube("Pod", "shop", "other")))


def test_what_comes_back_often_is_not_over() -> None:
    assert not is_overcome(PULL, event(PULLED.format("cart:1")), times=5)


def test_a_missing_pull_secret_is_no_matter_where_the_image_was_pulled() -> None:
    warning = "FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (acr)"
    pulled, back_off = event(PULLED.format("cart:1")), event("BackOff: Back-off pulling image")
    assert is_overcome(warning, pulled, times=194)
    assert not is_overcome(warning, pulled, back_off)
    assert not is_overcome(warning)


def test_another_image_says_nothing_of_this_one() -> None:
    assert not is_overcome(PULL, event(PULLED.format("sidecar:1")))


@pytest.mark.parametrize(
    ("row", "is_over"),
    [
        ("cart-7d9c5b6f4-x2x8k   2/2   Running   0   9d", True),
        ("cart-7d9c5b6f4-x2x8k   0/1   Completed   0   9d", True),
        ("cart-7d9c5b6f4-x2x8k   1/2   Running   0   9d", False),
        ("cart-7d9c5b6f4-x2x8k   1/1   Running   37 (2m ago)   9d", False),
        ("cart-7d9c5b6f4-x2x8k   0/1   CrashLoopBackOff   3   9d", False),
    ],
)
def test_a_row_tells_whether_the_pod_is_well(row: str, is_over: bool) -> None:
    warning = "Unhealthy: Readiness probe failed: refused"
    assert is_overcome(warning, event(row, channel="table")) is is_over


@pytest.mark.parametrize(
    ("later", "is_over"),
    [
        ((event("ScaleDown: marked the node as toBeDeleted", NODE),), True),
        ((event("aks-np2-31415926-vmss000004   Ready   <none>   9d", NODE, "table"),), True),
        ((event("RemovingNode: gone", NODE), event("NodeReady: ready", OTHER)), True),
        ((event("RemovingNode: gone", NODE),), False),
        ((event("aks-np2-31415926-vmss000004   NotReady   <none>   9d", NODE, "table"),), False),
        ((event("NodeReady: ready", OTHER),), False),
    ],
)
def test_a_node_that_is_back_or_was_let_go_is_no_loss(
    later: tuple[Text, ...], is_over: bool
) -> None:
    lost = event("NodeNotReady: status is now: NodeNotReady", NODE)
    assert is_overcome(lost.text, *later, about=NODE) is is_over
    assert is_overcome("NodeNotReady: Node is not ready", lost, *later) is is_over


def test_another_trouble_of_a_ready_node_stays() -> None:
    row = event("aks-np2-31415926-vmss000004   Ready   <none>   9d", NODE, "table")
    assert not is_overcome("SystemOOM: System OOM encountered", row, about=NODE)


def test_a_spot_node_that_another_replaced_is_no_trouble() -> None:
    assert is_overcome("PreemptScheduled: soon", event("NodeReady: ready", OTHER), about=NODE)
    assert not is_overcome("PreemptScheduled: soon", event("NodeReady: ready", NODE), about=NODE)


@pytest.mark.parametrize(("age", "is_over"), [("12s", True), ("5m10s", True), ("3h", False)])
def test_a_pod_goes_because_another_of_its_workload_has_come(age: str, is_over: bool) -> None:
    new = event(f"cart-5f6b7c8d9-abcde   1/1   Running   0   {age}", channel="table")
    new = new._replace(about=kube("Pod", "shop", "cart-5f6b7c8d9-abcde"))
    going = "cart-7d9c5b6f4-x2x8k 1/1 Terminating 0 9d"
    assert is_overcome(going, new) is is_over


def test_the_scanner_leaves_out_what_is_overcome() -> None:
    warning = "FailedScheduling: SubnetIsFull: Subnet n has no room"
    one, calm = scanner(), scanner()
    one.add(event(warning))
    calm.add(event(warning))
    calm.add(event("Scheduled: Successfully assigned shop/cart to n1"))
    assert [len(scan.finish()) for scan in (one, calm)] == [1, 0], FULL


SERVICE = kube("service", "shop", "web")
REFUSED = "SyncLoadBalancerFailed: Error syncing load balancer: failed to ensure load balancer"
ENSURED = "EnsuredLoadBalancer: Ensured load balancer"


def test_an_attempt_that_failed_is_over_when_a_later_one_went_well() -> None:
    bad, good = event(REFUSED, SERVICE), event(ENSURED, SERVICE)
    assert is_overcome(REFUSED, bad, good, about=SERVICE, times=74)
    assert not is_overcome(REFUSED, good, bad, about=SERVICE)
    assert not is_overcome(
        REFUSED, bad, event(ENSURED, kube("service", "shop", "b")), about=SERVICE
    )


def test_the_times_of_events_tell_their_order_where_they_have_any() -> None:
    bad = event(REFUSED, SERVICE)._replace(at="2026-11-16T10:00:00Z")
    good = event(ENSURED, SERVICE)._replace(at="2026-11-16T10:05:00Z")
    assert is_overcome(REFUSED, good, bad, about=SERVICE)

"""What is over: a failed operation that a later attempt made good, a pod that is gone."""

from itertools import permutations

import pytest
from scan_kit import scanner  # type: ignore[import-not-found]

from sickbay.engine.ledger import Heard
from sickbay.engine.recovery import SUCCEEDED, still_true
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.snapshot import Seen, Snapshot

CLUSTER = arm(
    "/subscriptions/1/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/a"
)
POOL = arm(f"{CLUSTER.id}/agentPools/np1")
WRITE = "Microsoft.ContainerService/managedClusters/write"
STOP = "Microsoft.ContainerService/managedClusters/stop/action"


def failed(
    at: str, operation: str = WRITE, about: Ref | None = CLUSTER, request: str = "1"
) -> Text:
    said = f"{operation}: SubnetIsFull: Subnet n has no room"
    where = Origin("log.json", f"$[{at}].properties.statusMessage (correlation id {request})")
    return Text(said, where, about, "activity-log", f"2026-11-10T{at}Z" if at else "")


def succeeded(
    at: str, operation: str = WRITE, about: Ref | None = CLUSTER, request: str = "2"
) -> Text:
    where = Origin("log.json", f"$[{at}].status (correlation id {request})")
    return Text(f"{operation}: Succeeded", where, about, SUCCEEDED, f"2026-11-10T{at}Z")


def count(*texts: Text) -> int:
    one = scanner()
    for text in texts:
        one.add(text)
    return sum(heard.times for heard in one.finish())


def test_a_later_success_of_the_same_operation_takes_a_failure_back() -> None:
    assert count(failed("10:00:00"), succeeded("10:05:00")) == 0


def test_a_failure_after_the_success_stays() -> None:
    assert count(succeeded("10:00:00"), failed("10:05:00")) == 1


def test_only_the_failures_before_the_success_are_over() -> None:
    texts = (failed("10:00:00"), succeeded("10:05:00"), failed("10:10:00"))
    assert [count(*order) for order in permutations(texts)] == [1] * 6


def test_parts_of_a_second_are_told_apart() -> None:
    assert count(failed("10:00:00.500"), succeeded("10:00:00")) == 1
    assert count(failed("10:00:00"), succeeded("10:00:00.500")) == 0


def test_the_same_request_may_end_under_another_operation() -> None:
    assert count(failed("10:00:00", request="7"), succeeded("10:05:00", STOP, request="7")) == 0


@pytest.mark.parametrize(
    "other",
    [
        succeeded("10:05:00", STOP),
        succeeded("10:05:00", about=POOL),
        succeeded("10:05:00", about=POOL, request="1"),
    ],
    ids=["another operation", "another resource", "another resource of the same request"],
)
def test_the_success_of_something_else_takes_nothing_back(other: Text) -> None:
    assert count(failed("10:00:00"), other) == 1


def test_names_are_compared_without_case() -> None:
    shouted = succeeded("10:05:00", WRITE.upper(), arm(CLUSTER.id.upper()))
    assert count(failed("10:00:00"), shouted) == 0


@pytest.mark.parametrize("unclear", [failed(""), failed("10:00:00", about=None)])
def test_what_cannot_be_placed_stays(unclear: Text) -> None:
    assert count(unclear, succeeded("10:05:00")) == 1


def test_a_good_end_is_not_listened_to() -> None:
    said = succeeded("10:05:00")._replace(text="SubnetIsFull: Subnet n has no room")
    assert count(said) == 0


def event(text: str) -> Heard:
    about = kube("Pod", "shop", "web-1")
    return Heard(0, (), Text(text, Origin("events.json"), about, "event"), text, 0, ())


@pytest.mark.parametrize(
    ("text", "seen", "count"),
    [
        ("BackOff: back-off restarting failed container", [Seen("Pod")], 0),
        ("BackOff: back-off restarting failed container", [Seen("Pod", "other")], 1),
        ("BackOff: back-off restarting failed container", [], 1),
        ("Evicted: The node was low on resource: memory.", [Seen("Pod")], 1),
    ],
)
def test_what_was_said_of_a_pod_that_is_gone_is_over(
    text: str, seen: list[Seen], count: int
) -> None:
    assert len(still_true([event(text)], Snapshot(seen=seen))) == count

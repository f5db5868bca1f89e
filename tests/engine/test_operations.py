"""Events become operations: from the beginning to the end, and what belongs together."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.engine.operations import Filters, operations
from sickbay.model.activity import Event, Operation, Outcome, outcome_of

RG = "/subscriptions/s/resourceGroups/rg/providers"
POOL = f"{RG}/Microsoft.ContainerService/managedClusters/prod/agentPools/np1"
WRITE = "Microsoft.ContainerService/managedClusters/agentPools/write"
NETWORK = f"{RG}/Microsoft.Network/networkSecurityGroups/nsg"
EVERYTHING = Filters()


def event(minute: int, status: str, **members: str) -> Event:
    given: dict[str, Any] = {
        "id": f"e{minute}-{status}",
        "at": f"2026-01-01T10:{minute:02}:00Z",
        "status": status,
        "name": WRITE,
        "resource": POOL,
        "group": "rg",
        "correlation": "c1",
        "operation": "o1",
        "caller": "alice@contoso.com",
        "category": "Administrative",
        "level": "Error" if status == "Failed" else "Informational",
    }
    return Event(**{**given, **members})


def only(*events: Event, filters: Filters = EVERYTHING) -> Operation:
    [found] = operations(events, filters)
    return found


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("Started", Outcome.RUNNING),
        ("Accepted", Outcome.RUNNING),
        ("In Progress", Outcome.RUNNING),
        ("Succeeded", Outcome.SUCCEEDED),
        ("Failed", Outcome.FAILED),
        ("Failure", Outcome.FAILED),
        ("Canceled", Outcome.CANCELED),
        ("Active", Outcome.REPORTED),
        ("Resolved", Outcome.REPORTED),
        ("Wobbling", Outcome.UNKNOWN),
        ("", Outcome.UNKNOWN),
    ],
)
def test_each_status_has_its_meaning(word: str, wanted: Outcome) -> None:
    assert outcome_of(word) is wanted


def test_started_accepted_and_failed_are_one_operation() -> None:
    found = only(event(2, "Accepted"), event(32, "Failed"), event(1, "Started"))
    assert [one.status for one in found.events] == ["Started", "Accepted", "Failed"]
    assert (found.begun, found.ended) == ("2026-01-01T10:01:00Z", "2026-01-01T10:32:00Z")
    assert found.outcome is Outcome.FAILED


def test_events_of_one_second_keep_the_order_of_an_operation() -> None:
    found = only(event(1, "Failed"), event(1, "Accepted"), event(1, "Started"))
    assert [one.status for one in found.events] == ["Started", "Accepted", "Failed"]


def test_an_operation_without_an_end_is_running() -> None:
    assert only(event(1, "Started"), event(2, "Accepted")).outcome is Outcome.RUNNING


def test_what_begins_anew_after_its_end_is_another_operation() -> None:
    found = only(
        event(1, "Started"), event(2, "Failed"), event(3, "Started"), event(4, "Succeeded")
    )
    outcomes = [found.outcome, *(child.outcome for child in found.children)]
    assert outcomes == [Outcome.FAILED, Outcome.SUCCEEDED]


def test_two_operations_at_once_are_told_apart_by_their_ids() -> None:
    found = only(
        event(1, "Started", operation="a"),
        event(2, "Started", operation="b"),
        event(3, "Failed", operation="b"),
        event(4, "Succeeded", operation="a"),
    )
    assert (found.outcome, found.children[0].outcome) == (Outcome.SUCCEEDED, Outcome.FAILED)


def test_an_end_with_an_id_of_its_own_still_ends_what_began() -> None:
    found = only(event(1, "Started", operation="a"), event(5, "Failed", operation="b"))
    assert (found.outcome, found.children) == (Outcome.FAILED, ())


def test_what_was_done_on_behalf_of_another_stands_below_it() -> None:
    found = only(
        event(1, "Started"),
        event(3, "Started", name="Microsoft.Network/networkSecurityGroups/write", resource=NETWORK),
        event(4, "Failed", name="Microsoft.Network/networkSecurityGroups/write", resource=NETWORK),
        event(9, "Failed"),
    )
    assert found.last.resource == POOL
    assert [child.last.resource for child in found.children] == [NETWORK]


def test_other_correlations_are_other_operations_and_the_newest_is_first() -> None:
    found = operations([event(1, "Succeeded"), event(9, "Failed", correlation="c2")], EVERYTHING)
    assert [one.last.correlation for one in found] == ["c2", "c1"]


def test_events_without_correlation_belong_to_nothing() -> None:
    events = [event(n, "Failed", correlation="", operation="") for n in (1, 2)]
    assert len(operations(events, EVERYTHING)) == 2


@pytest.mark.parametrize(
    ("filters", "is_kept"),
    [
        (Filters(status="failed"), True),
        (Filters(status="FAILED"), True),
        (Filters(status="succeeded"), False),
        # It did begin, but that is not how it stands.
        (Filters(status="started"), False),
        (Filters(caller="ALICE"), True),
        (Filters(caller="bob"), False),
        (Filters(category="administrative"), True),
        (Filters(category="policy"), False),
        (Filters(level="error"), True),
        (Filters(group="RG"), True),
        (Filters(group="r"), False),
        (Filters(resource=POOL.upper()), True),
        (Filters(resource=POOL.rpartition("/agentPools")[0]), True),
        (Filters(resource=POOL[:-1]), False),
        (Filters(resource="np1"), True),
        (Filters(resource="np"), False),
        (Filters(correlation="C1"), True),
        (Filters(operation="agentpools/WRITE"), True),
        (Filters(operation="delete"), False),
        (Filters(status="failed", caller="bob"), False),
    ],
)
def test_filters_are_about_operations_and_not_about_events(
    filters: Filters, *, is_kept: bool
) -> None:
    assert bool(operations([event(1, "Started"), event(2, "Failed")], filters)) is is_kept


def test_a_wanted_child_keeps_its_parent_and_an_unwanted_one_goes() -> None:
    children = [
        event(3, "Failed", resource=NETWORK, name="a"),
        event(4, "Succeeded", resource=NETWORK, name="b"),
    ]
    found = only(
        event(1, "Started"), event(9, "Succeeded"), *children, filters=Filters(status="failed")
    )
    assert found.outcome is Outcome.SUCCEEDED
    assert [child.last.name for child in found.children] == ["a"]


EVENTS = st.lists(
    st.builds(
        event,
        st.integers(0, 59),
        st.sampled_from(["Started", "Accepted", "Succeeded", "Failed", "Active", "Wobbling"]),
        operation=st.sampled_from(["", "a", "b"]),
        correlation=st.sampled_from(["", "c1", "c2"]),
        name=st.sampled_from(["x/write", "x/delete"]),
        resource=st.sampled_from([POOL, NETWORK]),
    ),
    max_size=30,
    unique_by=repr,
)


def told(found: tuple[Operation, ...]) -> list[Event]:
    return [e for tree in found for one in (tree, *tree.children) for e in one.events]


@settings(deadline=None)
@given(EVENTS)
def test_no_event_is_lost_and_none_is_told_twice(events: list[Event]) -> None:
    assert sorted(told(operations(events, EVERYTHING))) == sorted(events)


@settings(deadline=None)
@given(EVENTS, st.randoms(use_true_random=False))
def test_the_order_of_the_events_does_not_matter(events: list[Event], chance: Random) -> None:
    wanted = operations(list(events), EVERYTHING)
    chance.shuffle(events)
    assert operations(events, EVERYTHING) == wanted


@settings(deadline=None)
@given(EVENTS)
def test_an_operation_is_about_one_thing_and_ends_after_it_began(events: list[Event]) -> None:
    for tree in operations(events, EVERYTHING):
        for one in (tree, *tree.children):
            assert len({(e.name, e.resource, e.correlation) for e in one.events}) == 1
            assert not one.ended or one.begun <= one.ended

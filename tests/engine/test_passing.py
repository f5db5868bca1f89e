"""What programs that are well print now and then is over where their log goes on without it."""

import pytest
from scan_kit import BUDGET, LOOKUP, scanner  # type: ignore[import-not-found]

from sickbay.bundle.frame import Frame

COMPLAINT = "dial tcp: lookup esx.lab.local: no such host"
ALL_IS_WELL = "SyncLoop UPDATE"


def line(minute: int, message: str) -> str:
    return f"E0301 {10 + minute // 60}:{minute % 60:02}:00.000000    1 kubelet.go:7] {message}\n"


def log(*complaints: int, minutes: int) -> str:
    """A log of so many minutes that complains in some of them."""
    return "".join(
        line(minute, COMPLAINT if minute in complaints else ALL_IS_WELL)
        for minute in range(minutes)
    )


def times(
    text: str, channel: str = "log", passing: tuple[str, ...] = (LOOKUP,), ended_by: str = ""
) -> int:
    one = scanner(passing=passing, ended_by=ended_by)
    one.scan_blocks(iter([text.encode()]), Frame("x.log", None, channel))
    return sum(heard.times for heard in one.finish())


def test_one_complaint_in_a_log_that_goes_on_is_over() -> None:
    assert times(log(3, minutes=60)) == 0


def test_one_complaint_at_the_end_may_not_be_the_last() -> None:
    assert times(log(55, minutes=60)) == 1


def test_a_complaint_that_comes_often_lasts() -> None:
    assert times(log(*range(0, 45, 5), minutes=60)) == 9


def test_a_complaint_now_and_then_over_a_day_is_over() -> None:
    assert times(log(*range(0, 700, 60), minutes=720)) == 0


def test_other_names_in_each_complaint_are_one_complaint_that_lasts() -> None:
    lines = log(minutes=60).splitlines(keepends=True)
    for minute in range(0, 45, 5):
        lines[minute] = line(minute, f"dial tcp: lookup esx{minute}.lab.local: no such host")
    assert times("".join(lines)) == 9


def test_what_is_not_said_to_pass_stays_however_long_ago() -> None:
    assert times(log(3, minutes=600), passing=(BUDGET,)) == 1


@pytest.mark.parametrize("channel", ["describe", "document", "log/appliance", "log/cse"])
def test_a_description_or_a_deployment_has_no_later(channel: str) -> None:
    assert times(log(3, minutes=60), channel) == 1


def test_without_times_a_complaint_is_over_when_it_is_rare() -> None:
    calm = "[INFO] 10.244.0.9:4711 - 7 A IN orders.shop.svc.cluster.local. udp NOERROR\n" * 800
    complaint = f"[ERROR] {COMPLAINT}\n"
    assert times(calm + complaint + calm) == 0
    assert times(calm + complaint * 4 + calm) == 4
    assert times(complaint) == 1


def test_writers_with_and_without_a_year_are_compared() -> None:
    dated = "2026-03-01T10:00:00Z " + COMPLAINT + "\n"
    assert times(dated + log(minutes=60)) == 0
    assert times(log(minutes=60) + "2026-03-01T10:59:30Z " + COMPLAINT + "\n") == 1


def test_a_small_text_that_is_no_log_by_its_looks_is_judged_as_well() -> None:
    prefixed = "".join(f"[pod/x/app] {one}\n" for one in log(3, minutes=60).splitlines())
    assert times(prefixed) == 0


def test_a_word_of_success_after_it_ends_a_complaint_at_once() -> None:
    ready = line(2, "Envoy proxy is ready")
    assert times(line(1, COMPLAINT) + ready, passing=(), ended_by="proxy is ready") == 0
    assert times(line(1, COMPLAINT) + ready, passing=()) == 1


def test_a_word_of_success_before_it_ends_nothing() -> None:
    ready = line(0, "Envoy proxy is ready")
    assert times(ready + line(1, COMPLAINT), passing=(), ended_by="proxy is ready") == 1
    again = line(1, COMPLAINT) + line(2, "Envoy proxy is ready") + line(3, COMPLAINT)
    assert times(again, passing=(), ended_by="proxy is ready") == 2


def test_the_words_of_a_complaint_are_none_of_success() -> None:
    denied = line(1, COMPLAINT + ": no proxy is ready")
    assert times(denied, passing=(), ended_by="proxy is ready") == 1
    assert times(denied + line(2, "proxy is ready"), passing=(), ended_by="proxy is ready") == 0


def test_a_complaint_before_a_word_of_success_is_over() -> None:
    assert times(line(1, COMPLAINT) + line(2, "connected to esx.lab.local")) == 0
    assert times(line(1, "connected to esx.lab.local") + line(2, COMPLAINT)) == 1
    assert times(line(1, COMPLAINT) + line(2, "failed to complete successfully")) == 1
    assert times(line(1, COMPLAINT) + line(2, "ContainerNotRunning: was connected before")) == 1
    assert times(line(1, COMPLAINT) + line(2, "last connected 21 days ago")) == 1


def test_a_deed_with_a_good_end_had_no_trouble_that_lasts() -> None:
    assert times(f"{COMPLAINT}\n+ sleep 5\n+ exit 0\n", "log/cse") == 0
    assert times(f"{COMPLAINT}\n+ sleep 5\n+ exit 50\n", "log/cse") == 1


@pytest.mark.parametrize(
    "told",
    [
        "After I restart the pods it is up again, until the next time.",
        "When I delete the pod, the new one connected successfully for a while.",
        "After a restart everything is healthy again.",
        "We have recovered it twice by hand.",
        "Why is it that the other cluster connected?",
    ],
)
def test_what_a_person_tells_of_a_later_time_ends_nothing(told: str) -> None:
    assert times(f"{COMPLAINT}\n{told}\n") == 1


@pytest.mark.parametrize(
    "said",
    [
        "successfully reconnected after 3 attempts",
        "2026-05-01T10:00:07Z INFO connected to the leader after a new one was elected",
    ],
)
def test_what_a_program_says_of_a_later_time_ends_it(said: str) -> None:
    assert times(f"{COMPLAINT}\n{said}\n") == 0

"""Messages are heard many at once, and told apart."""

from scan_kit import facts, scanner  # type: ignore[import-not-found]

from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import kube


def message(text: str, pod: str = "web", at: str = "", times: int = 1) -> Text:
    return Text(
        text, Origin("events.json", f"$.items[{pod}]"), kube("Pod", "shop", pod), "event", at, times
    )


def test_messages_about_different_things_are_different_hits() -> None:
    one = scanner()
    one.add(message("lookup a.lab: no such host", "web"))
    one.add(message("lookup a.lab: no such host", "api"))
    assert [found.text.about for found in one.finish()] == [
        kube("Pod", "shop", "api"),
        kube("Pod", "shop", "web"),
    ]


def test_messages_keep_their_own_count_and_times() -> None:
    one = scanner()
    one.add(message("lookup a.lab: no such host", at="2026-03-02T00:00:00Z", times=7))
    one.add(message("lookup a.lab: no such host", at="2026-03-01T00:00:00Z", times=5))
    [found] = one.finish()
    assert (found.times, found.first, found.last) == (
        12,
        "2026-03-01T00:00:00Z",
        "2026-03-02T00:00:00Z",
    )


def test_a_message_is_not_dated_by_a_time_that_it_quotes() -> None:
    one = scanner()
    one.add(message("lookup a.lab: no such host since 2020-01-01T00:00:00Z"))
    assert [found.first for found in one.finish()] == [""]


def test_messages_are_told_apart_whatever_they_contain() -> None:
    one = scanner()
    hostile = ("", "\x1e", "\x1e\x1f\n\x1e", "lookup a.lab", "no such host", "\ud800", "é" * 70_000)
    for number, text in enumerate(hostile):
        one.add(message(text, f"pod-{number}"))
    one.add(message("lookup a.lab: no such host", "ill"))
    assert [found.text.about for found in one.finish()] == [kube("Pod", "shop", "ill")]


def test_a_message_longer_than_a_record_is_heard_in_all_its_parts() -> None:
    one = scanner()
    one.add(message("x " * 90_000 + "lookup a.lab: no such host" + " y" * 90_000))
    assert facts(one.finish()) == [{"host": "a.lab"}]


def test_thousands_of_messages_are_heard_in_blocks() -> None:
    one = scanner()
    for number in range(20_000):
        one.add(
            message(f"Pulled image {number}" if number % 1_000 else "lookup a.lab: no such host")
        )
    assert [found.times for found in one.finish()] == [20]

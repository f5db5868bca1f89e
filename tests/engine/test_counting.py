"""What is counted are records, however many signatures of a rule are heard in one."""

import time

import pytest
from rule_kit import HEARD, Book, finding, rule  # type: ignore[import-not-found]
from scan_kit import ALL, klog, log, matcher  # type: ignore[import-not-found]

from sickbay.bundle.frame import Frame
from sickbay.bundle.unwrap import normal
from sickbay.engine import hyper
from sickbay.engine.confirm import Pattern
from sickbay.engine.findings import Finding, fold
from sickbay.engine.hearing import from_hits
from sickbay.engine.scan import Heard, Scanner
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import kube
from sickbay.rulekit.signature import Signature

BOTH = 'lookup a.lab: no such host; Failed to pull image "x"'
LOOKUP_ONLY = "lookup a.lab: no such host"
PULL_ONLY = 'Failed to pull image "x"'
POD = kube("Pod", "shop", "web")
SIGNATURES = tuple(Signature(pattern, "", "", "") for pattern in ALL)
BOOK = Book(
    one=rule(*(HEARD._replace(pattern=pattern) for pattern in ALL), remedy=()),
)


def one_rule(_number: int) -> int:
    return 0


def hearing() -> Scanner:
    return Scanner(matcher(hyper), SIGNATURES.__getitem__, one_rule)


def heard_in_log(text: str) -> list[Heard]:
    scanner = hearing()
    scanner.scan_blocks(iter([text.encode()]), Frame("kubelet.log", POD, "log", 2026))
    return scanner.finish()


def heard_in_messages(*messages: str) -> list[Heard]:
    scanner = hearing()
    for number, message in enumerate(messages):
        scanner.add(Text(message, Origin("events.json", f"$.items[{number}]"), POD, "event"))
    return scanner.finish()


def counted(heard: list[Heard]) -> int:
    (one,) = fold(BOOK, from_hits(BOOK, heard))
    found: Finding = one
    return found.times


def test_a_message_in_which_two_signatures_of_a_rule_are_heard_counts_once() -> None:
    assert counted(heard_in_messages(BOTH)) == 1


def test_a_record_in_which_two_signatures_of_a_rule_are_heard_counts_once() -> None:
    assert counted(heard_in_log(log("calm", BOTH, "calm"))) == 1


def test_two_lines_of_one_record_count_once() -> None:
    record = klog(f"{LOOKUP_ONLY}\n  {PULL_ONLY}")
    assert counted(heard_in_log(record + klog("calm", 1) + record)) == 2


@pytest.mark.parametrize(
    ("messages", "records"),
    [
        ((BOTH, BOTH, BOTH), 3),
        ((BOTH, LOOKUP_ONLY, PULL_ONLY), 3),
        ((LOOKUP_ONLY, PULL_ONLY), 2),
        ((PULL_ONLY, BOTH, PULL_ONLY, BOTH), 4),
    ],
)
def test_every_record_counts(messages: tuple[str, ...], records: int) -> None:
    assert counted(heard_in_messages(*messages)) == records
    assert counted(heard_in_log(log("calm", *messages, "calm"))) == records


def test_signatures_of_two_rules_each_count_the_record() -> None:
    scanner = Scanner(matcher(hyper), SIGNATURES.__getitem__)
    scanner.add(Text(BOTH, Origin("events.json", "$.items[0]"), POD, "event"))
    assert [(one.times, one.shared) for one in scanner.finish()] == [(1, 0), (1, 0)]


def test_a_finding_that_stands_alone_counts_its_shared_records() -> None:
    pods = [kube("Pod", "shop", f"web-{number}") for number in range(2)]
    book = Book(one=rule())
    found = fold(book, [finding("one", pod, times=5, shared=n * 5) for n, pod in enumerate(pods)])
    assert [one.times for one in found] == [5, 5]


def test_many_signatures_bring_a_long_record_into_normal_form_once() -> None:
    text = 'a \\"word\\"\t' * 6_000
    patterns = [Pattern(f"no such word {number}") for number in range(150)]
    began = time.process_time()
    normal(text)
    once = time.process_time() - began
    began = time.process_time()
    for pattern in patterns:
        pattern.in_whole(text)
    assert time.process_time() - began < 50 * once

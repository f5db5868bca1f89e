"""What was heard becomes a finding: whose it is, and what it says."""

from typing import Any

import pytest
from rule_kit import HEARD, Book, rule  # type: ignore[import-not-found]

from sickbay.engine.findings import Finding
from sickbay.engine.hearing import from_hits
from sickbay.engine.ledger import Heard
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, arm, kube

SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n"
BOOK = Book(
    any=rule(HEARD),
    event=rule(HEARD._replace(channels=("event", "log/kubelet"))),
    unless=rule(HEARD._replace(unless="on purpose")),
    named=rule(HEARD._replace(says="{pod} broke at {hour}")),
)
NUMBERS = {id: number for number, id in enumerate(BOOK)}


def heard(id: str, line: str = "it broke", channel: str = "", **fields: Any) -> list[Finding]:
    about = fields.pop("about", None)
    facts = tuple(fields.pop("facts", {}).items())
    text = Text(line, Origin("logs/x.log", "line 3"), about, channel)
    return from_hits(BOOK, [Heard(NUMBERS[id], facts, text, line, 0, ())])


def test_a_text_is_about_what_its_reader_says() -> None:
    about = kube("Node", "", "n1")
    (one,) = heard("any", f"it broke on {SUBNET}", about=about)
    assert one.subject == about


def test_else_about_the_resource_that_was_captured() -> None:
    (one,) = heard("any", facts={"resource": SUBNET})
    assert one.subject == arm(SUBNET)


def test_else_about_the_object_that_was_captured() -> None:
    (one,) = heard("any", facts={"pod": "web-0", "namespace": "shop"})
    assert one.subject == kube("Pod", "shop", "web-0")


def test_a_pod_without_a_namespace_is_nobody() -> None:
    (one,) = heard("any", facts={"pod": "web-0"})
    assert one.subject.kind == "text"


def test_else_about_what_the_text_itself_names() -> None:
    (one,) = heard("any", f"it broke on {SUBNET}")
    assert one.subject == arm(SUBNET)


def test_else_about_the_file() -> None:
    (one,) = heard("any")
    assert one.subject == Ref("text", "logs/x.log")


@pytest.mark.parametrize(
    ("channel", "is_meant"),
    [("event", True), ("log/kubelet", True), ("", True), ("pasted", True), ("condition", False)],
)
def test_a_signature_speaks_of_its_channels(channel: str, is_meant: bool) -> None:
    assert bool(heard("event", channel=channel)) is is_meant


def test_a_text_that_is_another_matter_is_left_out() -> None:
    assert heard("unless", "it broke on purpose") == []
    assert len(heard("unless", "it broke by itself")) == 1


def test_the_facts_fill_what_it_says() -> None:
    (one,) = heard("named", about=kube("Pod", "shop", "web-0"), facts={"hour": "noon"})
    assert one.says == "web-0 broke at noon"


def test_a_long_record_is_quoted_in_part() -> None:
    (one,) = heard("any", "it broke " + "x" * 5000)
    assert len(one.evidence[0].text) == 600

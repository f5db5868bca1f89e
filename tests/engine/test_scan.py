"""Signatures are heard in logs and pasted texts, once for each record."""

import json

import pytest
from scan_kit import facts, heard, klog, log, scanner  # type: ignore[import-not-found]

from sickbay.bundle.frame import Frame
from sickbay.engine import hyper, re2set
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import arm


def test_a_hit_says_where_when_and_what() -> None:
    [one] = heard(log("calm", "dial tcp: lookup esx.lab: no such host", "calm"))
    assert (one.signature, one.facts, one.times) == (0, (("host", "esx.lab"),), 1)
    assert one.text.origin == Origin("kubelet.log", "line 2")
    assert (one.first, one.last, one.text.at) == ("2026-03-01T10:00:01Z",) * 3
    assert one.text.text.startswith("E0301 10:00:01")


def test_a_calm_log_says_nothing() -> None:
    assert heard(log(*["all is well"] * 500)) == []


def test_repeats_are_one_hit_with_a_count_and_both_times() -> None:
    [one] = heard(log(*["lookup esx.lab: no such host"] * 30))
    assert (one.times, one.first, one.last) == (30, "2026-03-01T10:00:00Z", "2026-03-01T10:00:29Z")


def test_other_captures_are_other_hits() -> None:
    found = heard(log("lookup a.lab: no such host", "lookup b.lab: no such host"))
    assert facts(found) == [{"host": "a.lab"}, {"host": "b.lab"}]


def test_one_record_says_a_thing_once_however_many_of_its_lines_do() -> None:
    record = klog(
        "lookup a.lab: no such host\n  lookup a.lab: no such host\n  lookup a.lab: no such host"
    )
    [one] = heard(record + klog("calm", 1) + record)
    assert one.times == 2


def test_a_record_over_several_lines_is_read_as_one() -> None:
    [one] = heard(
        log("calm", 'err=<\n  Code="SubnetIsFull"\n  Message="Subnet a has no room"\n >', "calm")
    )
    assert (one.facts, one.text.origin.locator) == ((("subnet", "a"),), "line 2")


def test_the_innermost_error_speaks_and_its_carriers_are_named() -> None:
    inner = json.dumps({"error": {"code": "SubnetIsFull", "message": "Subnet a has no room"}})
    body = json.dumps({"error": {"code": "DeploymentFailed", "message": inner}})
    [one] = heard(log("calm", body, "calm"))
    assert (one.layer, one.carriers) == (
        "SubnetIsFull: Subnet a has no room",
        ("DeploymentFailed",),
    )
    assert one.depth > 0


def test_a_message_before_its_code_is_heard_too() -> None:
    body = json.dumps({"message": "Subnet a has no room", "code": "SubnetIsFull"})
    assert facts(heard(log("calm", body, "calm"))) == [{"subnet": "a"}]


def test_escaped_quotes_are_no_obstacle() -> None:
    once = json.dumps('Failed to pull image "a.io/b:1"')
    twice = json.dumps(f"err={json.dumps('Failed to pull image ' + json.dumps('a.io/b:2'))}")
    found = heard(log(once, twice, "calm"))
    assert facts(found) == [{"image": "a.io/b:1"}, {"image": "a.io/b:2"}]


def test_a_near_miss_is_not_heard() -> None:
    assert heard(log("lookup esx.lab: server misbehaving, no such luck", "no such host")) == []


@pytest.mark.parametrize("space", ["\n", "\n    ", "\r\n", "\n│ ", "\t", "  ", "\\n", "\u00a0"])
def test_a_pasted_text_is_heard_however_a_terminal_wrapped_it(space: str) -> None:
    wrapped = "Error: cannot evict: would violate the pod's disruption budget".replace(" ", space)
    assert [one.signature for one in heard(wrapped, channel="pasted")] == [3]


def test_colours_are_taken_off() -> None:
    found = heard(log("calm", "\x1b[31mlookup\x1b[0m a.lab: no such \x1b[1mhost\x1b[0m", "calm"))
    assert facts(found) == [{"host": "a.lab"}]


def test_line_numbers_stay_right_when_a_block_is_cleaned() -> None:
    [one] = heard(log("\x1b[31mcalm\x1b[0m", "&quot;calm&quot;", "lookup a.lab: no such host"))
    assert one.text.origin.locator == "line 3"


@pytest.mark.parametrize(
    "record",
    [
        '{"ExitCode": "50", "Output": "no outbound connection", "Error": ""}',
        "state=%7B%22code%22%3A%22SubnetIsFull%22%2C%22message%22%3A%22Subnet%20a%20has%20none%22%7D",
        "<html><body><h1>lookup a.lab</h1><p>no<br>such<br>host</p></body></html>",
    ],
)
def test_a_disguised_record_is_read_layer_by_layer(record: str) -> None:
    assert len(heard(log("calm", record, "calm"))) == 1


def test_bytes_that_are_no_text_do_no_harm() -> None:
    broken = (
        klog("x").encode()
        + b"E0301 10:00:01.0 1 a.go:1] \xff\xfe lookup a.lab: no such host \xc3\n"
    )
    assert facts(heard(broken + klog("y", 2).encode())) == [{"host": "a.lab"}]


def test_a_record_across_the_border_of_large_blocks_is_found_once_and_whole() -> None:
    filler = klog("calm") * 30_000
    text = (filler + klog("lookup a.lab\n\n  says: no such host") + filler).encode()
    at = text.index(b"lookup")
    [whole] = heard(text)
    assert whole.text.origin.locator == "line 30001"
    assert all(heard(text[:cut], text[cut:]) == [whole] for cut in range(at - 50, at + 50, 5))


def test_one_endless_line_is_read_in_bounded_pieces() -> None:
    piece = b"x" * 700_000 + b" lookup a.lab: no such host " + b"y" * 700_000
    [one] = heard(*[piece] * 4)
    assert (one.times >= 4, len(one.text.text) <= 65_536) == (True, True)


def test_too_many_kinds_are_counted_together_and_it_says_so() -> None:
    found = heard(log(*[f"lookup host-{n}.lab: no such host" for n in range(2_000)]))
    assert sum(one.times for one in found) == 2_000
    assert (len(found) < 600, sum(one.is_rest for one in found)) == (True, 1)


def test_the_order_of_texts_makes_no_difference() -> None:
    texts = [
        log("lookup a.lab: no such host", f'Failed to pull image "a.io/{n}"') for n in range(4)
    ]
    answers = []
    for order in (texts, texts[::-1]):
        one = scanner()
        for text in order:
            one.scan_blocks([text.encode()], Frame(f"{texts.index(text)}.log", None, "log", 2026))
        answers.append(one.finish())
    assert answers[0] == answers[1]


def test_the_order_of_messages_makes_no_difference_to_what_is_quoted() -> None:
    """What is learnt of the first message of a shape is told of the others."""
    body = '{"code": "SubnetIsFull", "level": "Error", "message": "Subnet a has no room"}'
    texts = [
        Text(body, Origin(f"{number}.json", "$"), arm(f"/subscriptions/s/resourceGroups/{number}"))
        for number in range(4)
    ]
    answers = []
    for order in (texts, texts[::-1]):
        one = scanner()
        for text in order:
            one.add(text)
        answers.append(one.finish())
    assert len(answers[0]) == len(texts)
    assert answers[0] == answers[1]


CORPUS = log(
    "calm",
    "lookup a.lab: no such host",
    'Failed to pull image \\"a.io/b:1\\"',
    "would violate the pod's disruption budget",
    '{"code":"SubnetIsFull","message":"Subnet a has no room"}',
    "lookup b.lab: no such luck",
    "no such host",
    '{"ExitCode": "50", "Output": "no outbound"}',
    "\x1b[31mSubnetIsFull\x1b[0m: Subnet b has none",
)


def test_both_engines_hear_the_same() -> None:
    text = CORPUS * 40
    assert heard(text, engine=re2set) == heard(text, engine=hyper)
    assert len(heard(CORPUS)) == 6


def test_a_damaged_database_is_refused() -> None:
    with pytest.raises(ValueError, match="not a database"):
        hyper.Matcher(b"junk")


def test_the_identity_of_an_engine_is_stable() -> None:
    assert hyper.identity() == hyper.identity() != re2set.identity()

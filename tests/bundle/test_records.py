"""Records begin where their writer began them, and keep all of their lines."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sickbay.bundle.records import record_at, split

HEADERS = (
    "E0302 21:54:54.260693       1 deleg.go:144] setup failed",
    "I2025-05-25T21:13:41Z] cache_redis x",
    "2026-01-02T03:04:05.678Z something",
    "2026-01-02 03:04:05,678 ERROR something",
    "2026/01/02 03:04:05 [error] something",
    "[2026-01-02 03:04:05] something",
    "Mar  2 21:54:54 host kernel: something",
    "Fri Oct 15 10:06:00 UTC something",
    "10/25/2026 9:03:11 PM something",
    "15:04:05.123 [main] ERROR something",
    'time="2026-01-02T03:04:05Z" level=error msg=x',
    "level=error ts=2026 msg=x",
    '{"level":"error","ts":"2026-01-02T03:04:05Z","msg":"x"}',
    '{"msg":"x","time":"2026-01-02T03:04:05Z"}',
    "[ERROR] plugin/errors: 2 x. A: read udp",
    "[  123.456789] Out of memory",
    '10.0.0.1 - - [02/Jan/2026:15:04:05 +0000] "GET / HTTP/1.1" 200',
    "2026-01-02T03:04:05.678901234Z stdout F something",
    "ERROR: (Conflict) something",
    "cli.azure.cli.core: Command arguments",
    "  Warning  FailedMount  74s (x3 over 5m)  kubelet  MountVolume failed",
    "32m         Warning   Drain      node/n1   Eviction blocked",
    "default   5m39s   Warning   BackOff   pod/x   Back-off",
    "[pod/web-0/web] something",
    "$ kubectl get pods",
)


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_starts_a_record(header: str) -> None:
    text = f"{header}\n{header}\n"
    assert list(split(text)) == [(1, header), (2, header)]


CONTINUATIONS = (
    "    at com.example.Main(Main.java:1)",
    "\tat main.go:17",
    "Caused by: it broke",
    "goroutine 1 [running]:",
    "Error: connect ECONNREFUSED",
    "plain words",
    "}",
)


@pytest.mark.parametrize("line", CONTINUATIONS)
def test_a_line_without_a_header_belongs_to_the_record_before(line: str) -> None:
    text = f"2026-01-02T03:04:05Z one\n{line}\n2026-01-02T03:04:06Z two"
    assert next(split(text))[1] == f"2026-01-02T03:04:05Z one\n{line}"


WHOLE = {
    "a block of klog": 'E1115 22:34:13.6 1 r.go:1] "x" err=<\n\tone\n\n\ttwo\n > name="n"',
    "a response of azcore": (
        "E1115 22:34:13.6 1 r.go:1] deleting: DELETE https://x\n--------\nRESPONSE 400: 400 Bad\n"
        'ERROR CODE: X\n--------\n{\n  "error": {\n\n    "code": "X"\n  }\n}\n--------'
    ),
    "output of an extension": (
        'failed with exit status=50\n[stdout]\n{\n"ExitCode": "50"\n}\n\n[stderr]\nnc: failed'
    ),
    "code and message apart": 'Code="Invalid"\n\nMessage="It is wrong."\n\nTarget="vmSize"',
    "an object over lines": '{\n  "code": "X",\n\n  "message": "y"\n}',
    "a paragraph": "Failed to save the service.\nError: no workspace.\nResource ID: /x",
    "a paragraph broken by a terminal": "(X123) It failed with the following\nerror: [y]",
    "a box of terraform": '│ Error: creating x\n│ \n│ Code: "Y"\n│ \n│   with z',
    "lines of a container": (
        "2026-01-02T03:04:05.6Z stderr F panic: x\n2026-01-02T03:04:05.6Z stderr F \tmain.go:1\n"
        "2026-01-02T03:04:05.6Z stderr F "
    ).rstrip(),
    "parts of a container's line": (
        "2026-01-02T03:04:05.6Z stdout P first half,\n2026-01-02T03:04:05.6Z stdout F second half"
    ),
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE.keys())
def test_a_record_keeps_its_lines(text: str) -> None:
    assert list(split(text)) == [(1, text)]


def test_az_leaves_a_blank_line_before_its_traceback() -> None:
    text = "az: Here is the traceback:\n\n'x'\nTraceback (most recent call last):\nKeyError: 'x'"
    assert list(split(f"{text}\n\nelse")) == [(1, text), (7, "else")]


def test_a_blank_line_ends_a_paragraph() -> None:
    assert list(split("one\ntwo\n\nthree\n")) == [(1, "one\ntwo"), (4, "three")]


def test_boxes_are_records_and_their_edges_are_no_text() -> None:
    text = "╷\n│ Error: a\n│ \n│ b\n╵\n╷\n│ Error: c\n╵\n"
    assert list(split(text)) == [(2, "│ Error: a\n│ \n│ b"), (7, "│ Error: c")]


def test_boxes_that_lost_their_edges_are_still_apart() -> None:
    assert len(list(split("│ Error: a\n│ b\n│ Error: c"))) == 2


def test_documents_one_a_line_are_records() -> None:
    assert len(list(split('{"kind":"Event"}\n{"kind":"Event"}\n'))) == 2


def test_program_errors_in_a_row_are_records() -> None:
    assert len(list(split("Error: one\nError: two\n"))) == 2


def test_an_answer_of_the_server_is_apart_from_the_command() -> None:
    assert [line for line, _ in split("kubectl get ns\nError from server (X): y\n")] == [1, 2]


def test_an_answer_of_az_is_apart_from_a_command_without_a_prompt() -> None:
    text = "az aks create -g rg -n shop\n(BadRequest) No.\nCode: BadRequest\n"
    assert [line for line, _ in split(text)] == [1, 2]


def test_windows_line_ends_are_no_part_of_a_record() -> None:
    assert list(split("one\r\n\r\ntwo\r\n")) == [(1, "one"), (3, "two")]


def test_an_empty_text_has_no_records() -> None:
    assert list(split("\n \n")) == []


LOG = b"".join(
    b"2026-01-02T03:04:%02dZ message %d\n    detail of %d\n" % (at % 60, at, at)
    for at in range(999)
)


@pytest.mark.parametrize("at", [0, 1, 17, 500, 998])
def test_a_record_is_found_around_an_offset(at: int) -> None:
    start, end = record_at(LOG, LOG.index(b"detail of %d\n" % at))
    assert LOG[start:end] == LOG.splitlines()[2 * at] + b"\n" + LOG.splitlines()[2 * at + 1]


def test_a_record_is_found_in_any_kind_of_buffer() -> None:
    assert record_at(bytearray(LOG), 500) == record_at(memoryview(LOG), 500) == record_at(LOG, 500)


def test_a_record_longer_than_the_first_look_is_found_whole() -> None:
    record = b"2026-01-02T03:04:05Z x\n" + b"  line\n" * 3000
    text = b"2026-01-02T03:04:04Z w\n" + record + b"2026-01-02T03:04:06Z y\n"
    start, end = record_at(text, 12_000)
    assert text[start:end] == record.rstrip()


def test_a_line_without_end_is_cut_around_the_offset() -> None:
    start, end = record_at(b"x" * 10_000_000, 5_000_000)
    assert end - start == 65_536
    assert start < 5_000_000 < end


def test_a_cut_does_not_split_a_character() -> None:
    text = ("é" * 400_000).encode()
    start, end = record_at(text, 300_001)
    assert text[start:end].decode("utf-8", "ignore").startswith("é")
    assert start % 2 == 0


def test_an_offset_between_records_holds_none() -> None:
    assert record_at(b"one\n\n\n\ntwo", 5) == (5, 5)


@pytest.mark.parametrize("offset", [-1, 0, 3, 99])
def test_an_offset_outside_is_moved_to_the_edge(offset: int) -> None:
    start, end = record_at(b"one", offset)
    assert (start, end) == (0, 3)


_LINES = st.lists(
    st.sampled_from(
        [
            "",
            "prose",
            "  indented",
            "{",
            "}",
            '{"a": 1}',
            *HEADERS[:6],
            "Error: x",
            "│ x",
            "╷",
            "err=<",
            " >",
        ]
    ),
    max_size=25,
)


@given(_LINES, st.data())
@settings(max_examples=150, deadline=None)
def test_split_and_record_at_agree(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    encoded = text.encode()
    records = list(split(text))
    assume(records)
    number, record = data.draw(st.sampled_from(records))
    start = len("\n".join(["", *lines[: number - 1]]).encode())
    end = start + len(record.encode())
    assert record_at(encoded, data.draw(st.integers(start, end - 1))) == (start, end)

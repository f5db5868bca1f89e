"""Streams are cut where records end."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from scan_kit import log  # type: ignore[import-not-found]

from sickbay.bundle.records import record_at, split
from sickbay.engine.blocks import Stretch, begins_record, lines_between, whole_records

TEXT = (
    log("calm", "more\n  of it\n\n  and more", "err=<\n a\n >", "calm\n\n", "{\n}") * 9
).encode()


def stretches(text: bytes, cuts: list[int], size: int) -> list[Stretch]:
    edges = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    return list(whole_records([text[a:b] for a, b in itertools.pairwise(edges)], size))


CUTS = st.lists(st.integers(0, len(TEXT)), max_size=30)


@settings(max_examples=40, deadline=None)
@given(CUTS, st.integers(10, 400))
def test_stretches_hold_every_byte_once(cuts: list[int], size: int) -> None:
    found = stretches(TEXT, cuts, size)
    assert b"".join(one.data[one.origin : one.following] for one in found) == TEXT


@settings(max_examples=40, deadline=None)
@given(CUTS, st.integers(10, 400))
def test_no_record_is_cut(cuts: list[int], size: int) -> None:
    pieces = [one.data[one.begin : one.end].decode() for one in stretches(TEXT, cuts, size)]
    records = [record for piece in pieces for _, record in split(piece)]
    assert records == [record for _, record in split(TEXT.decode())]


def test_an_endless_record_is_cut_into_overlapping_pieces() -> None:
    text = b"x" * 1_000_000
    found = stretches(text, list(range(0, len(text), 70_000)), 100_000)
    assert sum(one.end - one.begin for one in found) == len(text)
    assert all(len(one.data) < 400_000 for one in found)
    assert all(one.begin >= 32_768 for one in found[1:])


@given(st.integers(0, 9_000), st.integers(0, 9_000))
def test_line_ends_are_counted(start: int, end: int) -> None:
    data = TEXT * 4
    assert lines_between(data, start, end) == data[start:end].count(b"\n")


def test_a_line_that_begins_a_record_at_a_glance_begins_one_at_a_closer_look() -> None:
    lines = [
        "E0301 10:00:00.000000    1 a.go:7] x",
        "2026-03-01T10:00:00Z stderr F x",
        "2026-03-01T10:00:00Z stderr P x",
        "2026-03-01T10:00:00Z stderr F   x",
        "2026-03-01T10:00:00Z stdout F }",
        "2026-03-01 10:00:00,123 x",
        "2026/03/01 10:00:00 [error] x",
        "Mar  1 10:00:00 host kernel: x",
        "Max 11 10:00:00 x",
        'time="2026-03-01T10:00:00Z" level=info',
        '{"level":"info","ts":1}',
        "  indented",
        "prose",
        "{",
        "}",
    ]
    text = "\n".join(f"{a}\n{b}" for a in lines for b in lines).encode()
    starts = [0, *(at + 1 for at in range(len(text)) if text[at : at + 1] == b"\n")]
    glanced = [start for start in starts if begins_record(text, start)]
    assert glanced
    assert all(record_at(text, start)[0] == start for start in glanced)

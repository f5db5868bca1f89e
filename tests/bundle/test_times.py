"""Timestamps of all writers come out as RFC 3339 in UTC, or not at all."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.times import normal, time_in

RECORDS = {
    "rfc 3339": ("2026-01-02T03:04:05Z failed", "2026-01-02T03:04:05Z"),
    "seven digits": ("2026-01-02T03:04:05.1239999Z x", "2026-01-02T03:04:05.123Z"),
    "a fraction below a millisecond": ("2026-01-02T03:04:05.0004Z x", "2026-01-02T03:04:05Z"),
    "an offset": ("2026-01-02T01:04:05+02:00 x", "2026-01-01T23:04:05Z"),
    "an offset without its colon": ("2026-01-02 03:04:05,5 -0730", "2026-01-02T10:34:05.500Z"),
    "go": ("2026-01-02 15:04:05.5 +0000 UTC m=+0.1", "2026-01-02T15:04:05.500Z"),
    "slashes": ("2026/01/02 15:04:05 [error] x", "2026-01-02T15:04:05Z"),
    "logfmt": ('time="2026-01-02T03:04:05Z" level=info', "2026-01-02T03:04:05Z"),
    "containerd": ("2026-01-02T03:04:05.6Z stdout F x", "2026-01-02T03:04:05.600Z"),
    "controller test log": ("I2025-05-25T21:13:41Z] cache_redis x", "2025-05-25T21:13:41Z"),
    "klog": ("E0302 21:54:54.260693       1 deleg.go:144] x", "2026-03-02T21:54:54.260Z"),
    "syslog": ("Mar  2 21:54:54 host kernel: x", "2026-03-02T21:54:54Z"),
    "ctime": ("Fri Oct 15 10:06:00 UTC 2021,aks-nodepool1", "2021-10-15T10:06:00Z"),
    "rfc 1123": ("Started: Wed, 16 Aug 2023 09:56:37 +0000", "2023-08-16T09:56:37Z"),
    "nginx": ('1.2.3.4 - - [02/Jan/2026:15:04:05 +0100] "GET', "2026-01-02T14:04:05Z"),
    "windows": ("10/25/2026 9:03:11 PM Error", "2026-10-25T21:03:11Z"),
    "windows after midnight": ("10/25/2026 12:03:11 AM Error", "2026-10-25T00:03:11Z"),
    "zap": ('{"level":"info","ts":1748207621.25,"msg":"x"}', "2025-05-25T21:13:41.250Z"),
    "milliseconds": ('{"ts":1748207621250,"msg":"x"}', "2025-05-25T21:13:41.250Z"),
    "az debug": ("cli.azure.cli: [2026-01-02 03:04:05,678] x", "2026-01-02T03:04:05.678Z"),
    "the first of two": (
        "2026-01-02T03:04:05Z began at 2025-01-01T00:00:00Z",
        "2026-01-02T03:04:05Z",
    ),
    "an epoch before a date": (
        '{"ts":1748207621,"msg":"since 2020-01-01T00:00:00Z"}',
        "2025-05-25T21:13:41Z",
    ),
    "a date before an epoch": (
        '{"at":"2020-01-01T00:00:00Z","ts":1748207621}',
        "2020-01-01T00:00:00Z",
    ),
    "a leap second": ("2016-12-31T23:59:60Z x", "2016-12-31T23:59:59Z"),
    "a time without a date": ("at 15:04:05 it failed", ""),
    "a day that does not exist": ("2026-02-30T00:00:00Z x", ""),
    "a time that was never set": ("0001-01-01T00:00:00Z x", ""),
    "the end of time": ("9999-12-31T23:59:59-01:00 x", ""),
    "an address": ("dial tcp 10.0.0.1:443: i/o timeout", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("record", "expected"), RECORDS.values(), ids=RECORDS.keys())
def test_the_time_of_a_record(record: str, expected: str) -> None:
    assert time_in(record, 2026) == expected


@pytest.mark.parametrize("record", ["E0302 21:54:54.260693 1 x.go:1] x", "Mar  2 21:54:54 host x"])
def test_a_time_without_its_year_is_unknown(record: str) -> None:
    assert time_in(record) == ""


VALUES = {
    "az": ("2024-08-30T10:06:07.123456+00:00", "2024-08-30T10:06:07.123Z"),
    "a date": ("2026-03-01", "2026-03-01T00:00:00Z"),
    "an epoch": ("1748207621", "2025-05-25T21:13:41Z"),
    "quoted": ('"2026-01-02T03:04:05Z"', "2026-01-02T03:04:05Z"),
    "describe": ("Wed, 16 Aug 2023 09:56:37 +0000", "2023-08-16T09:56:37Z"),
    "a zone by name": ("2026-01-02 15:04:05 -0700 MST", "2026-01-02T22:04:05Z"),
    "a sentence with a time": ("since 2026-01-02T03:04:05Z", ""),
    "a word": ("now", ""),
    "a number": ("12345", ""),
    "a version": ("1.29.4", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("value", "expected"), VALUES.values(), ids=VALUES.keys())
def test_a_lone_value(value: str, expected: str) -> None:
    assert normal(value) == expected


@given(
    st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2200, 1, 1)),  # noqa: DTZ001
    st.integers(min_value=-14 * 60, max_value=14 * 60),
)
@settings(max_examples=100, deadline=None)
def test_every_offset_leads_to_the_same_moment(moment: datetime, minutes: int) -> None:
    sign = "-" if minutes < 0 else "+"
    offset = f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    found = normal(f"{moment:%Y-%m-%dT%H:%M:%S}{offset}")
    expected = moment.replace(microsecond=0, tzinfo=UTC).timestamp() - minutes * 60
    assert datetime.fromisoformat(found).timestamp() == expected


@given(st.text(alphabet="0123456789-:/T.Z+ JanMeb", max_size=40))
@settings(max_examples=100, deadline=None)
def test_what_comes_out_is_in_normal_form(text: str) -> None:
    found = time_in(text, 2026)
    assert normal(found) == found

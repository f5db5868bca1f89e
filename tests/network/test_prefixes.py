"""Prefix arithmetic, held against the standard library."""

import ipaddress
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.network.prefixes import Overlap, contains, is_same, overlaps, parse, usable

# Few bits vary, so that the prefixes meet often.
V4 = st.builds(
    lambda address, length: f"{ipaddress.IPv4Address(0x0A000000 + address)}/{length}",
    st.integers(0, 0x3FF),
    st.integers(20, 32),
)
V6 = st.builds(
    lambda address, length: f"{ipaddress.IPv6Address((0xFD00 << 112) + address)}/{length}",
    st.integers(0, 0x3FF),
    st.integers(116, 128),
)
ANY = st.one_of(V4, V6)


def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_network(text, strict=False)


@given(ANY)
def test_a_prefix_has_the_bounds_that_the_standard_library_gives(text: str) -> None:
    prefix, expected = parse(text), network(text)
    assert prefix is not None
    assert prefix.version == expected.version
    assert (prefix.first, prefix.last) == (int(expected[0]), int(expected[-1]))
    assert prefix.length == expected.prefixlen


@given(st.text(alphabet="0123456789.:/abf %²", max_size=24))
def test_what_the_standard_library_refuses_is_no_prefix(text: str) -> None:
    try:
        network(text.strip())
    except ValueError:
        assert parse(text) is None


@given(ANY, ANY)
def test_two_prefixes_overlap_exactly_when_the_standard_library_says_so(a: str, b: str) -> None:
    one, other = parse(a), parse(b)
    assert one is not None
    assert other is not None
    same_family = network(a).version == network(b).version
    assert one.overlaps(other) == (same_family and network(a).overlaps(network(b)))


@settings(max_examples=60)
@given(st.lists(ANY, max_size=20))
def test_the_sweep_names_every_prefix_that_meets_another(texts: list[str]) -> None:
    keyed = [(text, number) for number, text in enumerate(texts)]
    touched = {key for found in overlaps(keyed) for key in (found.outer_key, found.inner_key)}
    expected = {
        number
        for text, number in keyed
        for other, another in keyed
        if number != another
        and network(text).version == network(other).version
        and network(text).overlaps(network(other))
    }
    assert touched == expected


@given(st.lists(ANY, max_size=20))
def test_each_overlap_is_a_containment(texts: list[str]) -> None:
    for found in overlaps((text, text) for text in texts):
        assert contains(found.outer, found.inner)


def test_equal_prefixes_overlap_however_they_are_spelled() -> None:
    assert overlaps([("10.0.88.0/24", "a"), ("10.0.88.7/24", "b")]) == [
        Overlap("10.0.88.0/24", "a", "10.0.88.7/24", "b")
    ]
    assert is_same("fd00:0::/64", "fd00::/64")


def test_a_text_that_is_no_prefix_is_left_out() -> None:
    assert overlaps([("10.0.0.0/8", 1), ("10.0.0.0/33", 2), ("", 3), ("ten", 4)]) == []


def test_five_addresses_of_a_subnet_are_taken() -> None:
    assert usable("10.0.0.0/24") == 251
    assert usable("10.0.0.0/30") == 0
    assert usable("nothing") == 0


def test_a_hundred_thousand_prefixes_take_about_a_second() -> None:
    many = [(f"10.{n >> 8 & 255}.{n & 255}.0/{24 + (n >> 16)}", n) for n in range(100_000)]
    start = time.process_time()
    found = overlaps(many)
    assert len(found) == 100_000 - 65_536
    assert time.process_time() - start < 5

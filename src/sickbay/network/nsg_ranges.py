"""Sets of addresses, however many prefixes make them up, and whether they hold another."""

from bisect import bisect_right
from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple

from sickbay.network.prefixes import Prefix, parse


class Match(IntEnum):
    """Whether something applies; of conditions that must all hold the least counts."""

    NO = 0
    MAYBE = 1
    YES = 2


class Ranges(NamedTuple):
    """Stretches of addresses that do not touch, in order: of each its version and two ends."""

    starts: tuple[tuple[int, int], ...] = ()
    ends: tuple[int, ...] = ()

    def holds(self, prefix: Prefix) -> Match:
        """Whether all addresses of a prefix are in here; only some of them is a maybe."""
        at = bisect_right(self.starts, (prefix.version, prefix.last)) - 1
        if at < 0 or self.starts[at][0] != prefix.version or self.ends[at] < prefix.first:
            return Match.NO
        is_whole = self.starts[at][1] <= prefix.first and prefix.last <= self.ends[at]
        return Match.YES if is_whole else Match.MAYBE

    def __bool__(self) -> bool:
        return bool(self.starts)


def ranges(prefixes: Iterable[Prefix | None]) -> Ranges:
    """The addresses of some prefixes; what could not be read as a prefix is left out."""
    starts: list[tuple[int, int]] = []
    ends: list[int] = []
    for version, first, last in sorted(prefix for prefix in prefixes if prefix):
        if starts and starts[-1][0] == version and first <= ends[-1] + 1:
            ends[-1] = max(ends[-1], last)
        else:
            starts.append((version, first))
            ends.append(last)
    return Ranges(tuple(starts), tuple(ends))


def ranges_of(texts: Iterable[str]) -> Ranges:
    return ranges(map(parse, texts))


# What no public service has: private, shared, link-local, loopback, multicast and reserved.
NOT_PUBLIC: Final = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "224.0.0.0/3",
    "::/127",
    "fc00::/7",
    "fe80::/10",
    "ff00::/8",
)
_NOT_PUBLIC: Final = ranges_of(NOT_PUBLIC)


def is_public(prefix: Prefix) -> bool:
    """Whether a prefix has an address that the internet can have."""
    return _NOT_PUBLIC.holds(prefix) is not Match.YES

"""Address prefixes as plain integers: overlap and containment of many, and the room in a subnet."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Final, Generic, NamedTuple, TypeVar

K = TypeVar("K")

_BITS: Final = {4: 32, 6: 128}
_OCTETS: Final = 4
# Azure keeps the first four addresses of a subnet and its last.
AZURE_RESERVED: Final = 5


class Prefix(NamedTuple):
    """The addresses from `first` to `last`; host bits of the text are ignored."""

    version: int
    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def length(self) -> int:
        """The number behind the slash."""
        return _BITS[self.version] - (self.size - 1).bit_length()

    def contains(self, other: "Prefix") -> bool:
        return (
            self.version == other.version and self.first <= other.first and other.last <= self.last
        )

    def overlaps(self, other: "Prefix") -> bool:
        return (
            self.version == other.version and self.first <= other.last and other.first <= self.last
        )


class Overlap(NamedTuple, Generic[K]):
    """A prefix that lies inside another one, or equals it."""

    outer: str
    outer_key: K
    inner: str
    inner_key: K


@lru_cache(maxsize=1 << 16)
def parse(text: str) -> Prefix | None:
    """Read `10.0.0.0/24`, `fd00::/64` or a single address; anything else is None."""
    address, slash, length = text.strip().partition("/")
    version = 6 if ":" in address else 4
    number = _ipv6(address) if version == 6 else _ipv4(address)  # noqa: PLR2004
    bits = _BITS[version]
    kept = _decimal(length, bits) if slash else bits
    if number is None or kept is None:
        return None
    rest = (1 << (bits - kept)) - 1
    return Prefix(version, number & ~rest, number | rest)


def overlaps(prefixes: Iterable[tuple[str, K]]) -> list[Overlap[K]]:
    """Find every prefix that lies inside another: each once, with the narrowest that holds it.

    Two prefixes never cross: one holds the other or they are apart. So after sorting, the ones that
    hold the current one are a stack, and one pass finds them. A text that is no prefix is left out.
    """
    parsed = [(parse(text), text, key) for text, key in prefixes]
    known = [(prefix, text, key) for prefix, text, key in parsed if prefix]
    known.sort(key=lambda item: (item[0].version, item[0].first, -item[0].last))
    found: list[Overlap[K]] = []
    around: list[tuple[Prefix, str, K]] = []
    for prefix, text, key in known:
        while around and not around[-1][0].contains(prefix):
            around.pop()
        if around:
            _, outer, outer_key = around[-1]
            found.append(Overlap(outer, outer_key, text, key))
        around.append((prefix, text, key))
    return found


def contains(outer: str, inner: str) -> bool:
    """Whether one prefix holds all addresses of another; false when either is no prefix."""
    one, other = parse(outer), parse(inner)
    return one is not None and other is not None and one.contains(other)


def is_same(one: str, other: str) -> bool:
    """Whether two texts name the same addresses, however they are spelled."""
    prefix = parse(one)
    return prefix is not None and prefix == parse(other)


def usable(text: str) -> int:
    """How many addresses of an Azure subnet a machine can have; 0 when the text is no prefix."""
    prefix = parse(text)
    return max(prefix.size - AZURE_RESERVED, 0) if prefix else 0


def _ipv4(text: str) -> int | None:
    octets = text.split(".", _OCTETS)
    if len(octets) != _OCTETS:
        return None
    number = 0
    for octet in octets:
        value = _decimal(octet, 255)
        if value is None or (len(octet) > 1 and octet[0] == "0"):
            return None
        number = number << 8 | value
    return number


def _ipv6(text: str) -> int | None:
    if "%" in text:
        return None
    try:
        return int(IPv6Address(text))
    except ValueError:
        return None


def _decimal(text: str, most: int) -> int | None:
    if not 1 <= len(text) <= 3 or not (text.isascii() and text.isdigit()):  # noqa: PLR2004
        return None
    value = int(text)
    return value if value <= most else None

"""Addresses in place of addresses: what lay in one prefix still lies in one prefix.

Private and other special addresses identify nobody and stay. A public address keeps its last octet
(of IPv6 its last 64 bits); each bit before is flipped or not by a keyed hash of the bits in front
of it, so that containment, overlap, prefix lengths and distances within a /24 stay true.
"""

import hashlib
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Final

Address = IPv4Address | IPv6Address

_SPECIAL: Final = (
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
    "192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 "
    # Facts of the platform, and resolvers that everybody names.
    "168.63.129.16/32 1.1.1.1/32 8.8.8.8/32 8.8.4.4/32 9.9.9.9/32 "
    "::/8 64:ff9b::/96 2001:db8::/32 fc00::/7 fe80::/10 ff00::/8"
)
_CHANGED: Final = {4: 24, 6: 64}
_BITS: Final = {4: 32, 6: 128}


class AddressMap:
    """One salt's mapping of addresses."""

    def __init__(self, salt: bytes) -> None:
        self._salt = hashlib.blake2b(salt, digest_size=32).digest()
        networks = [ip_network(text) for text in _SPECIAL.split()]
        self._special = [
            (network.version, int(network.network_address), network.prefixlen)
            for network in networks
        ]
        self._known: dict[Address, Address] = {}
        # What came out is left alone when it comes in again.
        self._given: set[Address] = set()

    def renamed(self, address: Address, length: int) -> Address:
        """The stand-in of an address, or of the prefix of that length."""
        if address in self._given:
            return address
        whole = self._known.get(address)
        if whole is None:
            whole = self._known[address] = self._mapped(address)
        bits = _BITS[address.version]
        kept = (1 << (bits - length)) - 1
        number = (int(whole) & ~kept) | (int(address) & kept)
        result: Address = IPv4Address(number) if address.version == 4 else IPv6Address(number)  # noqa: PLR2004
        self._given.add(result)
        return result

    def _mapped(self, address: Address) -> Address:
        number, bits = int(address), _BITS[address.version]
        first = self._first_free_bit(address.version, number)
        flips = 0
        for bit in range(first, _CHANGED[address.version]):
            flips |= self._flip(address.version, bit, number >> (bits - bit)) << (bits - 1 - bit)
        return type(address)(number ^ flips)

    def _first_free_bit(self, version: int, number: int) -> int:
        """The bits up to here are shared with a special prefix, and decide that this is none."""
        bits = _BITS[version]
        shared = 0
        for family, special, length in self._special:
            if family == version:
                common = (
                    bits - ((number ^ special) >> (bits - length) << (bits - length)).bit_length()
                )
                shared = max(shared, bits if common >= length else common)
        return shared + 1

    def _flip(self, version: int, bit: int, prefix: int) -> int:
        data = b"%d/%d/%x" % (version, bit, prefix)
        return hashlib.blake2b(data, key=self._salt, digest_size=1).digest()[0] & 1

"""Stable names in place of identities, such that a diagnosis of renamed evidence stays the same."""

import hashlib
import re
from collections.abc import Callable, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

from sickbay.bundle.addresses import Address, AddressMap

_GUID: Final = (
    r"(?<![0-9A-Za-z])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
    r"(?![0-9A-Za-z])"
)
_MAIL: Final = r"(?<![\w.+'#%-])[\w.+'#%-]{1,64}+@(?P<domain>[\w-]{1,63}+(?:\.[\w-]{1,63}+)++)"
_IPV4: Final = (
    r"(?<![\w.])(?P<address>\d{1,3}(?:\.\d{1,3}){3})(?:/(?P<length>\d{1,2}))?(?!\.?\w|-[A-Za-z])"
)
_IPV6: Final = (
    r"(?<![\w:.])(?P<address>(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4})"
    r"(?:/(?P<length>\d{1,3}))?(?![\w:.])"
)
_OURS: Final = r"(?:user|d|h)-[0-9a-f]{10}"
_DIGITS: Final = 10
# Ours carry a version that no other GUID has.
_VERSION: Final = 14
_MARK: Final = "f"
_PUBLIC_HOSTS: Final = ("github.com", "gitlab.com", "bitbucket.org", "ssh.dev.azure.com")
_KEPT_SUFFIXES: Final = ("local", "internal", "lan", "corp", "intra", "home", "test", "private")
_TENANT: Final = ".onmicrosoft.com"
# Roles, applications and tenants that are the same for everybody, and whose meaning rules know.
_WELL_KNOWN: Final = frozenset(
    (
        "00000000-0000-0000-0000-000000000000",
        "04b07795-8ddb-461a-bbee-02f9e1bf7b46",
        "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8",
        "4633458b-17de-408a-b874-0445c86b69e6",
        "4abbcc35-e782-43d8-92c5-2d3f1bd2253f",
        "4d97b98b-1d4f-4787-a291-c67834d212e7",
        "64b12d6e-6549-484c-8cc6-6281839ba394",
        "6dae42f8-4368-4678-94ff-3960e28e3630",
        "72f988bf-86f1-41af-91ab-2d7cd011db47",
        "7319c514-987d-4e9b-ac3d-d38c4f427f4c",
        "797f4846-ba00-4fd7-ba43-dac1f8f63013",
        "7f951dda-4ed3-4680-a7ca-43fe172d538d",
        "80faf920-1908-4b52-b5ef-a8e7bedfc67a",
        "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
        "acdd72a7-3385-48ef-bd42-f606fba81ae7",
        "b12aa53e-6015-4669-85d0-8515ebb3ae7f",
        "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b",
        "b24988ac-6180-42a0-ab88-20f7382dd24c",
        "bc313c14-388c-4e7d-a58e-70017303ee3b",
        "f1a07417-d97a-45cb-824c-7a7467783830",
    )
)
_WELL_KNOWN_FORM: Final = "-0000-0000-c000-000000000000"


class Renamer:
    """Renames identities in texts; one salt gives one identity one name."""

    def __init__(self, salt: bytes, domains: Sequence[str] = ()) -> None:
        self._salt = hashlib.blake2b(salt, digest_size=32).digest()
        self._addresses = AddressMap(salt)
        self._rules: list[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]]] = [
            ("@", re.compile(_MAIL), self._mail),
            ("-", re.compile(_GUID), self._guid),
            (".", re.compile(_IPV4), self._ipv4),
            (":", re.compile(_IPV6), self._ipv6),
        ]
        for domain in sorted({domain.lower().strip(".") for domain in domains} - {""}):
            pattern = rf"(?i)(?<![\w-])(?P<hosts>(?:[\w-]+\.){{0,8}}){re.escape(domain)}(?![\w-])"
            self._rules.append((".", re.compile(pattern), self._host(domain)))

    def text(self, text: str) -> str:
        """The text with a pseudonym for each identity."""
        for literal, pattern, rename in self._rules:
            if literal in text:
                text = pattern.sub(rename, text)
        return text

    def _digest(self, kind: str, value: str) -> str:
        data = f"{kind}:{value.lower()}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, key=self._salt, digest_size=16).hexdigest()

    def _guid(self, found: re.Match[str]) -> str:
        guid = found.group()
        lowered = guid.lower()
        is_public = lowered in _WELL_KNOWN or lowered.endswith(_WELL_KNOWN_FORM)
        if is_public or lowered[_VERSION] == _MARK:
            return guid
        name = self._digest("guid", lowered)
        new = f"{name[:8]}-{name[8:12]}-{_MARK}{name[13:16]}-{name[16:20]}-{name[20:]}"
        return new.upper() if guid.isupper() else new

    def _mail(self, found: re.Match[str]) -> str:
        domain = found["domain"].lower()
        user = found.group().partition("@")[0]
        if domain in _PUBLIC_HOSTS or re.fullmatch(_OURS, user):
            return found.group()
        return f"user-{self._digest('user', found.group())[:_DIGITS]}@{self._domain(domain)}"

    def _domain(self, domain: str) -> str:
        if re.match(_OURS, domain):
            return domain
        last = domain.rpartition(".")[2]
        suffix = last if last in _KEPT_SUFFIXES else "example"
        if domain.endswith(_TENANT):
            suffix = _TENANT[1:]
        return f"d-{self._digest('domain', domain)[:_DIGITS]}.{suffix}"

    def _host(self, domain: str) -> Callable[[re.Match[str]], str]:
        def renamed(found: re.Match[str]) -> str:
            labels = found["hosts"].rstrip(".").split(".") if found["hosts"] else []
            hosts = [f"h-{self._digest('host', label)[:_DIGITS]}." for label in labels]
            return "".join(hosts) + self._domain(domain)

        return renamed

    def _ipv4(self, found: re.Match[str]) -> str:
        before = found.string[max(0, found.start() - len("version: ''")) : found.start()].lower()
        if "version" in before:
            return found.group()
        return self._address(IPv4Address, found)

    def _ipv6(self, found: re.Match[str]) -> str:
        return self._address(IPv6Address, found)

    def _address(self, family: type[Address], found: re.Match[str]) -> str:
        try:
            address = family(found["address"])
        except AddressValueError:
            return found.group()
        length = int(found["length"]) if found["length"] else address.max_prefixlen
        if length > address.max_prefixlen:
            return found.group()
        renamed = self._addresses.renamed(address, length)
        if renamed == address:
            return found.group()
        return f"{renamed}/{found['length']}" if found["length"] else str(renamed)

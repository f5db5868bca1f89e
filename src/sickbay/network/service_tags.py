"""Service tags: which addresses a tag stands for, and which tags a well-known name falls under."""

from typing import Final

from sickbay.model.evidence import UnseenError
from sickbay.model.security import ServiceTags
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_ranges import Match, Ranges, is_public, ranges_of
from sickbay.network.prefixes import Prefix, parse

# Where the platform itself answers each machine.
HOST_ADDRESS: Final = "168.63.129.16"
METADATA_ADDRESS: Final = "169.254.169.254"

_FIXED: Final = {
    "azureloadbalancer": (HOST_ADDRESS,),
    "azureplatformdns": (HOST_ADDRESS,),
    "azureplatformimds": (METADATA_ADDRESS,),
}

# The tag of a name's own service, in every part that serves it; `{}` is the region in the name.
# Several parts: some packets go to one, some to the other.
_REGIONAL: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (".hcp.", ".azmk8s.io", ("azurecloud.{}",)),
    (".", ".data.azurecr.io", ("azurecontainerregistry.{}",)),
)
_BY_NAME: Final[dict[str, tuple[str, ...]]] = {
    "mcr.microsoft.com": ("microsoftcontainerregistry", "azurefrontdoor.firstparty"),
    "*.data.mcr.microsoft.com": ("microsoftcontainerregistry", "azurefrontdoor.firstparty"),
    "login.microsoftonline.com": ("azureactivedirectory",),
    "*.login.microsoftonline.com": ("azureactivedirectory",),
    "login.windows.net": ("azureactivedirectory",),
    "login.microsoft.com": ("azureactivedirectory",),
    "sts.windows.net": ("azureactivedirectory",),
    "management.azure.com": ("azureresourcemanager",),
    "*.management.azure.com": ("azureresourcemanager",),
    "*.azurecr.io": ("azurecontainerregistry",),
    "*.blob.core.windows.net": ("storage",),
    "*.file.core.windows.net": ("storage",),
    "*.queue.core.windows.net": ("storage",),
    "*.table.core.windows.net": ("storage",),
    "*.dfs.core.windows.net": ("storage",),
    "*.vault.azure.net": ("azurekeyvault",),
    "*.ods.opinsights.azure.com": ("azuremonitor",),
    "*.oms.opinsights.azure.com": ("azuremonitor",),
    "*.monitoring.azure.com": ("azuremonitor",),
    "*.monitor.azure.com": ("azuremonitor",),
    "*.in.applicationinsights.azure.com": ("azuremonitor",),
    "dc.services.visualstudio.com": ("azuremonitor",),
    "*.servicebus.windows.net": ("servicebus", "eventhub"),
    "*.database.windows.net": ("sql",),
    "*.documents.azure.com": ("azurecosmosdb",),
    "*.azconfig.io": ("appconfiguration",),
    "*.dp.kubernetesconfiguration.azure.com": ("azurearcinfrastructure",),
    "*.his.arc.azure.com": ("azurearcinfrastructure",),
    "*.guestconfiguration.azure.com": ("guestandhybridmanagement",),
}
# Names that only a private resolver answers, so that their address is anybody's guess.
_NOT_PUBLIC_NAMES: Final = (".local", ".internal", ".corp", ".lan", ".home.arpa")
# Tags that hold the addresses of other services too.
_UMBRELLAS: Final = ("azurecloud", "azurefrontdoor", "azurekubernetesservice")


class TagBook:
    """The ranges of all tags in evidence, read when asked for."""

    def __init__(self, prefixes: dict[str, tuple[str, ...]]) -> None:
        self._prefixes = prefixes
        self._ranges: dict[str, Ranges] = {}

    def ranges(self, tag: str) -> Ranges | None:
        """The addresses that a tag stands for, or None when that was not read."""
        name = tag.casefold()
        texts = _FIXED.get(name) or self._prefixes.get(name)
        if texts is None:
            return None
        if name not in self._ranges:
            self._ranges[name] = ranges_of(texts)
        return self._ranges[name]


def tag_book(snapshot: Snapshot) -> TagBook:
    """All tags of a snapshot, gathered once."""
    return snapshot.once(_gathered)


def holds_address(snapshot: Snapshot, tag: str, address: str) -> Match:
    """Whether a tag stands for an address; a maybe where its ranges were not read."""
    prefix = parse(address)
    return of_address(tag_book(snapshot), tag, prefix) if prefix else Match.MAYBE


def of_address(book: TagBook, tag: str, prefix: Prefix) -> Match:
    """Whether a tag of a public service stands for some addresses."""
    known = book.ranges(tag)
    if known is not None:
        return known.holds(prefix)
    # The tags of services are made of public addresses alone.
    return Match.MAYBE if is_public(prefix) else Match.NO


def of_name(tag: str, own: str) -> Match:
    """Whether a tag covers the part of a service that is known by its own tag."""
    name = tag.casefold()
    if name == own or own.startswith(f"{name}."):
        return Match.YES
    family = name.partition(".")[0]
    # Another region of a name that does not tell its region may still be the one.
    is_region_open = "." not in own and family == own
    return Match.MAYBE if is_region_open or _is_umbrella(family, own) else Match.NO


def tags_of_name(fqdn: str) -> tuple[str, ...]:
    """The tag of each part of the service behind a name; empty when the name is not known."""
    name = fqdn.casefold().rstrip(".")
    for before, after, tags in _REGIONAL:
        region = _between(name, before, after)
        if region:
            return tuple(tag.format(region) for tag in tags)
    if name in _BY_NAME:
        return _BY_NAME[name]
    labels = name.split(".")
    for count in range(1, len(labels)):
        found = _BY_NAME.get("*." + ".".join(labels[count:]))
        if found:
            return found
    return ()


def is_public_name(fqdn: str) -> bool:
    """Whether a name is one that public resolvers answer with a public address."""
    name = fqdn.casefold().rstrip(".")
    is_private = name.endswith(_NOT_PUBLIC_NAMES) or ".privatelink." in f".{name}."
    return "." in name and not is_private


def _between(name: str, before: str, after: str) -> str:
    """The one label that stands between two parts of a name."""
    stem = name.removesuffix(after)
    if stem == name or before not in stem:
        return ""
    region = stem.rpartition(before)[2]
    return region if region.isalnum() else ""


def _is_umbrella(family: str, own: str) -> bool:
    return family in _UMBRELLAS and family != own.partition(".")[0]


def _gathered(snapshot: Snapshot) -> TagBook:
    try:
        lists = snapshot.some(ServiceTags)
    except UnseenError:
        lists = ()
    found: dict[str, tuple[str, ...]] = {}
    # Of several lists the one with the greatest id counts, whichever was read first.
    for tags in sorted(lists, key=lambda tags: tags.ref.key):
        for tag in tags.values or ():
            if tag.name and tag.address_prefixes:
                found[tag.name.casefold()] = tuple(tag.address_prefixes)
    return TagBook(found)

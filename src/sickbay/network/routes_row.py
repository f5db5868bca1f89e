"""One route of a subnet: what it holds, where it leads, and what it wins over."""

from enum import StrEnum
from typing import Final, NamedTuple

from sickbay.model.ids import Ref
from sickbay.network.prefixes import Prefix


class HopKind(StrEnum):
    """Where a packet goes next, in the words of `az`; the last three are ours."""

    LOCAL = "VnetLocal"
    PEERING = "VNetPeering"
    GATEWAY = "VirtualNetworkGateway"
    APPLIANCE = "VirtualAppliance"
    INTERNET = "Internet"
    DROPPED = "None"
    SERVICE_ENDPOINT = "VirtualNetworkServiceEndpoint"
    PRIVATE_ENDPOINT = "InterfaceEndpoint"
    # The addresses that the platform answers on every machine, whatever the routes say.
    PLATFORM = "Platform"
    UNKNOWN = "Unknown"
    # Nobody read this layer.
    UNSEEN = "Unseen"


# Of equal prefixes the lower wins.
USER: Final = 0
GATEWAY: Final = 1
SYSTEM: Final = 2
# What Azure makes of its own accord when nothing else is said; the address space wins over it.
FALLBACK: Final = 3
_SPELLINGS: Final = {
    **{kind.value.casefold(): kind for kind in list(HopKind)[:8]},
    "virtualnetwork": HopKind.LOCAL,
    "virtualnetworkpeering": HopKind.PEERING,
    "vnetglobalpeering": HopKind.PEERING,
    "globalvnetpeering": HopKind.PEERING,
    "null": HopKind.DROPPED,
}


class Row(NamedTuple):
    """One route. `kin` and `name` are how a user knows it; without a prefix it is a service tag."""

    text: str
    prefix: Prefix | None
    rank: int
    kind: HopKind
    kin: str
    name: str
    address: str = ""
    ref: Ref | None = None

    @property
    def order(self) -> tuple[int, int, str, str]:
        return (-self.prefix.length if self.prefix else 0, self.rank, self.name, self.address)


def hop_kind(text: str | None) -> HopKind:
    return _SPELLINGS.get((text or "").replace(" ", "").casefold(), HopKind.UNKNOWN)

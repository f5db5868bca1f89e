"""The network fabric under a Nexus site: controller, fabric, isolation domains, their networks."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import AzureShape
from sickbay.model.ids import Ref
from sickbay.model.nexus import NexusEntity, same_word

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_FABRIC: Final = "Microsoft.ManagedNetworkFabric"
# A domain finds its networks by looking at all of them; in a larger estate that is left out.


class NetworkFabricController(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/networkFabricControllers"
    look: ClassVar[str] = "az networkfabric controller list -o json"


class FabricLock(AzureShape, frozen=True, gc=False):
    lock_type: str | None = None
    lock_state: str | None = None


class NetworkFabric(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/networkFabrics"
    look: ClassVar[str] = "az networkfabric fabric list -o json"

    network_fabric_controller_id: str | None = None
    fabric_asn: int | None = None
    fabric_locks: list[FabricLock] | None = None

    def stands_on(self) -> Iterable[str | None]:
        return (self.network_fabric_controller_id,)

    def is_locked(self, type: str) -> bool:
        return any(
            same_word(lock.lock_type, type)
            and (lock.lock_state or "").casefold() in {"enabled", "locked"}
            for lock in self.fabric_locks or ()
        )


class ConnectedSubnet(AzureShape, frozen=True, gc=False):
    prefix: str | None = None


class BgpConfiguration(AzureShape, frozen=True, gc=False):
    peer_asn: int | None = None
    fabric_asn: int | None = None


class InternalNetwork(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/l3IsolationDomains/internalNetworks"
    look: ClassVar[str] = (
        "az networkfabric internalnetwork list -g {resource_group} "
        "--l3-isolation-domain-name {domain} -o json"
    )

    vlan_id: int | None = None
    connected_ipv4_subnets: list[ConnectedSubnet] | None = None
    connected_ipv6_subnets: list[ConnectedSubnet] | None = None
    bgp_configuration: BgpConfiguration | None = None

    @property
    def prefixes(self) -> tuple[str, ...]:
        subnets = (*(self.connected_ipv4_subnets or ()), *(self.connected_ipv6_subnets or ()))
        return tuple(subnet.prefix for subnet in subnets if subnet.prefix)


class OptionA(AzureShape, frozen=True, gc=False):
    vlan_id: int | None = None
    peer_asn: int | None = None
    fabric_asn: int | None = None


class ExternalNetwork(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/l3IsolationDomains/externalNetworks"
    look: ClassVar[str] = (
        "az networkfabric externalnetwork list -g {resource_group} "
        "--l3-isolation-domain-name {domain} -o json"
    )

    option_a_properties: OptionA | None = None


class L3IsolationDomain(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/l3IsolationDomains"
    look: ClassVar[str] = "az networkfabric l3domain list -o json"

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        yield from super().links(snapshot)
        for network in snapshot.grouped(InternalNetwork, "parent_key", self.internal_networks):
            yield network.ref

    @property
    def internal_networks(self) -> str:
        """The key that the internal networks of this domain have as their parent."""
        return self.ref.key


class L2IsolationDomain(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/l2IsolationDomains"
    look: ClassVar[str] = "az networkfabric l2domain list -o json"

    vlan_id: int | None = None

"""The network fabric under a Nexus site: controller, fabric, isolation domains, their networks."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref
from sickbay.model.nexus import NexusEntity, same_word

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_FABRIC: Final = "Microsoft.ManagedNetworkFabric"


class CircuitConnection(AzureShape, frozen=True, gc=False):
    express_route_circuit_id: str | None = None


class ExpressRouteCircuit(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/expressRouteCircuits"
    look: ClassVar[str] = "az network express-route list -o json"

    circuit_provisioning_state: str | None = None
    service_provider_provisioning_state: str | None = None


class NetworkFabricController(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/networkFabricControllers"
    look: ClassVar[str] = "az networkfabric controller list -o json"

    infrastructure_express_route_connections: list[CircuitConnection] | None = None
    workload_express_route_connections: list[CircuitConnection] | None = None

    @property
    def circuit_ids(self) -> list[str]:
        connections = (
            *(self.infrastructure_express_route_connections or ()),
            *(self.workload_express_route_connections or ()),
        )
        ids = (one.express_route_circuit_id for one in connections)
        return list(dict.fromkeys(id for id in ids if id))

    def stands_on(self) -> Iterable[str | None]:
        return self.circuit_ids


class FabricLock(AzureShape, frozen=True, gc=False):
    lock_type: str | None = None
    lock_state: str | None = None


class NetworkFabric(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/networkFabrics"
    look: ClassVar[str] = "az networkfabric fabric list -o json"

    network_fabric_controller_id: str | None = None
    fabric_asn: int | None = None
    fabric_version: str | None = None
    ipv4_prefix: str | None = None
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
    ipv4_listen_range_prefixes: list[str] | None = None
    ipv6_listen_range_prefixes: list[str] | None = None


class Route(AzureShape, frozen=True, gc=False):
    prefix: str | None = None


class StaticRoutes(AzureShape, frozen=True, gc=False):
    ipv4_routes: list[Route] | None = None
    ipv6_routes: list[Route] | None = None


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
    static_route_configuration: StaticRoutes | None = None
    mtu: int | None = None

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
    mtu: int | None = None


class NetworkDevice(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/networkDevices"
    look: ClassVar[str] = "az networkfabric device list -o json"

    network_device_role: str | None = None


class DeviceInterface(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/networkDevices/networkInterfaces"
    look: ClassVar[str] = (
        "az networkfabric interface list -g {resource_group} --network-device-name {device} -o json"
    )


class Layer2(AzureShape, frozen=True, gc=False):
    interfaces: list[str] | None = None


class Interconnect(NexusEntity, frozen=True, gc=False):
    """Where the fabric meets the network of the provider (NNI)."""

    kind: ClassVar[str] = f"{_FABRIC}/networkFabrics/networkToNetworkInterconnects"
    look: ClassVar[str] = (
        "az networkfabric nni list -g {resource_group} --fabric-name {fabric} -o json"
    )

    layer2_configuration: Layer2 | None = None

    def stands_on(self) -> Iterable[str | None]:
        return (self.layer2_configuration and self.layer2_configuration.interfaces) or ()


class RoutePolicy(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_FABRIC}/routePolicies"
    look: ClassVar[str] = "az networkfabric routepolicy list -o json"


class TapDestination(AzureShape, frozen=True, gc=False):
    destination_id: str | None = None
    destination_tap_rule_id: str | None = None


class NetworkTap(NexusEntity, frozen=True, gc=False):
    """A copy of traffic for a probe."""

    kind: ClassVar[str] = f"{_FABRIC}/networkTaps"
    look: ClassVar[str] = "az networkfabric tap list -o json"

    network_packet_broker_id: str | None = None
    destinations: list[TapDestination] | None = None

    def stands_on(self) -> Iterable[str | None]:
        yield self.network_packet_broker_id
        for one in self.destinations or ():
            yield from (one.destination_id, one.destination_tap_rule_id)

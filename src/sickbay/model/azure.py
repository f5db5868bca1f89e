"""Azure resources under a cluster: machines, networks, quotas, locks and what was done to them."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec.structs import replace

from sickbay.model.aks import AgentPool, Identity, ManagedCluster
from sickbay.model.entity import ArmEntity, AzureShape, Entity
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


_POOL_TAG: Final = "aks-managed-poolname"


class Reference(AzureShape, frozen=True, gc=False):
    """A pointer to another resource."""

    id: str | None = None


class Sku(AzureShape, frozen=True, gc=False):
    name: str | None = None
    tier: str | None = None
    capacity: int | None = None


class InstanceStatus(AzureShape, frozen=True, gc=False):
    code: str | None = None
    level: str | None = None
    display_status: str | None = None
    message: str | None = None
    time: str | None = None


class ExtensionView(AzureShape, frozen=True, gc=False):
    name: str | None = None
    statuses: list[InstanceStatus] | None = None


class AgentView(AzureShape, frozen=True, gc=False):
    """What the agent inside a machine reports of itself."""

    statuses: list[InstanceStatus] | None = None


class HealthView(AzureShape, frozen=True, gc=False):
    """What the probe of a scale set thinks of a machine."""

    status: InstanceStatus | None = None


class InstanceView(AzureShape, frozen=True, gc=False):
    statuses: list[InstanceStatus] | None = None
    extensions: list[ExtensionView] | None = None
    vm_agent: AgentView | None = None
    vm_health: HealthView | None = None

    def code(self, *starts: str) -> str:
        """The code of the first status that begins with one of these, compared without case."""
        for status in self.statuses or ():
            if status.code and status.code.casefold().startswith(starts):
                return status.code
        return ""


class MachineExtension(AzureShape, frozen=True, gc=False):
    """An extension of a machine, as its resource lists it."""

    name: str | None = None
    provisioning_state: str | None = None


class DataDisk(AzureShape, frozen=True, gc=False):
    name: str | None = None
    lun: int | None = None
    to_be_detached: bool | None = None


class StorageProfile(AzureShape, frozen=True, gc=False):
    data_disks: list[DataDisk] | None = None


_NODE_SET: Final = re.compile(r"aks-([a-z0-9]+)-\d+-vmss")


def _owners_of_groups(snapshot: "Snapshot") -> dict[str, ManagedCluster]:
    """The clusters in evidence by the groups that hold their nodes."""
    clusters = snapshot.some(ManagedCluster) if snapshot.holds(ManagedCluster.kind) else ()
    return {one.node_group_id.casefold(): one for one in clusters if one.node_group_id}


class ScaleSet(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Compute/virtualMachineScaleSets"
    look: ClassVar[str] = "az vmss list -g {node_resource_group} -o json"

    sku: Sku | None = None
    orchestration_mode: str | None = None
    identity: Identity | None = None
    # Tables and short lists leave it out, and the identity with it.
    virtual_machine_profile: dict[str, object] | None = None

    @property
    def pool_name(self) -> str:
        named = [v for key, v in (self.tags or {}).items() if key.casefold() == _POOL_TAG]
        return named[-1] or "" if named else ""

    def cluster(self, snapshot: "Snapshot") -> ManagedCluster | None:
        """The cluster whose nodes it holds, if that is in evidence."""
        return snapshot.once(_owners_of_groups).get(self.ref.parent.casefold())

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        owner = self.cluster(snapshot)
        if owner and self.pool_name:
            # Other clusters have pools of the same name.
            yield arm(f"{owner.id}/agentPools/{self.pool_name}")
        else:
            yield from snapshot.pools_named(self.pool_name)


class ScaleSetInstance(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"
    look: ClassVar[str] = (
        "az vmss list-instances -g {node_resource_group} -n <scale-set> "
        "--expand instanceView -o json"
    )

    instance_id: str | None = None
    latest_model_applied: bool | None = None
    instance_view: InstanceView | None = None
    storage_profile: StorageProfile | None = None
    resources: list[MachineExtension] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        scale_set = arm(self.ref.parent)
        yield scale_set
        named = _NODE_SET.fullmatch(scale_set.name.casefold())
        owner = snapshot.once(_owners_of_groups).get(scale_set.parent.casefold())
        # AKS calls a scale set after its pool, which tells enough where nobody saved it.
        if named and owner and snapshot.find(scale_set) is None:
            yield arm(f"{owner.id}/agentPools/{named[1]}")


class VirtualMachine(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Compute/virtualMachines"
    look: ClassVar[str] = "az vm list -g {node_resource_group} -d -o json"

    instance_view: InstanceView | None = None
    resources: list[MachineExtension] | None = None
    # Only `az vm list -d` says it here.
    power_state: str | None = None
    storage_profile: StorageProfile | None = None


class ServiceEndpoint(AzureShape, frozen=True, gc=False):
    service: str | None = None
    locations: list[str] | None = None


class Delegation(AzureShape, frozen=True, gc=False):
    name: str | None = None
    service_name: str | None = None


class Subnet(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/virtualNetworks/subnets"
    look: ClassVar[str] = (
        "az network vnet subnet list -g {resource_group} --vnet-name <vnet> -o json"
    )

    address_prefix: str | None = None
    address_prefixes: list[str] | None = None
    ip_configurations: list[Reference] | None = None
    network_security_group: Reference | None = None
    route_table: Reference | None = None
    nat_gateway: Reference | None = None
    delegations: list[Delegation] | None = None
    service_endpoints: list[ServiceEndpoint] | None = None
    private_endpoint_network_policies: str | None = None
    default_outbound_access: bool | None = None

    @property
    def prefixes(self) -> list[str]:
        return self.address_prefixes or ([self.address_prefix] if self.address_prefix else [])

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)
        for part in (self.network_security_group, self.route_table, self.nat_gateway):
            if part and part.id:
                yield arm(part.id)


class DhcpOptions(AzureShape, frozen=True, gc=False):
    dns_servers: list[str] | None = None


class AddressSpace(AzureShape, frozen=True, gc=False):
    address_prefixes: list[str] | None = None


class VirtualNetworkPeering(ArmEntity, frozen=True, gc=False):
    """One side of a peering; traffic needs both."""

    kind: ClassVar[str] = "Microsoft.Network/virtualNetworks/virtualNetworkPeerings"
    look: ClassVar[str] = (
        "az network vnet peering list -g {resource_group} --vnet-name <vnet> -o json"
    )

    peering_state: str | None = None
    peering_sync_level: str | None = None
    remote_virtual_network: Reference | None = None
    remote_address_space: AddressSpace | None = None
    remote_virtual_network_address_space: AddressSpace | None = None
    allow_virtual_network_access: bool | None = None
    allow_forwarded_traffic: bool | None = None
    allow_gateway_transit: bool | None = None
    use_remote_gateways: bool | None = None

    @property
    def is_connected(self) -> bool:
        return (self.peering_state or "").casefold() == "connected"

    @property
    def is_unwell(self) -> bool:
        return bool(self.peering_state) and not self.is_connected

    @property
    def remote_id(self) -> str:
        return (self.remote_virtual_network and self.remote_virtual_network.id) or ""

    @property
    def remote_prefixes(self) -> list[str]:
        """What this side routes to: the space that was synchronised, not the one of today."""
        for space in (self.remote_address_space, self.remote_virtual_network_address_space):
            if space and space.address_prefixes:
                return space.address_prefixes
        return []

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)
        if self.remote_id:
            yield arm(self.remote_id)


class VirtualNetwork(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/virtualNetworks"
    look: ClassVar[str] = "az network vnet list -g {resource_group} -o json"

    address_space: AddressSpace | None = None
    dhcp_options: DhcpOptions | None = None
    subnets: list[Subnet] | None = None
    virtual_network_peerings: list[VirtualNetworkPeering] | None = None

    @property
    def prefixes(self) -> list[str]:
        return (self.address_space and self.address_space.address_prefixes) or []

    def children(self) -> Iterator[Entity]:
        for subnet in self.subnets or ():
            yield subnet if subnet.id else replace(subnet, id=f"{self.id}/subnets/{subnet.name}")
        for peering in self.virtual_network_peerings or ():
            place = f"{self.id}/virtualNetworkPeerings/{peering.name}"
            yield peering if peering.id else replace(peering, id=place)


class Usage(AzureShape, frozen=True, gc=False):
    """One counter of a region's quota."""

    name: "UsageName | None" = None
    current_value: int | str | None = None
    limit: int | str | None = None


class UsageName(AzureShape, frozen=True, gc=False):
    value: str | None = None
    localized_value: str | None = None


class RegionUsages(ArmEntity, frozen=True, gc=False):
    """The counters of one provider in one region, gathered from the list that Azure gives."""

    kind: ClassVar[str] = "Microsoft.Compute/locations/usages"
    look: ClassVar[str] = "az vm list-usage -l {location} -o json"

    usages: list[Usage] | None = None

    def counter(self, name: str) -> tuple[int, int] | None:
        """Return current value and limit of a counter."""
        for usage in self.usages or ():
            if usage.name and (usage.name.value or "").casefold() == name.casefold():
                return _whole(usage.current_value), _whole(usage.limit)
        return None


def usages_of(regions: Iterable[RegionUsages], location: str, counter: str) -> RegionUsages:
    """The counters of a region that hold one; raises when they were not read."""
    wanted = location.replace(" ", "").casefold()
    known = [usages for usages in regions if usages.counter(counter) is not None]
    for usages in known:
        if (usages.location or "").replace(" ", "").casefold() == wanted:
            return usages
    # A list that names no region is about the only one that anybody asked for.
    if len(known) == 1 and not known[0].location:
        return known[0]
    look = "az network list-usages -l {location} -o json"
    raise UnseenError(
        Gap(
            RegionUsages.kind,
            f"quota of {location or 'the region'}",
            to_open=RegionUsages.look if counter == "cores" else look,
        )
    )


def _whole(value: int | str | None) -> int:
    try:
        return int(value or 0)
    except ValueError:
        return 0


class Lock(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Authorization/locks"
    look: ClassVar[str] = "az lock list -o json"

    level: str | None = None
    notes: str | None = None

    @property
    def scope(self) -> str:
        """The ARM id that the lock guards."""
        at = self.id.casefold().rfind("/providers/microsoft.authorization/locks/")
        return self.id[:at] if at > 0 else self.id

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.scope)


class Provider(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Resources/providers"
    look: ClassVar[str] = "az provider list -o json"

    namespace: str | None = None
    registration_state: str | None = None

    @property
    def is_unwell(self) -> bool:
        return (self.registration_state or "").casefold() in {"notregistered", "unregistered"}


class PrivateDnsZone(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/privateDnsZones"
    look: ClassVar[str] = "az network private-dns zone list -o json"

    number_of_virtual_network_links: int | None = None


class Workspace(ArmEntity, frozen=True, gc=False):
    """A Log Analytics workspace."""

    kind: ClassVar[str] = "Microsoft.OperationalInsights/workspaces"
    look: ClassVar[str] = "az monitor log-analytics workspace list -o json"


class Subscription(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Resources/subscriptions"
    look: ClassVar[str] = (
        "az rest --method get --url /subscriptions/{subscription}?api-version=2022-12-01"
    )

    display_name: str | None = None
    state: str | None = None

    @property
    def is_unwell(self) -> bool:
        return (self.state or "").casefold() in {"warned", "disabled", "deleted", "pastdue"}


__all__ = [
    "AgentPool",
    "Lock",
    "PrivateDnsZone",
    "Provider",
    "RegionUsages",
    "ScaleSet",
    "ScaleSetInstance",
    "Subnet",
    "Subscription",
    "Usage",
    "VirtualMachine",
    "VirtualNetwork",
    "VirtualNetworkPeering",
    "Workspace",
    "usages_of",
]

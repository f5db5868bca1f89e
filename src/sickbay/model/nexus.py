"""Azure Operator Nexus: sites, their networks and machines, and the clusters that it runs."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import ArmEntity, AzureShape, ExtendedLocation
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_CLOUD: Final = "Microsoft.NetworkCloud"


def same_word(one: str | None, other: str) -> bool:
    """Whether an open enum has a value, in any case."""
    return (one or "").casefold() == other.casefold()


def _refs(ids: Iterable[str | None]) -> Iterator[Ref]:
    return (arm(id) for id in ids if id)


class NexusEntity(ArmEntity, frozen=True, gc=False):
    """What the resources of Nexus have in common."""

    detailed_status: str | None = None
    detailed_status_message: str | None = None
    administrative_state: str | None = None
    configuration_state: str | None = None
    cluster_id: str | None = None
    network_fabric_id: str | None = None

    @property
    def custom_location(self) -> str:
        return (self.extended_location and self.extended_location.name) or ""

    @property
    def is_succeeded(self) -> bool:
        return same_word(self.provisioning_state, "Succeeded")

    def stands_on(self) -> Iterable[str | None]:
        """The ids of what this kind needs, beyond what all kinds need."""
        return ()

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield from _refs(
            (*self.stands_on(), self.cluster_id, self.network_fabric_id, self.custom_location)
        )


class Condition(AzureShape, frozen=True, gc=False):
    type: str | None = None
    status: str | None = None
    reason: str | None = None


class NexusCluster(NexusEntity, frozen=True, gc=False):
    """A site: the racks of one Nexus instance."""

    kind: ClassVar[str] = f"{_CLOUD}/clusters"
    look: ClassVar[str] = "az networkcloud cluster list -o json"

    cluster_connection_status: str | None = None
    cluster_manager_connection_status: str | None = None
    cluster_version: str | None = None
    cluster_extended_location: ExtendedLocation | None = None
    hybrid_aks_extended_location: ExtendedLocation | None = None
    conditions: list[Condition] | None = None


class NexusNetwork(NexusEntity, frozen=True, gc=False):
    """A network of a site that workloads attach to."""

    interface_name: str | None = None
    associated_resource_ids: list[str] | None = None


class Layer3Network(NexusNetwork, frozen=True, gc=False):
    """A network with addresses, carried by an L3 isolation domain."""

    vlan: int | None = None
    ipv4_connected_prefix: str | None = None
    ipv6_connected_prefix: str | None = None
    ip_allocation_type: str | None = None
    l3_isolation_domain_id: str | None = None

    def stands_on(self) -> Iterable[str | None]:
        return (self.l3_isolation_domain_id,)

    @property
    def prefixes(self) -> tuple[str, ...]:
        return tuple(p for p in (self.ipv4_connected_prefix, self.ipv6_connected_prefix) if p)

    def is_at_fault_beside(self, other: "Layer3Network") -> bool:
        """Of two that overlap, the failed one is at fault, else the younger.

        Else the one whose name comes later.
        """
        if self.is_unwell != other.is_unwell:
            return self.is_unwell
        mine, theirs = ((n.system_data and n.system_data.created_at) or "" for n in (self, other))
        return (mine, self.ref.key) > (theirs, other.ref.key)


class L3Network(Layer3Network, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/l3Networks"
    look: ClassVar[str] = "az networkcloud l3network list -o json"


class DefaultCniNetwork(Layer3Network, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/defaultCniNetworks"
    look: ClassVar[str] = "az networkcloud defaultcninetwork list -o json"


class EgressEndpoints(AzureShape, frozen=True, gc=False):
    category: str | None = None


class CloudServicesNetwork(NexusNetwork, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/cloudServicesNetworks"
    look: ClassVar[str] = "az networkcloud cloudservicesnetwork list -o json"

    # Azure writes "True" and "False".
    enable_default_egress_endpoints: str | bool | None = None
    additional_egress_endpoints: list[EgressEndpoints] | None = None


class L2Network(NexusNetwork, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/l2Networks"
    look: ClassVar[str] = "az networkcloud l2network list -o json"

    l2_isolation_domain_id: str | None = None

    def stands_on(self) -> Iterable[str | None]:
        return (self.l2_isolation_domain_id,)


class TrunkedNetwork(NexusNetwork, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/trunkedNetworks"
    look: ClassVar[str] = "az networkcloud trunkednetwork list -o json"

    isolation_domain_ids: list[str] | None = None
    vlans: list[int] | None = None

    def stands_on(self) -> Iterable[str | None]:
        return self.isolation_domain_ids or ()


class HardwareValidation(AzureShape, frozen=True, gc=False):
    result: str | None = None
    last_validation_time: str | None = None


class BareMetalMachine(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/bareMetalMachines"
    look: ClassVar[str] = "az networkcloud baremetalmachine list -o json"

    power_state: str | None = None
    ready_state: str | None = None
    cordon_status: str | None = None
    machine_roles: list[str] | None = None
    hardware_validation_status: HardwareValidation | None = None


class AttachedNetwork(AzureShape, frozen=True, gc=False):
    network_id: str | None = None


class AttachedNetworks(AzureShape, frozen=True, gc=False):
    l2_networks: list[AttachedNetwork] | None = None
    l3_networks: list[AttachedNetwork] | None = None
    trunked_networks: list[AttachedNetwork] | None = None


class NetworkConfiguration(AzureShape, frozen=True, gc=False):
    cloud_services_network_id: str | None = None
    cni_network_id: str | None = None
    attached_network_configuration: AttachedNetworks | None = None
    pod_cidrs: list[str] | None = None
    service_cidrs: list[str] | None = None

    def network_ids(self) -> Iterator[str | None]:
        yield from (self.cloud_services_network_id, self.cni_network_id)
        attached = self.attached_network_configuration or AttachedNetworks()
        for group in (attached.l2_networks, attached.l3_networks, attached.trunked_networks):
            yield from (network.network_id for network in group or ())


class NexusKubernetesCluster(NexusEntity, frozen=True, gc=False):
    """A Kubernetes cluster that Nexus itself runs."""

    kind: ClassVar[str] = f"{_CLOUD}/kubernetesClusters"
    look: ClassVar[str] = "az networkcloud kubernetescluster list -o json"

    connected_cluster_id: str | None = None
    network_configuration: NetworkConfiguration | None = None

    def stands_on(self) -> Iterable[str | None]:
        yield self.connected_cluster_id
        if self.network_configuration:
            yield from self.network_configuration.network_ids()


class NexusAgentPool(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/kubernetesClusters/agentPools"
    look: ClassVar[str] = (
        "az networkcloud kubernetescluster agentpool list -g {resource_group} "
        "--kubernetes-cluster-name {cluster} -o json"
    )

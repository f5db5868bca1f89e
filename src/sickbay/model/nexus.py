"""Azure Operator Nexus: sites, their networks and machines, and the clusters that it runs."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import ArmEntity, ExtendedLocation
from sickbay.model.ids import Ref, arm
from sickbay.model.nexus_parts import (
    ActionState,
    Condition,
    DeploymentThreshold,
    EgressEndpoints,
    FeatureStatus,
    HardwareValidation,
    NetworkAttachment,
    NetworkConfiguration,
    NexusNode,
    StorageStatus,
    UpgradeVersion,
)

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_CLOUD: Final = "Microsoft.NetworkCloud"
# A control plane of one or two machines has no majority to lose.
_SMALLEST_QUORATE: Final = 3


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


class ClusterManager(NexusEntity, frozen=True, gc=False):
    """What steers the sites of a region from Azure."""

    kind: ClassVar[str] = f"{_CLOUD}/clusterManagers"
    look: ClassVar[str] = "az networkcloud clustermanager list -o json"


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
    cluster_manager_id: str | None = None
    action_states: list[ActionState] | None = None
    available_upgrade_versions: list[UpgradeVersion] | None = None
    compute_deployment_threshold: DeploymentThreshold | None = None

    def stands_on(self) -> Iterable[str | None]:
        return (self.cluster_manager_id,)


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


class CloudServicesNetwork(NexusNetwork, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/cloudServicesNetworks"
    look: ClassVar[str] = "az networkcloud cloudservicesnetwork list -o json"

    # Azure writes "True" and "False".
    enable_default_egress_endpoints: str | bool | None = None
    additional_egress_endpoints: list[EgressEndpoints] | None = None
    # What uses it; of older API versions nothing is told.
    associated_resource_ids: list[str] | None = None
    storage_status: StorageStatus | None = None

    def lets_out(self, host: str) -> bool:
        """Whether the added endpoints name a host; a leading dot stands for all names below."""
        for group in self.additional_egress_endpoints or ():
            for endpoint in group.endpoints or ():
                allowed = (endpoint.domain_name or "").casefold().lstrip("*")
                if allowed and (host == allowed or host.endswith("." + allowed.lstrip("."))):
                    return True
        return False


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


class BareMetalMachine(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/bareMetalMachines"
    look: ClassVar[str] = "az networkcloud baremetalmachine list -o json"

    power_state: str | None = None
    ready_state: str | None = None
    cordon_status: str | None = None
    machine_roles: list[str] | None = None
    hardware_validation_status: HardwareValidation | None = None
    rack_id: str | None = None

    def has_role(self, role: str) -> bool:
        return any(f"/{role}=true" in one.casefold() for one in self.machine_roles or ())

    @property
    def is_out(self) -> bool:
        """Whether the machine is known to be off, or not to be a node of its cluster."""
        return same_word(self.power_state, "Off") or same_word(self.ready_state, "False")

    def fell_with_others(self, snapshot: "Snapshot") -> bool:
        """Whether it is part of a control plane that lost its majority: that is to be told once."""
        lost = snapshot.once(without_quorum)
        return self.has_role("control-plane") and (self.cluster_id or "").casefold() in lost


def without_quorum(snapshot: "Snapshot") -> dict[str, tuple[BareMetalMachine, ...]]:
    """The control-plane machines of every site that lost the majority of them."""
    sites: dict[str, list[BareMetalMachine]] = {}
    for machine in snapshot.some(BareMetalMachine):
        if machine.cluster_id and machine.has_role("control-plane"):
            sites.setdefault(machine.cluster_id.casefold(), []).append(machine)
    return {
        site: tuple(sorted(machines, key=lambda one: one.ref))
        for site, machines in sites.items()
        if len(machines) >= _SMALLEST_QUORATE
        and sum(one.is_out for one in machines) * 2 >= len(machines)
    }


class StorageAppliance(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/storageAppliances"
    look: ClassVar[str] = "az networkcloud storageappliance list -o json"


class NexusVirtualMachine(NexusEntity, frozen=True, gc=False):
    """A virtual machine of a tenant."""

    kind: ClassVar[str] = f"{_CLOUD}/virtualMachines"
    look: ClassVar[str] = "az networkcloud virtualmachine list -o json"

    power_state: str | None = None
    bare_metal_machine_id: str | None = None
    network_attachments: list[NetworkAttachment] | None = None

    def stands_on(self) -> Iterable[str | None]:
        yield self.bare_metal_machine_id
        yield from (one.attached_network_id for one in self.network_attachments or ())


class NexusKubernetesCluster(NexusEntity, frozen=True, gc=False):
    """A Kubernetes cluster that Nexus itself runs."""

    kind: ClassVar[str] = f"{_CLOUD}/kubernetesClusters"
    look: ClassVar[str] = "az networkcloud kubernetescluster list -o json"

    connected_cluster_id: str | None = None
    network_configuration: NetworkConfiguration | None = None
    kubernetes_version: str | None = None
    control_plane_kubernetes_version: str | None = None
    available_upgrades: list[UpgradeVersion] | None = None
    nodes: list[NexusNode] | None = None
    feature_statuses: list[FeatureStatus] | None = None

    def stands_on(self) -> Iterable[str | None]:
        yield self.connected_cluster_id
        if self.network_configuration:
            yield from self.network_configuration.network_ids()
        yield from (node.bare_metal_machine_id for node in self.nodes or ())


class NexusAgentPool(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_CLOUD}/kubernetesClusters/agentPools"
    look: ClassVar[str] = (
        "az networkcloud kubernetescluster agentpool list -g {resource_group} "
        "--kubernetes-cluster-name {cluster} -o json"
    )


class NexusFeature(NexusEntity, frozen=True, gc=False):
    """An add-on of a Kubernetes cluster, as its own resource."""

    kind: ClassVar[str] = f"{_CLOUD}/kubernetesClusters/features"
    look: ClassVar[str] = (
        "az networkcloud kubernetescluster feature list -g {resource_group} "
        "--kubernetes-cluster-name {cluster} -o json"
    )

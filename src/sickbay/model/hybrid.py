"""AKS hybrid: provisioned clusters of both generations of the API, their networks and pools."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.hybrid_parts import (
    ArcAgentStatus,
    ControlPlane,
    HybridStatus,
    LogicalSubnet,
    MinorVersion,
    PoolProfile,
    VersionReadiness,
)
from sickbay.model.hybrid_parts import CloudProviderProfile as CloudProviderProfile  # noqa: PLC0414 - handed on
from sickbay.model.hybrid_parts import InfraNetworkProfile as InfraNetworkProfile  # noqa: PLC0414 - handed on
from sickbay.model.hybrid_parts import InfraVnetProfile as InfraVnetProfile  # noqa: PLC0414 - handed on
from sickbay.model.hybrid_parts import NetworkCloudProfile as NetworkCloudProfile  # noqa: PLC0414 - handed on
from sickbay.model.ids import arm, arm_type
from sickbay.model.nexus import (
    CloudServicesNetwork,
    DefaultCniNetwork,
    L2Network,
    L3Network,
    NexusCluster,
    NexusEntity,
    NexusNetwork,
    TrunkedNetwork,
)

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_HYBRID: Final = "Microsoft.HybridContainerService"
_NETWORKS: Final[dict[str, type[NexusNetwork]]] = {
    kind.kind.casefold(): kind
    for kind in (CloudServicesNetwork, DefaultCniNetwork, L2Network, L3Network, TrunkedNetwork)
}


def is_cloud_network(id: str) -> bool:
    """Whether an id names a network of a Nexus site, rather than a wrapping of one."""
    return arm_type(id).casefold() in _NETWORKS


def is_canonical(id: str) -> bool:
    """Whether the fixed words of a network's id have the letters that Azure gives them."""
    words = id.strip("/").split("/")
    provider, _, type = _NETWORKS[arm_type(id).casefold()].kind.partition("/")
    fixed = ["subscriptions", "resourceGroups", "providers", type]
    return words[::2] == fixed and provider in words


class HybridNetwork(NexusEntity, frozen=True, gc=False):
    """An AKS hybrid virtual network: the wrapping of a network that a cluster can use."""

    kind: ClassVar[str] = f"{_HYBRID}/virtualNetworks"
    look: ClassVar[str] = "az hybridaks vnet list -o json"

    infra_vnet_profile: InfraVnetProfile | None = None

    @property
    def network_id(self) -> str:
        """The id of the wrapped network as it was written, letter by letter."""
        profile = self.infra_vnet_profile
        cloud = profile.network_cloud if profile else None
        return (cloud and cloud.network_id) or ""

    def network(self, snapshot: "Snapshot") -> NexusNetwork | None:
        """The wrapped network, or None if it is known not to exist."""
        return snapshot.get(arm(self.network_id), _NETWORKS[arm_type(self.network_id).casefold()])

    def site(self, snapshot: "Snapshot") -> NexusCluster | None:
        return _site_below([self.network_id], snapshot)

    def stands_on(self) -> Iterable[str | None]:
        return (self.network_id,)


def _site_below(network_ids: Iterable[str], snapshot: "Snapshot") -> NexusCluster | None:
    """The site that some networks belong to, as far as they are in evidence."""
    for id in network_ids:
        part = snapshot.find(arm(id)) if id else None
        if isinstance(part, HybridNetwork):
            part = snapshot.find(arm(part.network_id))
        if not isinstance(part, NexusEntity) or not part.cluster_id:
            continue
        site = snapshot.find(arm(part.cluster_id))
        if isinstance(site, NexusCluster):
            return site
    return None


class HybridCluster(NexusEntity, frozen=True, gc=False):
    """An AKS hybrid cluster, of either generation of the API."""

    status: HybridStatus | None = None
    cloud_provider_profile: CloudProviderProfile | None = None

    @property
    def network_ids(self) -> list[str]:
        profile = self.cloud_provider_profile
        networks = profile.infra_network_profile if profile else None
        return (networks and networks.vnet_subnet_ids) or []

    @property
    def created_at(self) -> datetime | None:
        stamp = (self.system_data and self.system_data.created_at) or ""
        try:
            created = datetime.fromisoformat(stamp)
        except ValueError:
            return None
        return created if created.tzinfo else None

    def absent_networks(self, snapshot: "Snapshot") -> list[str]:
        """The virtual networks that the cluster names and that are known not to exist."""
        wrapped = HybridNetwork.kind.casefold()
        vnets = [id for id in self.network_ids if arm_type(id).casefold() == wrapped]
        return [id for id in vnets if snapshot.get(arm(id), HybridNetwork) is None]

    def cloud_networks(self, snapshot: "Snapshot") -> Iterator[str]:
        """The ids of the site's networks that the cluster uses, wrapped or not."""
        for id in self.network_ids:
            if is_cloud_network(id):
                yield id
            elif arm_type(id).casefold() == HybridNetwork.kind.casefold():
                vnet = snapshot.get(arm(id), HybridNetwork)
                if vnet and is_cloud_network(vnet.network_id):
                    yield vnet.network_id

    def site(self, snapshot: "Snapshot") -> NexusCluster | None:
        """The site whose networks the cluster uses, as far as they are in evidence."""
        return _site_below(self.network_ids, snapshot)

    @property
    def error_message(self) -> str:
        return (self.status and self.status.error_message) or ""

    def stands_on(self) -> Iterable[str | None]:
        return self.network_ids


class ProvisionedCluster(HybridCluster, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_HYBRID}/provisionedClusters"
    look: ClassVar[str] = "az hybridaks list -o json"

    # Empty when they are not there: a short list says nothing of the agents, a null does.
    last_connectivity_time: str | None = ""
    managed_identity_certificate_expiration_time: str | None = ""

    @property
    def tells_of_agents(self) -> bool:
        """Whether the document has a place where the agents would have reported."""
        times = (self.last_connectivity_time, self.managed_identity_certificate_expiration_time)
        has_place = self.status is not None and self.status.features_status is not None
        return has_place or None in times

    @property
    def _agent(self) -> ArcAgentStatus:
        features = self.status.features_status if self.status else None
        return (features and features.arc_agent_status) or ArcAgentStatus()

    @property
    def connected_at(self) -> str:
        return self.last_connectivity_time or self._agent.last_connectivity_time or ""

    @property
    def certificate_ends_at(self) -> str:
        own = self.managed_identity_certificate_expiration_time
        return own or self._agent.managed_identity_certificate_expiration_time or ""


class ProvisionedClusterInstance(HybridCluster, frozen=True, gc=False):
    """A cluster of the newer API; it is the child of the connected cluster that it became."""

    kind: ClassVar[str] = f"{_HYBRID}/provisionedClusterInstances"
    look: ClassVar[str] = "az aksarc list -o json"

    kubernetes_version: str | None = None
    control_plane: ControlPlane | None = None
    agent_pool_profiles: list[PoolProfile] | None = None

    @property
    def title(self) -> str:
        """The name of the connected cluster: all instances are called `default`."""
        return self.connected_cluster.rpartition("/")[2] or self.name

    @property
    def connected_cluster(self) -> str:
        return self.id.rpartition("/providers/")[0]

    def stands_on(self) -> Iterable[str | None]:
        yield self.connected_cluster
        yield from self.network_ids


class HybridAgentPool(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_HYBRID}/provisionedClusters/agentPools"
    look: ClassVar[str] = (
        "az hybridaks nodepool list -g {resource_group} --cluster-name {cluster} -o json"
    )


class HybridInstancePool(NexusEntity, frozen=True, gc=False):
    kind: ClassVar[str] = f"{_HYBRID}/provisionedClusterInstances/agentPools"
    look: ClassVar[str] = (
        "az aksarc nodepool list -g {resource_group} --cluster-name {cluster} -o json"
    )

    count: int | None = None
    vm_size: str | None = None


class KubernetesVersions(NexusEntity, frozen=True, gc=False):
    """The Kubernetes versions of a custom location, and whether their images are there."""

    kind: ClassVar[str] = f"{_HYBRID}/kubernetesVersions"
    look: ClassVar[str] = "az aksarc get-versions --custom-location <custom-location-id> -o json"

    values: list[MinorVersion] | None = None

    @property
    def home(self) -> str:
        """The custom location that it speaks of."""
        return self.custom_location or self.id.rpartition("/providers/")[0]

    def readiness(self, version: str) -> list[VersionReadiness]:
        """What is known of a version; nothing when it is not listed."""
        for minor in self.values or ():
            for patch, state in (minor.patch_versions or {}).items():
                if patch == version.lstrip("v"):
                    return state.readiness or []
        return []


class LogicalNetwork(NexusEntity, frozen=True, gc=False):
    """A network of Azure Local that clusters and machines attach to."""

    kind: ClassVar[str] = "Microsoft.AzureStackHCI/logicalNetworks"
    look: ClassVar[str] = "az stack-hci-vm network lnet list -o json"

    subnets: list[LogicalSubnet] | None = None

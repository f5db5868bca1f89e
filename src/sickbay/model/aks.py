"""AKS clusters and their node pools."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

import msgspec

from sickbay.model.entity import ArmEntity, AzureShape, Entity, ErrorDetail
from sickbay.model.ids import Ref, arm
from sickbay.model.vmsize import VmSize, vm_size

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


# Azure CNI without overlay gives a node this many addresses for pods when nobody says otherwise.
_PODS_BY_DEFAULT: Final = 30
_LONGEST_NUMBER: Final = 4


class PowerState(AzureShape, frozen=True, gc=False):
    code: str | None = None


class ProvisioningStatus(AzureShape, frozen=True, gc=False):
    provisioning_error: ErrorDetail | None = None


class ApiServerAccess(AzureShape, frozen=True, gc=False):
    authorized_ip_ranges: list[str] | None = None
    enable_private_cluster: bool | None = None
    # `az` spells it with a small `fqdn`; both are one key in lower case.
    enable_private_cluster_public_fqdn: bool | None = None
    private_dns_zone: str | None = None
    enable_vnet_integration: bool | None = None
    subnet_id: str | None = None


class BalancerProfile(AzureShape, frozen=True, gc=False):
    cluster_service_load_balancer_health_probe_mode: str | None = None


class NetworkProfile(AzureShape, frozen=True, gc=False):
    network_plugin: str | None = None
    network_plugin_mode: str | None = None
    network_policy: str | None = None
    network_dataplane: str | None = None
    outbound_type: str | None = None
    pod_cidr: str | None = None
    service_cidr: str | None = None
    dns_service_ip: str | None = None
    load_balancer_sku: str | None = None
    load_balancer_profile: BalancerProfile | None = None

    @property
    def probe_mode(self) -> str:
        """How the load balancer probes services with external traffic policy Cluster."""
        balancer = self.load_balancer_profile
        return (balancer and balancer.cluster_service_load_balancer_health_probe_mode) or ""


class Principal(AzureShape, frozen=True, gc=False):
    """An identity by the ids that roles and tokens know it by."""

    principal_id: str | None = None
    object_id: str | None = None
    client_id: str | None = None
    resource_id: str | None = None


class Identity(AzureShape, frozen=True, gc=False):
    type: str | None = None
    principal_id: str | None = None
    user_assigned_identities: dict[str, Principal | None] | None = None


class ClusterSku(AzureShape, frozen=True, gc=False):
    name: str | None = None
    tier: str | None = None


class LinuxConfig(AzureShape, frozen=True, gc=False):
    """Custom settings of the operating system; that they are there is what is read."""


class Switch(AzureShape, frozen=True, gc=False):
    enabled: bool | None = None


class MonitorProfile(AzureShape, frozen=True, gc=False):
    metrics: Switch | None = None
    container_insights: Switch | None = None


class Defender(AzureShape, frozen=True, gc=False):
    security_monitoring: Switch | None = None


class SecurityProfile(AzureShape, frozen=True, gc=False):
    defender: Defender | None = None


class StorageDrivers(AzureShape, frozen=True, gc=False):
    disk_csi_driver: Switch | None = None
    file_csi_driver: Switch | None = None


class OidcIssuer(AzureShape, frozen=True, gc=False):
    enabled: bool | None = None
    issuer_url: str | None = None


class BootstrapProfile(AzureShape, frozen=True, gc=False):
    artifact_source: str | None = None
    container_registry_id: str | None = None


class ProxyConfig(AzureShape, frozen=True, gc=False):
    http_proxy: str | None = None
    https_proxy: str | None = None
    no_proxy: list[str] | None = None


class ServicePrincipal(AzureShape, frozen=True, gc=False):
    client_id: str | None = None


class UpgradeSettings(AzureShape, frozen=True, gc=False):
    max_surge: str | int | None = None
    max_unavailable: str | int | None = None
    drain_timeout_in_minutes: int | None = None


class AddOn(AzureShape, frozen=True, gc=False):
    enabled: bool | None = None
    # The keys are Azure's own, but each producer spells them in its own case.
    config: dict[str, str | None] | None = None

    def setting(self, name: str) -> str:
        """The value of a setting, or an empty string."""
        wanted = name.casefold()
        return next((v or "" for k, v in (self.config or {}).items() if k.casefold() == wanted), "")


def minor(version: str | None) -> int | None:
    """The minor part of a Kubernetes version, or None."""
    parts = (version or "").strip().lstrip("v").split(".")
    is_version = len(parts) > 1 and parts[1].isdecimal() and len(parts[1]) <= _LONGEST_NUMBER
    return int(parts[1]) if is_version else None


class AgentPool(ArmEntity, frozen=True, gc=False):
    """A node pool, as its own resource or as a profile inside its cluster."""

    kind: ClassVar[str] = "Microsoft.ContainerService/managedClusters/agentPools"
    look: ClassVar[str] = (
        "az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json"
    )

    count: int | None = None
    min_count: int | None = None
    max_count: int | None = None
    enable_auto_scaling: bool | None = None
    vm_size: str | None = None
    mode: str | None = None
    orchestrator_version: str | None = None
    current_orchestrator_version: str | None = None
    node_image_version: str | None = None
    vnet_subnet_id: str | None = None
    pod_subnet_id: str | None = None
    max_pods: int | None = None
    availability_zones: list[str] | None = None
    scale_set_priority: str | None = None
    upgrade_settings: UpgradeSettings | None = None
    power_state: PowerState | None = None
    status: ProvisioningStatus | None = None
    os_type: str | None = None
    os_sku: str | None = None
    enable_node_public_ip: bool | None = None
    scale_down_mode: str | None = None
    linux_os_config: LinuxConfig | None = None
    host_group_id: str | None = None
    capacity_reservation_group_id: str | None = None
    # What `az` calls the pool's own type, next to the type of the resource.
    type_properties_type: str | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)
        for subnet in (self.vnet_subnet_id, self.pod_subnet_id):
            if subnet:
                yield arm(subnet)
        if self.capacity_reservation_group_id:
            yield arm(self.capacity_reservation_group_id)

    @property
    def is_stopped(self) -> bool:
        return self.power_state is not None and self.power_state.code == "Stopped"

    @property
    def has_scale_set(self) -> bool:
        """Whether a scale set must be behind the pool; pools of single machines have none."""
        kinds = {(self.type or "").casefold(), (self.type_properties_type or "").casefold()}
        return "virtualmachinescalesets" in kinds

    @property
    def size(self) -> VmSize | None:
        return vm_size(self.vm_size)

    @property
    def is_spot(self) -> bool:
        return (self.scale_set_priority or "").casefold() == "spot"

    @property
    def most_nodes(self) -> int:
        """How many nodes the pool may come to have."""
        wanted = self.max_count if self.enable_auto_scaling else self.count
        return max(wanted or 0, self.count or 0)

    @property
    def surge(self) -> int:
        """The nodes that an upgrade adds at a time; a tenth of the pool by default."""
        asked = str((self.upgrade_settings and self.upgrade_settings.max_surge) or "10%").strip()
        number = asked.removesuffix("%")
        if not number.isdecimal() or len(number) > _LONGEST_NUMBER:
            return 1
        if not asked.endswith("%"):
            return int(number)
        return max(1, -(-(self.count or 0) * int(number) // 100))

    def addresses_of_node(self, network: NetworkProfile | None) -> int:
        """How many addresses of the node subnet one node takes."""
        plugin = ((network and network.network_plugin) or "").casefold()
        mode = ((network and network.network_plugin_mode) or "").casefold()
        if plugin != "azure" or mode == "overlay" or self.pod_subnet_id:
            return 1
        return 1 + (self.max_pods or _PODS_BY_DEFAULT)


class ManagedCluster(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ContainerService/managedClusters"
    look: ClassVar[str] = "az aks show -g {resource_group} -n {cluster} -o json"

    kubernetes_version: str | None = None
    current_kubernetes_version: str | None = None
    node_resource_group: str | None = None
    fqdn: str | None = None
    private_fqdn: str | None = None
    api_server_access_profile: ApiServerAccess | None = None
    network_profile: NetworkProfile | None = None
    service_principal_profile: ServicePrincipal | None = None
    power_state: PowerState | None = None
    status: ProvisioningStatus | None = None
    agent_pool_profiles: list[AgentPool] | None = None
    addon_profiles: dict[str, AddOn | None] | None = None
    azure_portal_fqdn: str | None = None
    public_network_access: str | None = None
    azure_monitor_profile: MonitorProfile | None = None
    security_profile: SecurityProfile | None = None
    bootstrap_profile: BootstrapProfile | None = None
    http_proxy_config: ProxyConfig | None = None
    enable_rbac: bool | None = None
    disable_local_accounts: bool | None = None
    identity: Identity | None = None
    identity_profile: dict[str, Principal | None] | None = None
    sku: ClusterSku | None = None
    oidc_issuer_profile: OidcIssuer | None = None
    storage_profile: StorageDrivers | None = None

    def children(self) -> Iterator[Entity]:
        for pool in self.agent_pool_profiles or ():
            yield msgspec.structs.replace(pool, id=f"{self.id}/agentPools/{pool.name}")

    @property
    def is_stopped(self) -> bool:
        return self.power_state is not None and self.power_state.code == "Stopped"

    @property
    def is_private(self) -> bool:
        access = self.api_server_access_profile
        return bool(access and access.enable_private_cluster)

    @property
    def has_integrated_server(self) -> bool:
        """Whether the API server has a private address in a subnet that was given to it."""
        access = self.api_server_access_profile
        return bool(access and access.enable_vnet_integration)

    @property
    def principals(self) -> tuple[str, ...]:
        """The object ids that the control plane acts with."""
        identity = self.identity
        own = [identity.principal_id] if identity else []
        given = (identity and identity.user_assigned_identities) or {}
        own += [one.principal_id for one in given.values() if one]
        return tuple(dict.fromkeys(id for id in own if id))

    @property
    def drivers_off(self) -> tuple[str, ...]:
        """The drivers for volumes that are there by default and were switched off."""
        own = self.storage_profile or StorageDrivers()
        known = {"disk": own.disk_csi_driver, "file": own.file_csi_driver}
        return tuple(
            f"{k}.csi.azure.com" for k, one in known.items() if one and one.enabled is False
        )

    @property
    def kubelet_object_id(self) -> str:
        kubelet = (self.identity_profile or {}).get("kubeletidentity")
        return (kubelet and kubelet.object_id) or ""

    @property
    def kubelet_resource_id(self) -> str:
        kubelet = (self.identity_profile or {}).get("kubeletidentity")
        return (kubelet and kubelet.resource_id) or ""

    @property
    def node_group_id(self) -> str:
        """The ARM id of the resource group that holds the nodes, or an empty string."""
        if not self.node_resource_group:
            return ""
        return f"/subscriptions/{self.ref.subscription}/resourceGroups/{self.node_resource_group}"

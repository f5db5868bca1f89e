"""Parts of the documents of AKS hybrid clusters and their networks."""

from sickbay.model.entity import AzureShape, ErrorDetail


class NetworkCloudProfile(AzureShape, frozen=True, gc=False):
    network_id: str | None = None


class VmwareProfile(AzureShape, frozen=True, gc=False):
    segment_name: str | None = None


class InfraVnetProfile(AzureShape, frozen=True, gc=False):
    network_cloud: NetworkCloudProfile | None = None
    vmware: VmwareProfile | None = None


class ArcAgentStatus(AzureShape, frozen=True, gc=False):
    deployment_state: str | None = None
    error_message: str | None = None
    last_connectivity_time: str | None = None
    managed_identity_certificate_expiration_time: str | None = None


class FeaturesStatus(AzureShape, frozen=True, gc=False):
    arc_agent_status: ArcAgentStatus | None = None


class HybridProvisioning(AzureShape, frozen=True, gc=False):
    phase: str | None = None
    error: ErrorDetail | None = None


class ComponentStatus(AzureShape, frozen=True, gc=False):
    """An add-on, or a part of the control plane."""

    name: str | None = None
    phase: str | None = None
    ready: bool | str | None = None
    error_message: str | None = None


class HybridStatus(AzureShape, frozen=True, gc=False):
    error_message: str | None = None
    current_state: str | None = None
    control_plane_status: list[ComponentStatus] | None = None
    addon_status: dict[str, ComponentStatus | None] | None = None
    features_status: FeaturesStatus | None = None
    provisioning_status: HybridProvisioning | None = None


class InfraNetworkProfile(AzureShape, frozen=True, gc=False):
    vnet_subnet_ids: list[str] | None = None


class CloudProviderProfile(AzureShape, frozen=True, gc=False):
    infra_network_profile: InfraNetworkProfile | None = None


class ControlPlane(AzureShape, frozen=True, gc=False):
    count: int | None = None


class PoolProfile(AzureShape, frozen=True, gc=False):
    name: str | None = None
    count: int | None = None
    vm_size: str | None = None


class VersionReadiness(AzureShape, frozen=True, gc=False):
    os_sku: str | None = None
    os_type: str | None = None
    ready: bool | None = None
    error_message: str | None = None


class PatchVersion(AzureShape, frozen=True, gc=False):
    readiness: list[VersionReadiness] | None = None


class MinorVersion(AzureShape, frozen=True, gc=False):
    patch_versions: dict[str, PatchVersion] | None = None


class PoolInfo(AzureShape, frozen=True, gc=False):
    used: int | str | None = None
    available: int | str | None = None


class AddressPool(AzureShape, frozen=True, gc=False):
    start: str | None = None
    end: str | None = None
    info: PoolInfo | None = None


class LogicalSubnet(AzureShape, frozen=True, gc=False):
    ip_allocation_method: str | None = None
    address_prefix: str | None = None
    ip_pools: list[AddressPool] | None = None

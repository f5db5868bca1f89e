"""Parts of the documents of a Nexus site."""

from collections.abc import Iterator

from sickbay.model.entity import AzureShape


class Condition(AzureShape, frozen=True, gc=False):
    type: str | None = None
    status: str | None = None
    reason: str | None = None


class UpgradeVersion(AzureShape, frozen=True, gc=False):
    target_cluster_version: str | None = None
    version: str | None = None


class ActionState(AzureShape, frozen=True, gc=False):
    """What became of the last action of a kind on a site."""

    action_type: str | None = None
    status: str | None = None
    message: str | None = None


class DeploymentThreshold(AzureShape, frozen=True, gc=False):
    type: str | None = None
    grouping: str | None = None
    value: int | None = None


class EgressEndpoint(AzureShape, frozen=True, gc=False):
    domain_name: str | None = None


class EgressEndpoints(AzureShape, frozen=True, gc=False):
    category: str | None = None
    endpoints: list[EgressEndpoint] | None = None


class HardwareValidation(AzureShape, frozen=True, gc=False):
    result: str | None = None
    last_validation_time: str | None = None


class NetworkAttachment(AzureShape, frozen=True, gc=False):
    attached_network_id: str | None = None
    ipv4_address: str | None = None
    ipv6_address: str | None = None


class AttachedNetwork(AzureShape, frozen=True, gc=False):
    network_id: str | None = None


class AttachedNetworks(AzureShape, frozen=True, gc=False):
    l2_networks: list[AttachedNetwork] | None = None
    l3_networks: list[AttachedNetwork] | None = None
    trunked_networks: list[AttachedNetwork] | None = None


class AddressPool(AzureShape, frozen=True, gc=False):
    name: str | None = None
    addresses: list[str] | None = None


class LoadBalancer(AzureShape, frozen=True, gc=False):
    ip_address_pools: list[AddressPool] | None = None


class NetworkConfiguration(AzureShape, frozen=True, gc=False):
    cloud_services_network_id: str | None = None
    cni_network_id: str | None = None
    attached_network_configuration: AttachedNetworks | None = None
    pod_cidrs: list[str] | None = None
    service_cidrs: list[str] | None = None
    l2_service_load_balancer_configuration: LoadBalancer | None = None

    def network_ids(self) -> Iterator[str | None]:
        yield from (self.cloud_services_network_id, self.cni_network_id)
        attached = self.attached_network_configuration or AttachedNetworks()
        for group in (attached.l2_networks, attached.l3_networks, attached.trunked_networks):
            yield from (network.network_id for network in group or ())


class NexusNode(AzureShape, frozen=True, gc=False):
    """A virtual machine that is a node of a cluster."""

    name: str | None = None
    detailed_status: str | None = None
    detailed_status_message: str | None = None
    power_state: str | None = None
    bare_metal_machine_id: str | None = None


class FeatureStatus(AzureShape, frozen=True, gc=False):
    """A feature of a cluster: an add-on that Nexus installs."""

    name: str | None = None
    detailed_status: str | None = None
    detailed_status_message: str | None = None


class StorageStatus(AzureShape, frozen=True, gc=False):
    status: str | None = None
    status_message: str | None = None

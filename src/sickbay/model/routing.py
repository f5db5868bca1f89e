"""Azure resources that decide where traffic goes: routes, peerings, gateways, firewalls."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from sickbay.model.azure import Reference, Sku
from sickbay.model.entity import ArmEntity, AzureShape, Entity
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


def _linked(*references: Reference | None) -> Iterator[Ref]:
    for reference in references:
        if reference and reference.id:
            yield arm(reference.id)


class Route(ArmEntity, frozen=True, gc=False):
    """A route of a user, alone or inside its table; its prefix may be a service tag."""

    kind: ClassVar[str] = "Microsoft.Network/routeTables/routes"
    look: ClassVar[str] = (
        "az network route-table route list -g {resource_group} --route-table-name <table> -o json"
    )

    address_prefix: str | None = None
    next_hop_type: str | None = None
    next_hop_ip_address: str | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)


class RouteTable(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/routeTables"
    look: ClassVar[str] = "az network route-table list -o json"

    routes: list[Route] | None = None
    disable_bgp_route_propagation: bool | None = None

    def children(self) -> Iterator[Entity]:
        for route in self.routes or ():
            yield route if route.id else replace(route, id=f"{self.id}/routes/{route.name}")


class EffectiveRoute(AzureShape, frozen=True, gc=False):
    """A row of what Azure itself says that it does for one network interface."""

    name: str | None = None
    source: str | None = None
    state: str | None = None
    address_prefix: list[str] | str | None = None
    next_hop_type: str | None = None
    next_hop_ip_address: list[str] | str | None = None

    @property
    def prefixes(self) -> list[str]:
        found = self.address_prefix or []
        return [found] if isinstance(found, str) else found

    @property
    def hop(self) -> str:
        found = self.next_hop_ip_address or []
        return found if isinstance(found, str) else next(iter(found), "")


class EffectiveRoutes(ArmEntity, frozen=True, gc=False):
    """All routes of one network interface; the id is that of the interface and a last word."""

    kind: ClassVar[str] = "Microsoft.Network/networkInterfaces/effectiveRoutes"
    look: ClassVar[str] = "az network nic show-effective-route-table --ids <nic-id> -o json"

    routes: list[EffectiveRoute] | None = None
    subnet: Reference | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)
        yield from _linked(self.subnet)


class IpConfiguration(AzureShape, frozen=True, gc=False):
    """An address of a gateway, a firewall or a load balancer."""

    id: str | None = None
    name: str | None = None
    private_ip_address: str | None = None
    public_ip_address: Reference | None = None
    subnet: Reference | None = None


class VirtualNetworkGateway(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/virtualNetworkGateways"
    look: ClassVar[str] = "az network vnet-gateway list -g {resource_group} -o json"

    gateway_type: str | None = None
    enable_bgp: bool | None = None
    ip_configurations: list[IpConfiguration] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        for configuration in self.ip_configurations or ():
            yield from _linked(configuration.subnet)


class NatGateway(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/natGateways"
    look: ClassVar[str] = "az network nat gateway list -o json"

    public_ip_addresses: list[Reference] | None = None
    public_ip_prefixes: list[Reference] | None = None
    idle_timeout_in_minutes: int | None = None
    subnets: list[Reference] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield from _linked(*(self.public_ip_addresses or ()))


class DnsSettings(AzureShape, frozen=True, gc=False):
    """Of a public address its name; of a firewall whom it asks, and whether it answers others."""

    fqdn: str | None = None
    servers: list[str] | None = None
    enable_proxy: bool | None = None


class PublicIPAddress(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/publicIPAddresses"
    look: ClassVar[str] = "az network public-ip list -o json"

    ip_address: str | None = None
    ip_configuration: Reference | None = None
    nat_gateway: Reference | None = None
    dns_settings: DnsSettings | None = None
    sku: Sku | None = None


class PublicIPPrefix(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/publicIPPrefixes"
    look: ClassVar[str] = "az network public-ip prefix list -o json"

    ip_prefix: str | None = None


class BackendAddress(AzureShape, frozen=True, gc=False):
    ip_address: str | None = None


class BackendPool(AzureShape, frozen=True, gc=False):
    id: str | None = None
    name: str | None = None
    backend_ip_configurations: list[Reference] | None = None
    load_balancer_backend_addresses: list[BackendAddress] | None = None


class LoadBalancingRule(AzureShape, frozen=True, gc=False):
    name: str | None = None
    protocol: str | None = None
    frontend_port: int | None = None
    backend_port: int | None = None
    enable_floating_ip: bool | None = None
    disable_outbound_snat: bool | None = None
    frontend_ip_configuration: Reference | None = None
    backend_address_pool: Reference | None = None
    probe: Reference | None = None


class OutboundRule(AzureShape, frozen=True, gc=False):
    name: str | None = None
    protocol: str | None = None
    allocated_outbound_ports: int | None = None
    frontend_ip_configurations: list[Reference] | None = None
    backend_address_pool: Reference | None = None


class Probe(AzureShape, frozen=True, gc=False):
    id: str | None = None
    name: str | None = None
    protocol: str | None = None
    port: int | None = None
    request_path: str | None = None


class LoadBalancer(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/loadBalancers"
    look: ClassVar[str] = "az network lb list -g {node_resource_group} -o json"

    sku: Sku | None = None
    frontend_ip_configurations: list[IpConfiguration] | None = None
    backend_address_pools: list[BackendPool] | None = None
    load_balancing_rules: list[LoadBalancingRule] | None = None
    outbound_rules: list[OutboundRule] | None = None
    probes: list[Probe] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        for frontend in self.frontend_ip_configurations or ():
            yield from _linked(frontend.public_ip_address, frontend.subnet)


class Action(AzureShape, frozen=True, gc=False):
    type: str | None = None


class RuleProtocol(AzureShape, frozen=True, gc=False):
    protocol_type: str | None = None
    port: int | None = None


class FirewallRule(AzureShape, frozen=True, gc=False):
    """A rule of any of the three kinds, of a policy or of a firewall that has its own."""

    name: str | None = None
    rule_type: str | None = None
    # Application rules hold objects here, the classic network and NAT rules words.
    protocols: list[RuleProtocol | str] | None = None
    ip_protocols: list[str] | None = None
    source_addresses: list[str] | None = None
    source_ip_groups: list[str] | None = None
    destination_addresses: list[str] | None = None
    destination_ip_groups: list[str] | None = None
    destination_fqdns: list[str] | None = None
    destination_ports: list[str] | None = None
    target_fqdns: list[str] | None = None
    target_urls: list[str] | None = None
    fqdn_tags: list[str] | None = None
    web_categories: list[str] | None = None
    terminate_tls: bool | None = None
    translated_address: str | None = None
    translated_fqdn: str | None = None
    translated_port: str | int | None = None


class RuleCollection(AzureShape, frozen=True, gc=False):
    name: str | None = None
    priority: int | None = None
    action: Action | None = None
    rules: list[FirewallRule] | None = None
    rule_collection_type: str | None = None


class HubAddresses(AzureShape, frozen=True, gc=False):
    private_ip_address: str | None = None


class AzureFirewall(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/azureFirewalls"
    look: ClassVar[str] = "az network firewall list -o json"

    ip_configurations: list[IpConfiguration] | None = None
    hub_ip_addresses: HubAddresses | None = None
    firewall_policy: Reference | None = None
    threat_intel_mode: str | None = None
    # Settings of a firewall without a policy, such as `Network.DNS.EnableProxy`.
    additional_properties: dict[str, str | bool | None] | None = None
    nat_rule_collections: list[RuleCollection] | None = None
    network_rule_collections: list[RuleCollection] | None = None
    application_rule_collections: list[RuleCollection] | None = None

    @property
    def private_addresses(self) -> list[str]:
        own = [one.private_ip_address for one in self.ip_configurations or ()]
        hub = self.hub_ip_addresses.private_ip_address if self.hub_ip_addresses else None
        return [address for address in (*own, hub) if address]

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield from _linked(self.firewall_policy)
        for configuration in self.ip_configurations or ():
            yield from _linked(configuration.subnet, configuration.public_ip_address)


class FirewallPolicy(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/firewallPolicies"
    look: ClassVar[str] = "az network firewall policy list -o json"

    base_policy: Reference | None = None
    rule_collection_groups: list[Reference] | None = None
    dns_settings: DnsSettings | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield from _linked(self.base_policy)


class RuleCollectionGroup(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/firewallPolicies/ruleCollectionGroups"
    look: ClassVar[str] = (
        "az network firewall policy rule-collection-group list "
        "-g {resource_group} --policy-name <policy> -o json"
    )

    priority: int | None = None
    rule_collections: list[RuleCollection] | None = None


class IpGroup(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/ipGroups"
    look: ClassVar[str] = "az network ip-group list -o json"

    ip_addresses: list[str] | None = None

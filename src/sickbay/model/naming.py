"""Azure resources behind names: private DNS zones, their records, endpoints, resolvers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.azure import Reference
from sickbay.model.entity import ArmEntity, AzureShape, Entity, Shape
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class NetworkLink(ArmEntity, frozen=True, gc=False):
    """What lets a virtual network see names that others do not."""

    virtual_network: Reference | None = None

    @property
    def network_key(self) -> str:
        """The virtual network, as two spellings of it have it in common."""
        network = self.virtual_network
        return arm(network.id).key if network and network.id else ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)
        if self.virtual_network and self.virtual_network.id:
            yield arm(self.virtual_network.id)


class ZoneLink(NetworkLink, frozen=True, gc=False):
    """The link of a private DNS zone to a virtual network."""

    kind: ClassVar[str] = "Microsoft.Network/privateDnsZones/virtualNetworkLinks"
    look: ClassVar[str] = (
        "az network private-dns link vnet list -g {resource_group} -z <zone> -o json"
    )

    registration_enabled: bool | None = None
    virtual_network_link_state: str | None = None
    resolution_policy: str | None = None

    @property
    def is_complete(self) -> bool:
        return (self.virtual_network_link_state or "Completed").casefold() == "completed"

    @property
    def asks_the_internet(self) -> bool:
        """Whether a name that the zone does not hold is asked of public DNS."""
        return (self.resolution_policy or "").casefold() == "nxdomainredirect"


class Ipv4Record(AzureShape, frozen=True, gc=False):
    ipv4_address: str | None = None


class Ipv6Record(AzureShape, frozen=True, gc=False):
    ipv6_address: str | None = None


class CnameRecord(AzureShape, frozen=True, gc=False):
    cname: str | None = None


class RecordSet(ArmEntity, frozen=True, gc=False):
    """The records of one name and type in a private DNS zone."""

    fqdn: str | None = None
    is_auto_registered: bool | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        return ()

    @property
    def alias(self) -> str:
        return ""


class AddressRecords(RecordSet, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/privateDnsZones/A"
    look: ClassVar[str] = "az network private-dns record-set list -g {resource_group} -z <zone>"

    a_records: list[Ipv4Record] | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(one.ipv4_address for one in self.a_records or () if one.ipv4_address)


class LongAddressRecords(RecordSet, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/privateDnsZones/AAAA"
    look: ClassVar[str] = AddressRecords.look

    aaaa_records: list[Ipv6Record] | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(one.ipv6_address for one in self.aaaa_records or () if one.ipv6_address)


class AliasRecord(RecordSet, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/privateDnsZones/CNAME"
    look: ClassVar[str] = AddressRecords.look

    cname_record: CnameRecord | None = None

    @property
    def alias(self) -> str:
        return (self.cname_record and self.cname_record.cname) or ""


class EndpointName(AzureShape, frozen=True, gc=False):
    """A name that a private endpoint stands for, and its addresses."""

    fqdn: str | None = None
    ip_addresses: list[str] | None = None


class ConnectionState(AzureShape, frozen=True, gc=False):
    status: str | None = None


class EndpointConnection(AzureShape, frozen=True, gc=False):
    private_link_service_id: str | None = None
    group_ids: list[str] | None = None
    private_link_service_connection_state: ConnectionState | None = None


class EndpointAddress(AzureShape, frozen=True, gc=False):
    private_ip_address: str | None = None
    subnet: Reference | None = None


class PrivateEndpoint(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/privateEndpoints"
    look: ClassVar[str] = "az network private-endpoint list -o json"

    subnet: Reference | None = None
    network_interfaces: list[Reference] | None = None
    custom_dns_configs: list[EndpointName] | None = None
    ip_configurations: list[EndpointAddress] | None = None
    private_link_service_connections: list[EndpointConnection] | None = None
    manual_private_link_service_connections: list[EndpointConnection] | None = None

    @property
    def connections(self) -> list[EndpointConnection]:
        return [
            *(self.private_link_service_connections or ()),
            *(self.manual_private_link_service_connections or ()),
        ]

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        for part in (self.subnet, *(self.network_interfaces or ())):
            if part and part.id:
                yield arm(part.id)


class ZoneConfig(AzureShape, frozen=True, gc=False):
    private_dns_zone_id: str | None = None
    record_sets: list[EndpointName] | None = None

    @property
    def names(self) -> list[EndpointName]:
        return self.record_sets or []


class ZoneGroup(ArmEntity, frozen=True, gc=False):
    """Which zones hold the records of a private endpoint."""

    kind: ClassVar[str] = "Microsoft.Network/privateEndpoints/privateDnsZoneGroups"
    look: ClassVar[str] = (
        "az network private-endpoint dns-zone-group list -g {resource_group} "
        "--endpoint-name <endpoint> -o json"
    )

    private_dns_zone_configs: list[ZoneConfig] | None = None


class DnsResolver(ArmEntity, frozen=True, gc=False):
    """A private resolver: Azure's DNS of its network, for others to ask."""

    kind: ClassVar[str] = "Microsoft.Network/dnsResolvers"
    look: ClassVar[str] = "az dns-resolver list -o json"

    virtual_network: Reference | None = None


class ResolverEntrance(ArmEntity, frozen=True, gc=False):
    """The inbound endpoint of a private resolver."""

    kind: ClassVar[str] = "Microsoft.Network/dnsResolvers/inboundEndpoints"
    look: ClassVar[str] = (
        "az dns-resolver inbound-endpoint list -g {resource_group} "
        "--dns-resolver-name <resolver> -o json"
    )

    ip_configurations: list[EndpointAddress] | None = None


class ForwardingRulesetLink(NetworkLink, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/dnsForwardingRulesets/virtualNetworkLinks"
    look: ClassVar[str] = (
        "az dns-resolver vnet-link list -g {resource_group} --ruleset-name <ruleset> -o json"
    )


class ForwardingTarget(AzureShape, frozen=True, gc=False):
    ip_address: str | None = None
    port: int | None = None


class ForwardingRule(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/dnsForwardingRulesets/forwardingRules"
    look: ClassVar[str] = (
        "az dns-resolver forwarding-rule list -g {resource_group} --ruleset-name <ruleset> -o json"
    )

    domain_name: str | None = None
    forwarding_rule_state: str | None = None
    target_dns_servers: list[ForwardingTarget] | None = None

    @property
    def is_on(self) -> bool:
        return (self.forwarding_rule_state or "Enabled").casefold() == "enabled"


class Caller(Entity, Shape, frozen=True, gc=False):
    """Who called Azure, from which address, on which day: out of the activity log.

    Without a name it is whoever saved the evidence, who looked up their own address.
    """

    kind: ClassVar[str] = "caller"
    look: ClassVar[str] = "az monitor activity-log list --offset 7d -o json"

    who: str = ""
    address: str = ""
    day: str = ""

    @property
    def ref(self) -> Ref:
        # A log has the same caller a thousand times: one entity a day is enough.
        return Ref(self.kind, f"caller/{self.who}/{self.address}/{self.day}")

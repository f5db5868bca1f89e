"""Azure resources that filter packets: security groups, their rules, and what they stand on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, TypeVar

from msgspec.structs import replace

from sickbay.model.azure import Reference
from sickbay.model.entity import ArmEntity, AzureShape, Entity
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

R = TypeVar("R", bound="SecurityRule")


class SecurityRule(ArmEntity, frozen=True, gc=False):
    """A rule that a user wrote, inside its group or as a document of its own."""

    kind: ClassVar[str] = "Microsoft.Network/networkSecurityGroups/securityRules"
    look: ClassVar[str] = "az network nsg rule list -g {resource_group} --nsg-name <nsg> -o json"

    priority: int | None = None
    direction: str | None = None
    access: str | None = None
    protocol: str | None = None
    source_address_prefix: str | None = None
    source_address_prefixes: list[str] | None = None
    source_application_security_groups: list[Reference] | None = None
    source_port_range: str | int | None = None
    source_port_ranges: list[str | int] | None = None
    destination_address_prefix: str | None = None
    destination_address_prefixes: list[str] | None = None
    destination_application_security_groups: list[Reference] | None = None
    destination_port_range: str | int | None = None
    destination_port_ranges: list[str | int] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)


class DefaultSecurityRule(SecurityRule, frozen=True, gc=False):
    """A rule that every group has, below those that a user writes."""

    kind: ClassVar[str] = "Microsoft.Network/networkSecurityGroups/defaultSecurityRules"
    look: ClassVar[str] = (
        "az network nsg rule list -g {resource_group} --nsg-name <nsg> --include-default -o json"
    )


class NetworkSecurityGroup(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/networkSecurityGroups"
    look: ClassVar[str] = "az network nsg list -o json"

    security_rules: list[SecurityRule] | None = None
    default_security_rules: list[DefaultSecurityRule] | None = None
    subnets: list[Reference] | None = None
    network_interfaces: list[Reference] | None = None

    def children(self) -> Iterator[Entity]:
        yield from self._named(self.security_rules, "securityRules")
        yield from self._named(self.default_security_rules, "defaultSecurityRules")

    def _named(self, rules: list[R] | None, segment: str) -> Iterator[R]:
        for rule in rules or ():
            yield rule if rule.id else replace(rule, id=f"{self.id}/{segment}/{rule.name}")


class ApplicationSecurityGroup(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/applicationSecurityGroups"
    look: ClassVar[str] = "az network asg list -o json"


class InterfaceAddress(AzureShape, frozen=True, gc=False):
    """One address of a network interface."""

    name: str | None = None
    private_ip_address: str | None = None
    primary: bool | None = None
    subnet: Reference | None = None
    public_ip_address: Reference | None = None
    application_security_groups: list[Reference] | None = None


class NetworkInterface(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/networkInterfaces"
    look: ClassVar[str] = "az network nic list -o json"

    ip_configurations: list[InterfaceAddress] | None = None
    network_security_group: Reference | None = None
    virtual_machine: Reference | None = None
    private_endpoint: Reference | None = None

    @property
    def subnet_ids(self) -> list[str]:
        subnets = [part.subnet for part in self.ip_configurations or ()]
        return [subnet.id for subnet in subnets if subnet and subnet.id]

    @property
    def machine_id(self) -> str:
        """The machine that it belongs to; the id of a scale set's interface spells it."""
        if self.virtual_machine and self.virtual_machine.id:
            return self.virtual_machine.id
        at = self.id.casefold().rfind("/networkinterfaces/")
        above = self.id[: max(at, 0)]
        return above if "/virtualmachines/" in above.casefold() else ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        for id in (*dict.fromkeys(self.subnet_ids), self.machine_id):
            if id:
                yield arm(id)
        if self.network_security_group and self.network_security_group.id:
            yield arm(self.network_security_group.id)


class ScaleSetInterface(NetworkInterface, frozen=True, gc=False):
    """The network interface of a scale set's instance, such as a node."""

    kind: ClassVar[str] = (
        "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces"
    )
    look: ClassVar[str] = "az vmss nic list -g {node_resource_group} --vmss-name <vmss> -o json"


class Association(AzureShape, frozen=True, gc=False):
    """What a security group is attached to."""

    network_interface: Reference | None = None
    subnet: Reference | None = None


class EffectiveRule(SecurityRule, frozen=True, gc=False):
    """A rule as the platform applies it, with the ranges that its tags stand for today."""

    kind: ClassVar[str] = "Microsoft.Network/effectiveSecurityRules"
    look: ClassVar[str] = "az network nic list-effective-nsg -g <group> -n <nic> -o json"

    expanded_source_address_prefix: list[str] | None = None
    expanded_destination_address_prefix: list[str] | None = None


class EffectiveSecurityGroup(ArmEntity, frozen=True, gc=False):
    """What the platform says that one group does where it is attached.

    Its id is that of the subnet or interface, with the name of the group behind it.
    """

    kind: ClassVar[str] = "Microsoft.Network/effectiveNetworkSecurityGroups"
    look: ClassVar[str] = EffectiveRule.look

    association: Association | None = None
    network_security_group: Reference | None = None
    effective_security_rules: list[EffectiveRule] | None = None

    @property
    def nic_key(self) -> str:
        at = self.association and self.association.network_interface
        return arm(at.id).key if at and at.id else ""

    @property
    def subnet_key(self) -> str:
        at = self.association and self.association.subnet
        return arm(at.id).key if at and at.id else ""


class ServiceTag(AzureShape, frozen=True, gc=False):
    """The public ranges of one service, in one region or in all."""

    name: str | None = None
    address_prefixes: list[str] | None = None


class ServiceTags(ArmEntity, frozen=True, gc=False):
    """The list of tags that Azure publishes."""

    kind: ClassVar[str] = "Microsoft.Network/serviceTags"
    look: ClassVar[str] = "az network list-service-tags -l {location} -o json"

    values: list[ServiceTag] | None = None

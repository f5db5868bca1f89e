"""Which security groups stand at a subnet and at a network interface, and their rules in order."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from sickbay.model.azure import Subnet
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref, arm
from sickbay.model.security import (
    DefaultSecurityRule,
    EffectiveSecurityGroup,
    NetworkInterface,
    NetworkSecurityGroup,
    SecurityRule,
)
from sickbay.model.snapshot import Snapshot
from sickbay.network.flow import Flow
from sickbay.network.nsg_match import interfaces
from sickbay.network.nsg_space import evident
from sickbay.network.nsg_terms import Terms, terms_of
from sickbay.network.prefixes import Prefix, parse

_SCALE_SET: Final = "/virtualmachinescalesets/"
_GOVERNED: Final = frozenset({"enabled", "networksecuritygroupenabled"})


class Group(NamedTuple):
    """A security group at one place: its name and rules, or why its rules are not known."""

    name: str
    ref: Ref
    place: str
    rules: tuple[Terms, ...] = ()
    gap: Gap | None = None


class Layer(NamedTuple):
    """What stands at one place: a group, none, or (with a gap) nobody read it."""

    kind: str
    ref: Ref
    group: Group | None = None
    gap: Gap | None = None


def at_subnet(snapshot: Snapshot, subnet: str) -> Layer | None:
    """The layer of a subnet; None when there is no subnet to ask about."""
    if not subnet:
        return None
    ref = arm(subnet)
    kind, place = "Subnet", f"subnet {ref.name}"
    effective = [
        group
        for group in snapshot.grouped(EffectiveSecurityGroup, "subnet_key", ref.key)
        if not group.nic_key
    ]
    if effective:
        return Layer(kind, ref, _effective(place, min(effective, key=lambda group: group.ref)))
    entity = snapshot.find(ref)
    found = _attached(snapshot).get(ref.key)
    # A row of a table tells of a subnet, but not all of it.
    if isinstance(entity, Subnet) and entity.prefixes:
        reference = entity.network_security_group
        found = arm(reference.id) if reference and reference.id else found
    elif found is None:
        look = f"az network vnet subnet show --ids {subnet} -o json"
        what = f"the security group of subnet {ref.name}"
        return Layer(kind, ref, gap=Gap(Subnet.kind, what, to_open=look))
    return Layer(kind, ref, _group(snapshot, found, place) if found else None)


def at_interface(snapshot: Snapshot, nic: str) -> Layer | None:
    """The layer of a network interface; None when there is no interface to ask about."""
    if not nic:
        return None
    ref = arm(nic)
    kind, place = "NetworkInterface", f"network interface {ref.name}"
    effective = snapshot.grouped(EffectiveSecurityGroup, "nic_key", ref.key)
    if effective:
        return Layer(kind, ref, _effective(place, min(effective, key=lambda group: group.ref)))
    entity = snapshot.find(ref)
    attached = _attached(snapshot)
    # The instances of a scale set are alike: what stands at one stands at all.
    found = attached.get(ref.key) or attached.get(_scale_set(ref.key))
    if isinstance(entity, NetworkInterface):
        reference = entity.network_security_group
        found = arm(reference.id) if reference and reference.id else found
    elif found is None:
        what = f"the security group of network interface {ref.name}"
        return Layer(kind, ref, gap=Gap(NetworkInterface.kind, what, to_open=NetworkInterface.look))
    return Layer(kind, ref, _group(snapshot, found, place) if found else None)


def is_ungoverned(snapshot: Snapshot, subnet: str, flow: Flow) -> bool:
    """Whether a flow goes to a private endpoint in a subnet that spares them its group."""
    address = parse(flow.destination)
    where = snapshot.once(_private_endpoints).get(address) if address else None
    entity = snapshot.find(arm(subnet)) if where == arm(subnet).key else None
    policies = entity.private_endpoint_network_policies if isinstance(entity, Subnet) else None
    is_here = isinstance(entity, Subnet)
    return is_here and (policies or "disabled").casefold() not in _GOVERNED


def _private_endpoints(snapshot: Snapshot) -> dict[Prefix | None, str]:
    """The subnet of every address that a private endpoint in evidence has."""
    return {
        parse(part.private_ip_address or ""): arm(part.subnet.id).key
        for nic in interfaces(snapshot)
        if nic.private_endpoint
        for part in nic.ip_configurations or ()
        if part.subnet and part.subnet.id
    }


def _effective(place: str, group: EffectiveSecurityGroup) -> Group:
    """What the platform itself says that it does."""
    reference = group.network_security_group
    ref = arm((reference and reference.id) or group.id)
    # A name such as `securityRules/web` is the end of the rule's id.
    rules = [
        replace(rule, id=f"{ref.id}/{rule.name}") for rule in group.effective_security_rules or ()
    ]
    return Group(ref.name, ref, place, _ordered(rules))


def _group(snapshot: Snapshot, ref: Ref, place: str) -> Group:
    entity = snapshot.find(ref)
    own = _own(snapshot, ref)
    is_told = snapshot.has_seen(SecurityRule.kind, ref.id) and bool(own)
    if isinstance(entity, NetworkSecurityGroup):
        lists = (entity.security_rules, entity.default_security_rules)
        is_told = is_told or any(rules is not None for rules in lists)
    if not is_told:
        look = f"az network nsg show --ids {ref.id} -o json"
        what = f"the rules of network security group {ref.name}"
        return Group(ref.name, ref, place, gap=Gap(NetworkSecurityGroup.kind, what, to_open=look))
    return Group(ref.name, ref, place, _rules(snapshot, ref))


def _rules(snapshot: Snapshot, ref: Ref) -> tuple[Terms, ...]:
    """The rules of a group, read once for all who ask."""
    made = snapshot.once(_none_yet)
    if ref.key not in made:
        own = _own(snapshot, ref)
        default = snapshot.grouped(DefaultSecurityRule, "parent_key", ref.key)
        made[ref.key] = _ordered((*own, *(default or _implied(ref))))
    return made[ref.key]


def _own(snapshot: Snapshot, ref: Ref) -> list[SecurityRule]:
    """The rules that users wrote; where there are none, the default ones would answer for them."""
    found = snapshot.grouped(SecurityRule, "parent_key", ref.key)
    return [rule for rule in found if type(rule) is SecurityRule]


def _ordered(rules: Sequence[SecurityRule]) -> tuple[Terms, ...]:
    return tuple(sorted(map(terms_of, rules), key=lambda rule: (rule.priority, rule.ref)))


def _none_yet(_: Snapshot) -> dict[str, tuple[Terms, ...]]:
    return {}


def _attached(snapshot: Snapshot) -> dict[str, Ref]:
    return snapshot.once(_attachments)


def _attachments(snapshot: Snapshot) -> dict[str, Ref]:
    """What groups say that they are attached to: subnets, interfaces, and their scale sets."""
    found: dict[str, Ref] = {}
    for group in evident(snapshot, NetworkSecurityGroup):
        for reference in (*(group.subnets or ()), *(group.network_interfaces or ())):
            if reference.id:
                key = arm(reference.id).key
                found[key] = group.ref
                if _SCALE_SET in key and "/networkinterfaces/" in key:
                    found[_scale_set(key)] = group.ref
    for nic in interfaces(snapshot):
        group_of = nic.network_security_group
        if group_of and group_of.id and _SCALE_SET in nic.ref.key:
            found.setdefault(_scale_set(nic.ref.key), arm(group_of.id))
    return found


def _scale_set(key: str) -> str:
    """The scale set in the id of one of its interfaces, or an empty string."""
    before, found, after = key.partition(_SCALE_SET)
    return before + found + after.partition("/")[0] if found else ""


# What Azure adds to every group; a template does not spell it.
_IMPLIED: Final = (
    ("AllowVnetInBound", 65000, "Inbound", "Allow", "VirtualNetwork", "VirtualNetwork"),
    ("AllowAzureLoadBalancerInBound", 65001, "Inbound", "Allow", "AzureLoadBalancer", "*"),
    ("DenyAllInBound", 65500, "Inbound", "Deny", "*", "*"),
    ("AllowVnetOutBound", 65000, "Outbound", "Allow", "VirtualNetwork", "VirtualNetwork"),
    ("AllowInternetOutBound", 65001, "Outbound", "Allow", "*", "Internet"),
    ("DenyAllOutBound", 65500, "Outbound", "Deny", "*", "*"),
)


def _implied(group: Ref) -> list[SecurityRule]:
    return [
        DefaultSecurityRule(
            id=f"{group.id}/defaultSecurityRules/{name}",
            name=name,
            priority=priority,
            direction=direction,
            access=access,
            protocol="*",
            source_address_prefix=source,
            source_port_range="*",
            destination_address_prefix=destination,
            destination_port_range="*",
        )
        for name, priority, direction, access, source, destination in _IMPLIED
    ]

"""Through what the internet-bound traffic of a cluster leaves, and with which public addresses."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Reference, Subnet
from sickbay.model.evidence import Gap
from sickbay.model.ids import arm
from sickbay.model.routing import (
    LoadBalancer,
    NatGateway,
    OutboundRule,
    PublicIPAddress,
    PublicIPPrefix,
    VirtualNetworkGateway,
)
from sickbay.model.snapshot import Snapshot
from sickbay.network.firewall import firewalls_at
from sickbay.network.outbound_ports import SnatPorts, snat_ports
from sickbay.network.routes import SOMEWHERE, Hop, HopKind, next_hop
from sickbay.network.traffic import Decider

E = TypeVar("E", LoadBalancer, NatGateway)

_KUBERNETES: Final = "kubernetes"
_ROUTED: Final = frozenset({"userdefinedrouting", "none"})
_NAT: Final = frozenset({"managednatgateway", "userassignednatgateway"})


class Way(StrEnum):
    """What stands between the nodes and the internet."""

    APPLIANCE = "VirtualAppliance"
    GATEWAY = "VirtualNetworkGateway"
    NAT_GATEWAY = "NatGateway"
    NODE_ADDRESS = "NodePublicIP"
    LOAD_BALANCER = "LoadBalancer"
    # Nothing leaves.
    NOTHING = "None"
    UNKNOWN = "Unknown"


_SHORTFALL: Final = {Way.NOTHING: 0, Way.UNKNOWN: 1}


class Egress(NamedTuple):
    """How one subnet of a cluster reaches the internet.

    `addresses` are the public ones that others see; none with a gap means that they were not
    read. `declared` is the cluster's outboundType, `next` the address of an appliance.
    """

    kind: Way
    by: Decider
    declared: str
    subnet: str = ""
    addresses: tuple[str, ...] = ()
    next: str = ""
    gaps: tuple[Gap, ...] = ()
    considered: tuple[Decider, ...] = ()
    ports: SnatPorts | None = None


class _Asked(NamedTuple):
    snapshot: Snapshot
    cluster: ManagedCluster
    declared: str
    subnet: str
    hop: Hop


def egress_of(snapshot: Snapshot, cluster: ManagedCluster) -> Egress:
    """How a cluster reaches the internet; of subnets that differ the one that is worst off."""
    every = egresses_of(snapshot, cluster)
    return min(every, key=lambda one: (_SHORTFALL.get(one.kind, 2), one.subnet))


def egresses_of(snapshot: Snapshot, cluster: ManagedCluster) -> tuple[Egress, ...]:
    """The same for each subnet that has nodes, in the order of their ids."""
    pools = _pools(snapshot, cluster)
    subnets = {arm(pool.vnet_subnet_id or "").key: pool.vnet_subnet_id or "" for pool in pools}
    subnets = subnets or {"": ""}
    return tuple(_egress(snapshot, cluster, subnets[key]) for key in sorted(subnets))


def _egress(snapshot: Snapshot, cluster: ManagedCluster, subnet: str) -> Egress:
    profile = cluster.network_profile
    declared = (profile and profile.outbound_type) or "loadBalancer"
    asked = _Asked(snapshot, cluster, declared, subnet, next_hop(snapshot, subnet, SOMEWHERE))
    if declared.casefold() == "block":
        return _nothing(asked, _cluster(asked, "has outboundType block, which lets nothing out"))
    routed = _routed(asked)
    if routed:
        return routed
    return _nat(asked) or _unrouted(asked) or _node_addresses(asked) or _balanced(asked)


def _routed(asked: _Asked) -> Egress | None:
    """A default route of the user wins over whatever else there is."""
    hop = asked.hop
    if hop.kind is HopKind.APPLIANCE:
        walls = firewalls_at(asked.snapshot, hop.address)
        addresses, gaps = _public(
            asked.snapshot,
            [one.public_ip_address for wall in walls for one in wall.ip_configurations or ()],
        )
        if not walls:
            gaps = (Gap("VirtualAppliance", f"the public addresses of {hop.address}"),)
        made = _made(asked, Way.APPLIANCE, hop.by, gaps)
        return made._replace(addresses=addresses, next=hop.address)
    if hop.kind is HopKind.GATEWAY:
        gap = Gap(VirtualNetworkGateway.kind, "the public addresses behind the gateway")
        return _made(asked, Way.GATEWAY, hop.by, (gap,))
    if hop.kind is HopKind.DROPPED:
        return _nothing(asked, hop.by)
    return _made(asked, Way.UNKNOWN, hop.by) if hop.kind is HopKind.UNKNOWN else None


def _nat(asked: _Asked) -> Egress | None:
    found = asked.snapshot.find(arm(asked.subnet))
    subnet = found if isinstance(found, Subnet) else None
    if subnet and subnet.nat_gateway and subnet.nat_gateway.id:
        return _through_nat(asked, subnet.nat_gateway.id)
    if asked.declared.casefold() not in _NAT:
        return None
    if subnet:
        return _no_nat(asked, subnet)
    beside = _beside_nodes(asked, NatGateway)
    if len(beside) == 1:
        return _through_nat(asked, beside[0].id)
    gap = Gap(NatGateway.kind, "the NAT gateway of the nodes", to_open=NatGateway.look)
    return _made(asked, Way.NAT_GATEWAY, _cluster(asked, "leaves by a NAT gateway"), (gap,))


def _through_nat(asked: _Asked, id: str) -> Egress:
    ref = arm(id)
    name = asked.subnet and arm(asked.subnet).name
    by = Decider("NatGateway", ref.name, f"is attached to the subnet {name or 'of the nodes'}", ref)
    gateway = asked.snapshot.find(ref)
    if not isinstance(gateway, NatGateway):
        look = f"az network nat gateway show --ids {id} -o json"
        gap = Gap(NatGateway.kind, f"the public addresses of {id}", to_open=look)
        return _made(asked, Way.NAT_GATEWAY, by, (gap,))
    own = [*(gateway.public_ip_addresses or ()), *(gateway.public_ip_prefixes or ())]
    if not own:
        by = by._replace(says="has no public address, so that nothing leaves")
        return _nothing(asked, by)
    addresses, gaps = _public(asked.snapshot, own)
    return _made(asked, Way.NAT_GATEWAY, by, gaps)._replace(addresses=addresses)


def _no_nat(asked: _Asked, subnet: Subnet) -> Egress:
    name = subnet.ref.name
    says = f"has no NAT gateway, while outboundType is {asked.declared}"
    by = Decider("Subnet", name, says, subnet.ref)
    if subnet.default_outbound_access is False:
        return _nothing(asked, by)
    gap = Gap(Subnet.kind, f"whether Azure gives {name} a default way out")
    return _made(asked, Way.UNKNOWN, by, (gap,))


def _unrouted(asked: _Asked) -> Egress | None:
    """Without a default route, a cluster that was told to rely on one has no way out."""
    if asked.declared.casefold() not in _ROUTED:
        return None
    if asked.hop.kind is HopKind.UNSEEN:
        return _made(asked, Way.UNKNOWN, asked.hop.by)
    announced = tuple(one for one in asked.hop.gaps if one.source == VirtualNetworkGateway.kind)
    if announced:
        by = _cluster(asked, "leaves only if a gateway announces a default route")
        return _made(asked, Way.UNKNOWN, by, announced)
    says = (
        f"has no route for 0.0.0.0/0 to an appliance, and outboundType {asked.declared} "
        "gives the nodes no other way out"
    )
    return _nothing(asked, Decider("Subnet", arm(asked.subnet).name, says, arm(asked.subnet)))


def _node_addresses(asked: _Asked) -> Egress | None:
    pools = [
        pool
        for pool in _pools(asked.snapshot, asked.cluster)
        if arm(pool.vnet_subnet_id or "") == arm(asked.subnet)
    ]
    if not pools or not all(pool.enable_node_public_ip for pool in pools):
        return None
    names = ", ".join(sorted(pool.name for pool in pools))
    by = Decider("AgentPool", names, "gives each node a public address of its own")
    look = "az vmss list-instance-public-ips -g {node_resource_group} -n <scale-set> -o json"
    gap = Gap(AgentPool.kind, "the public addresses of the nodes", to_open=look)
    return _made(asked, Way.NODE_ADDRESS, by, (gap,))


def _balanced(asked: _Asked) -> Egress:
    snapshot = asked.snapshot
    beside = _beside_nodes(asked, LoadBalancer)
    found = [one for one in beside if one.ref.name.casefold() == _KUBERNETES]
    if not found:
        by = _cluster(asked, f"has outboundType {asked.declared}")
        gap = Gap(LoadBalancer.kind, "the load balancer of the nodes", to_open=LoadBalancer.look)
        return _made(asked, Way.LOAD_BALANCER, by, (gap,))
    balancer = found[0]
    rules = [rule for rule in balancer.outbound_rules or () if rule.frontend_ip_configurations]
    if not rules:
        says = "has no outbound rule with a public address, so that nothing leaves"
        return _nothing(asked, Decider("LoadBalancer", balancer.name, says, balancer.ref))
    fronts = _fronts(balancer, rules)
    addresses, gaps = _public(snapshot, fronts)
    names = ", ".join(sorted(rule.name or "" for rule in rules))
    says = f"lets the nodes out by {names} with {len(fronts)} public addresses"
    by = Decider("LoadBalancer", balancer.name, says, balancer.ref)
    nodes = sum(pool.count or 0 for pool in _pools(snapshot, asked.cluster))
    allocated = max((rule.allocated_outbound_ports or 0 for rule in rules), default=0)
    made = _made(asked, Way.LOAD_BALANCER, by, gaps)
    return made._replace(addresses=addresses, ports=snat_ports(len(fronts), nodes, allocated))


def _fronts(balancer: LoadBalancer, rules: list[OutboundRule]) -> list[Reference | None]:
    wanted = {
        arm(one.id).key for rule in rules for one in rule.frontend_ip_configurations or () if one.id
    }
    return [
        front.public_ip_address
        for front in balancer.frontend_ip_configurations or ()
        if arm(front.id or f"{balancer.id}/frontendIPConfigurations/{front.name}").key in wanted
    ]


def _public(
    snapshot: Snapshot, references: Iterable[Reference | None]
) -> tuple[tuple[str, ...], tuple[Gap, ...]]:
    """The addresses or prefixes of some public addresses, and those that were not read."""
    addresses: list[str] = []
    gaps: list[Gap] = []
    for reference in references:
        if reference is None or not reference.id:
            continue
        found = snapshot.find(arm(reference.id))
        text = found.ip_address if isinstance(found, PublicIPAddress) else None
        text = found.ip_prefix if isinstance(found, PublicIPPrefix) else text
        if text:
            addresses.append(text)
            continue
        look = f"az network public-ip show --ids {reference.id} -o json"
        gaps.append(Gap(PublicIPAddress.kind, f"the address {reference.id}", to_open=look))
    return tuple(sorted(addresses)), tuple(gaps)


def _pools(snapshot: Snapshot, cluster: ManagedCluster) -> tuple[AgentPool, ...]:
    return snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)


def _beside_nodes(asked: _Asked, kind: type[E]) -> list[E]:
    group = asked.cluster.node_group_id.casefold()
    by = ("parent_key", group) if group else ("kind", kind.kind)
    return sorted(asked.snapshot.grouped(kind, *by), key=lambda one: one.ref)


def _cluster(asked: _Asked, says: str) -> Decider:
    return Decider("ManagedCluster", asked.cluster.name, says, asked.cluster.ref)


def _nothing(asked: _Asked, by: Decider) -> Egress:
    return _made(asked, Way.NOTHING, by)


def _made(asked: _Asked, kind: Way, by: Decider, gaps: tuple[Gap, ...] = ()) -> Egress:
    every = tuple(dict.fromkeys((*asked.hop.gaps, *gaps)))
    considered = asked.hop.considered if by in asked.hop.considered else (*asked.hop.considered, by)
    return Egress(kind, by, asked.declared, asked.subnet, gaps=every, considered=considered)

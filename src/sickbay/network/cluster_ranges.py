"""The networks that the nodes of a cluster stand in, and the prefixes that they reach."""

from collections.abc import Iterator

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet, VirtualNetwork, VirtualNetworkPeering
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse


def networks_of(cluster: ManagedCluster, snapshot: Snapshot) -> list[str]:
    """The ARM ids of the networks that the nodes are in."""
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    subnets = {pool.vnet_subnet_id for pool in pools if pool.vnet_subnet_id}
    return sorted({arm(subnet).parent for subnet in subnets})


def reached(networks: list[str], snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """The prefixes that the nodes reach without leaving Azure's networks, and whose they are."""
    for id in networks:
        key = arm(id).key
        for subnet in sorted(snapshot.grouped(Subnet, "parent_key", key), key=_name):
            yield from ((prefix, f"subnet {subnet.ref.name}") for prefix in subnet.prefixes)
        peerings = snapshot.grouped(VirtualNetworkPeering, "parent_key", key)
        for peering in sorted(peerings, key=_name):
            where = f"network {arm(peering.remote_id).name} behind peering {peering.ref.name}"
            yield from ((prefix, where) for prefix in peering.remote_prefixes)
        # Without the network itself there may be other subnets and peerings.
        snapshot.get(arm(id), VirtualNetwork)


def _name(entity: Subnet | VirtualNetworkPeering) -> str:
    return entity.ref.key


def overlap(one: str, other: str) -> bool:
    """Whether two prefixes have an address in common; what is no prefix has none."""
    left, right = parse(one), parse(other)
    return left is not None and right is not None and left.overlaps(right)

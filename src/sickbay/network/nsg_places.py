"""Where an address, a node or a pod stands: the subnet and the interface whose groups it meets."""

from typing import Final, NamedTuple

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.security import NetworkInterface
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_match import interfaces
from sickbay.network.nsg_ranges import Match, ranges_of
from sickbay.network.nsg_space import evident, pod_ranges, space_of
from sickbay.network.prefixes import Prefix, parse

_SCALE_SET: Final = "/virtualmachinescalesets/"


class Whereabouts(NamedTuple):
    """The ARM ids of a subnet and a network interface, as far as they are known, and an address."""

    subnet: str = ""
    nic: str = ""
    address: str = ""


def of_address(
    snapshot: Snapshot, address: str, cluster: ManagedCluster | None = None
) -> Whereabouts | None:
    """Where an address stands: at an interface that has it, else in the narrowest subnet.

    Networks may overlap: those of the cluster come first. None when no subnet in evidence holds it.
    """
    wanted = parse(address)
    if wanted is None:
        return None
    near = _networks_of(snapshot, cluster) if cluster else frozenset()
    at_nic = _at_interface(snapshot, wanted, near)
    if at_nic:
        return Whereabouts(*at_nic, address)
    fitting = [
        (not _is_near(subnet.ref, near), prefix.size, subnet.ref)
        for prefix, subnet in snapshot.once(_subnets)
        if prefix.contains(wanted)
    ]
    return Whereabouts(min(fitting)[2].id, "", address) if fitting else None


def of_node(snapshot: Snapshot, node: Node) -> Whereabouts | None:
    """Where a node stands: by its machine's interface, its pool, or its address."""
    address = node_address(node)
    nic = snapshot.once(_by_machine).get(arm(node.instance_id).key) if node.instance_id else None
    if nic:
        return Whereabouts(next(iter(nic.subnet_ids), ""), nic.id, address)
    cluster = cluster_of(snapshot, node)
    pool = _pool(snapshot, node, cluster)
    found = of_address(snapshot, address, cluster)
    subnet = (pool and pool.vnet_subnet_id) or (found.subnet if found else "")
    interface = _likely_interface(node.instance_id) or (found.nic if found else "")
    return Whereabouts(subnet, interface, address) if subnet or interface else None


def of_pod(snapshot: Snapshot, pod: Pod) -> Whereabouts | None:
    """Where the packets of a pod meet the groups.

    At its node's interface; in the pool's pod subnet where pods have one of their own.
    """
    found = snapshot.find(kube("Node", "", pod.node)) if pod.node else None
    address = pod.status.pod_ip or ""
    if not isinstance(found, Node):
        return of_address(snapshot, address)
    at_node = of_node(snapshot, found)
    if pod.spec.host_network:
        return at_node
    pool = _pool(snapshot, found, cluster_of(snapshot, found))
    subnet = (pool and pool.pod_subnet_id) or (at_node.subnet if at_node else "")
    return Whereabouts(subnet, at_node.nic if at_node else "", address) if subnet else None


def source_seen(snapshot: Snapshot, pod: Pod, destination: str) -> str:
    """The address under which a pod's packets to a destination meet the groups.

    Pods of an overlay or of kubenet keep theirs among pods, other pods within the virtual network;
    elsewhere the node lends its own. Empty when that is not known.
    """
    found = snapshot.find(kube("Node", "", pod.node)) if pod.node else None
    wanted = parse(destination)
    if not isinstance(found, Node):
        return pod.status.pod_ip or ""
    if pod.spec.host_network or wanted is None:
        return node_address(found)
    cluster = cluster_of(snapshot, found)
    behind = ranges_of(pod_ranges(cluster)) if cluster else ranges_of(())
    if behind:
        keeps = behind.holds(wanted)
    else:
        at_node = of_node(snapshot, found)
        keeps = space_of(snapshot, at_node.subnet).holds(wanted) if at_node else Match.MAYBE
    return (pod.status.pod_ip or "") if keeps is not Match.NO else node_address(found)


def node_address(node: Node) -> str:
    """The address of a node in its network, or an empty string."""
    internal = [one.address for one in node.status.addresses or () if one.type == "InternalIP"]
    return internal[0] if internal else ""


def cluster_of(snapshot: Snapshot, node: Node) -> ManagedCluster | None:
    """The cluster of a node: the one whose nodes' group holds its machine, or the only one."""
    clusters = evident(snapshot, ManagedCluster)
    key = arm(node.instance_id).key if node.instance_id else ""
    for cluster in clusters:
        group = cluster.node_group_id.casefold()
        if group and key.startswith(f"{group}/"):
            return cluster
    return clusters[0] if len(clusters) == 1 and not key else None


def _pool(snapshot: Snapshot, node: Node, cluster: ManagedCluster | None) -> AgentPool | None:
    found = [snapshot.find(ref) for ref in sorted(snapshot.pools_named(node.pool))]
    pools = [pool for pool in found if isinstance(pool, AgentPool)]
    own = [pool for pool in pools if cluster and pool.parent_key == cluster.ref.key]
    return own[0] if own else (pools[0] if len(pools) == 1 else None)


def _likely_interface(machine: str) -> str:
    """The interface that AKS gives an instance: it bears the name of the scale set."""
    at = machine.casefold().find(_SCALE_SET)
    if at < 0:
        return ""
    scale_set = machine[at + len(_SCALE_SET) :].partition("/")[0]
    return f"{machine}/networkInterfaces/{scale_set}"


def _networks_of(snapshot: Snapshot, cluster: ManagedCluster) -> frozenset[str]:
    """What the ids of a cluster's own networks begin with."""
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    subnets = [id for pool in pools for id in (pool.vnet_subnet_id, pool.pod_subnet_id) if id]
    starts = [arm(arm(id).parent).key for id in subnets]
    group = cluster.node_group_id.casefold()
    return frozenset(starts or ([group] if group else []))


def _is_near(ref: Ref, near: frozenset[str]) -> bool:
    return any(ref.key.startswith(f"{start}/") for start in near)


def _at_interface(
    snapshot: Snapshot, wanted: Prefix, near: frozenset[str]
) -> tuple[str, str] | None:
    found = snapshot.once(_by_address).get(wanted, [])
    order = sorted(found, key=lambda one: (not _is_near(arm(one[0]), near), arm(one[1])))
    return order[0] if order else None


def _by_address(snapshot: Snapshot) -> dict[Prefix | None, list[tuple[str, str]]]:
    """Subnet and interface of every address that an interface in evidence has."""
    places: dict[Prefix | None, list[tuple[str, str]]] = {}
    for nic in interfaces(snapshot):
        for part in nic.ip_configurations or ():
            if part.subnet and part.subnet.id:
                address = parse(part.private_ip_address or "")
                places.setdefault(address, []).append((part.subnet.id, nic.id))
    return places


def _by_machine(snapshot: Snapshot) -> dict[str, NetworkInterface]:
    machines: dict[str, NetworkInterface] = {}
    for nic in interfaces(snapshot):
        if nic.machine_id:
            machines.setdefault(arm(nic.machine_id).key, nic)
    return machines


def _subnets(snapshot: Snapshot) -> list[tuple[Prefix, Subnet]]:
    parsed = [
        (parse(text), subnet) for subnet in evident(snapshot, Subnet) for text in subnet.prefixes
    ]
    return [(prefix, subnet) for prefix, subnet in parsed if prefix]

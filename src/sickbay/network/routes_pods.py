"""The routes to the pods of each node, on which a kubenet cluster stands."""

from collections.abc import Iterator
from typing import NamedTuple

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.evidence import UnseenError
from sickbay.model.ids import arm
from sickbay.model.kubernetes import Node
from sickbay.model.routing import RouteTable
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
from sickbay.network.routes_row import HopKind
from sickbay.network.routes_table import user_rows


class MissingPodRoute(NamedTuple):
    """A node whose pods no other node can reach.

    `table` is the ARM id of the route table of its subnet, empty when there is none; `leads_to`
    is where a route for its pods leads instead, empty when there is no such route.
    """

    node: Node
    pod_cidr: str
    table: str
    leads_to: str = ""

    @property
    def says(self) -> str:
        where = arm(self.table).name if self.table else ""
        if not where:
            return (
                f"{self.pod_cidr} of {self.node.name} has no route: the subnet has no route table"
            )
        if self.leads_to:
            return f"{where} sends {self.pod_cidr} of {self.node.name} to {self.leads_to}"
        return f"{where} has no route for {self.pod_cidr} of {self.node.name}"


def missing_pod_routes(snapshot: Snapshot, cluster: ManagedCluster) -> tuple[MissingPodRoute, ...]:
    """The nodes of a kubenet cluster to whose pods no route leads; none for other networks.

    Raises UnseenError when nodes, subnets or route tables that decide were not read.
    """
    plugin = (cluster.network_profile and cluster.network_profile.network_plugin) or ""
    if plugin.casefold() != "kubenet":
        return ()
    nodes = [node for node in snapshot.some(Node) if _is_of(node, cluster)]
    found = []
    for node in sorted(nodes, key=lambda one: one.name):
        if node.spec.pod_cidr:
            found += list(_missing(snapshot, cluster, node, node.spec.pod_cidr))
    return tuple(found)


def _missing(
    snapshot: Snapshot, cluster: ManagedCluster, node: Node, pods: str
) -> Iterator[MissingPodRoute]:
    table = _table_of(snapshot, cluster, node)
    if not table:
        yield MissingPodRoute(node, pods, "")
        return
    rows, unread = user_rows(snapshot, table)
    if unread:
        raise UnseenError(unread)
    wanted = parse(pods)
    there = [row for row in rows if wanted and row.prefix == wanted]
    own = {one.address for one in node.status.addresses or () if one.type == "InternalIP"}
    if not own or any(r.kind is HopKind.APPLIANCE and r.address in own for r in there):
        return
    wrong = sorted(row.address or str(row.kind) for row in there)
    yield MissingPodRoute(node, pods, table, ", ".join(wrong))


def _is_of(node: Node, cluster: ManagedCluster) -> bool:
    group = arm(node.instance_id).group.casefold()
    own = (cluster.node_resource_group or "").casefold()
    return not group or not own or group == own


def _table_of(snapshot: Snapshot, cluster: ManagedCluster, node: Node) -> str:
    """The ARM id of the table that the node's subnet uses, or an empty string."""
    pool = snapshot.find(arm(f"{cluster.id}/agentPools/{node.pool}"))
    subnet_id = (isinstance(pool, AgentPool) and pool.vnet_subnet_id) or ""
    if subnet_id:
        subnet = snapshot.get(arm(subnet_id), Subnet)
        return (subnet and subnet.route_table and subnet.route_table.id) or ""
    return snapshot.once(_managed_tables).get(cluster.node_group_id.casefold()) or _none(
        snapshot, cluster
    )


def _none(snapshot: Snapshot, cluster: ManagedCluster) -> str:
    snapshot.require(RouteTable, cluster.node_group_id)
    return ""


def _managed_tables(snapshot: Snapshot) -> dict[str, str]:
    """The first table of each resource group: AKS makes one beside the nodes."""
    found: dict[str, str] = {}
    tables = snapshot.grouped(RouteTable, "kind", RouteTable.kind)
    for table in sorted(tables, key=lambda one: one.ref):
        found.setdefault(table.ref.parent.casefold(), table.id)
    return found

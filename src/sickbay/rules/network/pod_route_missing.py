from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.ids import arm
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.network.nsg_places import node_address
from sickbay.network.routes import HopKind, next_hop
from sickbay.network.routes_pods import MissingPodRoute, missing_pod_routes
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each

BLIND = frozenset({HopKind.UNKNOWN, HopKind.UNSEEN})


@each(ManagedCluster)
def lacks_routes(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    plugin = (cluster.network_profile and cluster.network_profile.network_plugin) or ""
    if plugin.casefold() != "kubenet":
        return None
    missing = [*missing_pod_routes(snapshot, cluster), *_between_subnets(snapshot, cluster)]
    if not missing:
        return Clear(f"the pods of every node of {cluster.name} have a route")
    first = missing[0]
    others = f", and {len(missing) - 1} more are missing" if len(missing) > 1 else ""
    table = arm(first.table)
    return Match(
        f"{first.says}{others}: other nodes cannot reach the pods of {first.node.name}",
        facts={
            "table": table.name if first.table else "<route-table>",
            "table_group": table.group if first.table else "<route-table-group>",
            "route": first.node.name,
            "prefix": first.pod_cidr,
            "address": node_address(first.node) or "<node-address>",
        },
        cites=(
            first.node.cite("spec.podCIDR", first.pod_cidr),
            *([Cite(table, "routes", first.says)] if first.table else []),
        ),
        subject=first.node.ref,
    )


def _between_subnets(snapshot: Snapshot, cluster: ManagedCluster) -> list[MissingPodRoute]:
    """The nodes to whose pods no route leads from the subnet of another pool."""
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    subnets = {
        arm(pool.vnet_subnet_id).key: pool.vnet_subnet_id for pool in pools if pool.vnet_subnet_id
    }
    homes = {pool.name: arm(pool.vnet_subnet_id or "").key for pool in pools}
    if len(subnets) <= 1:
        return []
    nodes = sorted(snapshot.some(Node), key=lambda one: one.name)
    return [
        missing
        for key in sorted(subnets)
        for node in nodes
        if homes.get(node.pool, key) != key
        for missing in [_missing(snapshot, subnets[key], node)]
        if missing
    ]


def _missing(snapshot: Snapshot, subnet: str, node: Node) -> MissingPodRoute | None:
    pods = node.spec.pod_cidr or ""
    hop = next_hop(snapshot, subnet, pods.partition("/")[0])
    if hop.kind in BLIND or hop.node == node.name or not node_address(node):
        return None
    found = snapshot.find(arm(subnet))
    table = found.route_table.id if isinstance(found, Subnet) and found.route_table else None
    return MissingPodRoute(node, pods, table or "", hop.address or str(hop.kind))


RULE = Rule(
    title="A kubenet node has no route to its pods in the route table, so other nodes cannot reach them",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(lacks_routes,),
    why="With kubenet the addresses of pods are not those of the network: each node has a range of its own (podCIDR), and a route in the table of the subnet must send it to the node. A table that was exchanged, a second table on another subnet of the cluster, or a cluster identity that may not write routes leave a node's pods out of reach from every other node.",
    remedy=(
        Step(
            "See the routes of the table.",
            run=(
                "az",
                "network",
                "route-table",
                "route",
                "list",
                "--resource-group",
                "{table_group}",
                "--route-table-name",
                "{table}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the route of the node; all subnets of the cluster must use this one table.",
            run=(
                "az",
                "network",
                "route-table",
                "route",
                "create",
                "--resource-group",
                "{table_group}",
                "--route-table-name",
                "{table}",
                "--name",
                "{route}",
                "--address-prefix",
                "{prefix}",
                "--next-hop-type",
                "VirtualAppliance",
                "--next-hop-ip-address",
                "{address}",
            ),
            risk=Risk.SAFE,
            verify="a pod on another node reaches a pod in {prefix}",
        ),
        Step(
            "Let the cluster's identity write the table (Network Contributor), so that nodes that join get their routes."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/configure-kubenet",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-connection-pods-services-same-cluster",
    ),
    leads_to=("network.connection_times_out", "network.pod_silent"),
)

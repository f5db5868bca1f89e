from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import arm
from sickbay.model.routing import AzureFirewall
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_way import ways_out
from sickbay.network.outbound import Egress, Way
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def has_no_default_route(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    outbound = (cluster.network_profile and cluster.network_profile.outbound_type) or ""
    if outbound.casefold() != "userdefinedrouting" or cluster.is_stopped:
        return None
    ways = ways_out(snapshot, cluster)
    if not ways:
        raise UnseenError(Gap(AgentPool.kind, f"pools of {cluster.name}", to_open=AgentPool.look))
    lost = [way for way in ways if way.kind is Way.NOTHING and way.by.kind == Subnet.__name__]
    if lost:
        return _match(cluster, snapshot, lost[0])
    unsure = [way for way in ways if way.kind is Way.UNKNOWN]
    if unsure:
        gap = Gap(Subnet.kind, f"the routes of subnet {arm(unsure[0].subnet).name}")
        raise UnseenError((gap, *unsure[0].gaps)[-1])
    return Clear(f"0.0.0.0/0 of {cluster.name} leads to {ways[0].kind} {ways[0].next}".rstrip())


def _match(cluster: ManagedCluster, snapshot: Snapshot, way: Egress) -> Match:
    subnet = snapshot.find(arm(way.subnet))
    table = arm((isinstance(subnet, Subnet) and subnet.route_table and subnet.route_table.id) or "")
    walls = snapshot.grouped(AzureFirewall, "kind", AzureFirewall.kind)
    addresses = [address for wall in walls for address in wall.private_addresses]
    attached = f"its table {table.name}" if table.id else "it has no route table"
    return Match(
        f"{way.by.kind} {way.by.name} {way.by.says} ({attached})",
        facts={
            "subnet": way.subnet,
            "table": table.name,
            "table_group": table.group,
            "appliance": addresses[0] if len(addresses) == 1 else "",
        },
        cites=(cluster.cite("properties.networkProfile.outboundType", way.declared),),
    )


RULE = Rule(
    title="The node subnet has no default route, and the outbound type userDefinedRouting relies on one",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(has_no_default_route,),
    why="With outbound type userDefinedRouting AKS makes no public address, outbound rule or NAT gateway for the nodes: they leave by the route for 0.0.0.0/0 to a firewall in the route table of their subnet. That route, or the table, is missing, so that packets to the internet go nowhere.",
    remedy=(
        Step(
            "See the route table of the subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "{subnet}",
                "--query",
                "routeTable.id",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the table a default route to the firewall; a subnet without a table needs one first.",
            run=(
                "az",
                "network",
                "route-table",
                "route",
                "create",
                "-g",
                "{table_group}",
                "--route-table-name",
                "{table}",
                "-n",
                "default",
                "--address-prefix",
                "0.0.0.0/0",
                "--next-hop-type",
                "VirtualAppliance",
                "--next-hop-ip-address",
                "{appliance}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nc -vz mcr.microsoft.com 443 on a node wants: succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/egress-udr",
        "https://learn.microsoft.com/azure/aks/egress-outboundtype",
    ),
    leads_to=(
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "aks.outbound_blocked",
        "aks.node_cannot_reach_api",
        "aks.bootstrap_download_failed",
        "kubernetes.registry_unreachable",
        "kubernetes.kubelet_silent",
    ),
    spreads=True,
)

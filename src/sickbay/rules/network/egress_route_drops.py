from sickbay.model.ids import arm
from sickbay.model.routing import Route, RouteTable
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_barriers import ROUTES, barrier_at
from sickbay.rulekit import (
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(RouteTable)
def drops_required(table: RouteTable, snapshot: Snapshot) -> Match | Clear:
    found = barrier_at(snapshot, table.ref, ROUTES)
    if found is None:
        return Clear(f"{table.name} drops nothing that nodes require")
    deciding = found.by[0]
    route = snapshot.find(deciding.ref) if deciding.ref else None
    shown: Route | RouteTable = route if isinstance(route, Route) else table
    hop = route.next_hop_type if isinstance(route, Route) else "None"
    profile = found.cluster.network_profile
    outbound = (profile and profile.outbound_type) or "loadBalancer"
    is_routed = outbound.casefold() == "userdefinedrouting"
    return Match(
        f"{found.says} for subnet {arm(found.subnet).name}, so the nodes of {found.cluster.name} "
        f"do not reach {found.listed}",
        facts={
            "table": table.name,
            "route": deciding.name.rpartition("/")[2],
            "outbound": outbound,
            "hop": "VirtualAppliance" if is_routed else "Internet",
            # An address is refused with any other type of hop.
            "appliance": "<firewall-address>" if is_routed else "null",
        },
        cites=(shown.cite("nextHopType", hop),),
    )


RULE = Rule(
    title="A route with next hop None drops what the nodes send to the internet",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(
        drops_required,
        Signature(
            pattern=r"\b(?:Default|User) Active 0\.0\.0\.0/0 None\b|\"addressPrefix\": ?\[? ?\"0\.0\.0\.0/0\" ?\]?,.{0,200}?\"nextHopType\": ?\"None\"|(?i:0\.0\.0\.0/0).{0,60}?(?i:next ?hop(?: type)?)\W{1,4}None\b",
            says="the default route of the nodes ends in None",
            sample="Source    State    Address Prefix    Next Hop Type    Next Hop IP\nUser      Active   0.0.0.0/0         None",
            near_miss="Source    State    Address Prefix    Next Hop Type    Next Hop IP\nDefault   Active   0.0.0.0/0         Internet",
        ),
    ),
    why="The route table of the node subnet sends the addresses that AKS requires, mostly all of 0.0.0.0/0, to next hop type None, where Azure drops them. A route of the user wins over the load balancer's outbound rules and over a NAT gateway, so that nodes reach neither the API server nor the registry.",
    remedy=(
        Step(
            "See the routes of the table.",
            run=(
                "az",
                "network",
                "route-table",
                "route",
                "list",
                "-g",
                "{resource_group}",
                "--route-table-name",
                "{table}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Lead the route to where the cluster is meant to leave (outbound type {outbound}).",
            run=(
                "az",
                "network",
                "route-table",
                "route",
                "update",
                "-g",
                "{resource_group}",
                "--route-table-name",
                "{table}",
                "-n",
                "{route}",
                "--next-hop-type",
                "{hop}",
                "--next-hop-ip-address",
                "{appliance}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nc -vz mcr.microsoft.com 443 on a node wants: succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/egress-outboundtype",
        "https://learn.microsoft.com/azure/virtual-network/virtual-networks-udr-overview",
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
    ask="az network route-table list -o json",
    spreads=True,
)

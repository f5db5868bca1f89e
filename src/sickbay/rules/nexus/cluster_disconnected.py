from sickbay.model.nexus import NexusCluster, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
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

_LOST = {"disconnected", "timeout"}


@each(NexusCluster)
def heartbeat_is_lost(site: NexusCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if (site.cluster_connection_status or "").casefold() in _LOST:
        path, value = "clusterConnectionStatus", site.cluster_connection_status
    elif same_word(site.detailed_status, "Disconnected"):
        path, value = "detailedStatus", site.detailed_status
    elif same_word(site.cluster_manager_connection_status, "Unreachable"):
        path, value = "clusterManagerConnectionStatus", site.cluster_manager_connection_status
    else:
        return (
            Clear(f"{site.name} is {site.cluster_connection_status}")
            if site.cluster_connection_status
            else None
        )
    return Match(
        f"the heartbeat of {site.name} is lost: {path} is {value}",
        facts={"site": site.name},
        cites=(site.cite(f"properties.{path}", value),),
    )


RULE = Rule(
    title="Nexus cluster heartbeat disconnected: the site does not reach its cluster manager",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        heartbeat_is_lost,
        Signature(
            pattern=r"(?i)\bcluster ?Connection ?Status\b\W{1,6}(?:Disconnected|Timeout)\b|Cluster (?:connection status is (?:Disconnected|Timeout)|(?:\S{1,80} )?is not connected to (?:the |its )?cluster ?manager)|clusterManagerConnectionStatus\W{1,6}(?:Unreachable|Disconnected|Timeout)|ClusterHeartbeatConnectionStatus(?:Disconnected|Timed?out)\w*|heartbeat connection status is (?:disconnected|timed out)",
            says="Azure reports that heartbeats of the site are missing",
            sample="ClusterHeartbeatConnectionStatusDisconnectedClusterManagerOperationsAreAffectedPossibleNetworkIssues",
            near_miss="ClusterHeartbeatConnectionStatusConnected",
            unless=r"(?i)\b(?:resolved|recovered|cleared|mitigated) (?:at|on|since|after|by)\b",
        ),
        Signature(
            pattern=r"(?i)\bheartbeats?\b.{0,100}?(?:not (?:been )?received|missed|missing|lost|stopped|overdue).{0,100}?|\b(?:no|missed|missing|lost) heartbeats?\b.{0,100}?(?:cluster ?manager|nexus|network ?cloud)(?P<site>)",
            says="heartbeats of the site are missing",
            sample="The cluster manager heartbeat from cluster site4 has not been received for 12 minutes",
            near_miss="The cluster manager heartbeat from cluster site4 was received",
            unless=r"(?i)NPD|appliance|resource bridge|lease|kubelet|azcmagent|arc agent|connectedk8s",
            weight=TYPICAL,
        ),
    ),
    why="The site sends heartbeats to its cluster manager in Azure. After two minutes without one it counts as timed out, after five as Disconnected: operations through the manager stop, while running workload goes on. Mostly the network path is at fault: ExpressRoute, the peering of the edge routers, a firewall, or the infrastructure proxy of the fabric controller.",
    remedy=(
        Step(
            "See the state of the connection.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{site}",
                "--query",
                "{connection:clusterConnectionStatus,manager:clusterManagerConnectionStatus,status:detailedStatus}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Look at the ExpressRoute circuits of the fabric controller.",
            run=(
                "az",
                "networkfabric",
                "controller",
                "list",
                "--query",
                "[].{name:name,state:provisioningState,circuits:infrastructureExpressRouteConnections}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restore the path (circuit, BGP between the customer and provider edge, firewall rules for the proxy), then wait five minutes.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud cluster show -g {resource_group} -n {site} wants clusterConnectionStatus Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-cluster-heartbeat-connection-status-disconnected",
    ),
    leads_to=(
        "nexus.network_failed",
        "nexus.cluster_failed",
        "hybrid.cluster_failed",
        "hybrid.cluster_offline",
    ),
)

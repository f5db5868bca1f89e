from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver import Client, decide, ranges_of
from sickbay.network.egress_way import ways_out
from sickbay.network.prefixes import contains
from sickbay.network.traffic import Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def leave_out_the_nodes(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    ranges = ranges_of(cluster)
    if not ranges or cluster.is_private or cluster.is_stopped or cluster.has_integrated_server:
        return None
    ways = ways_out(snapshot, cluster)
    if not ways:
        raise UnseenError(Gap(AgentPool.kind, f"pools of {cluster.name}", to_open=AgentPool.look))
    unseen = None
    for way in ways:
        inside = Client(is_inside=True, outbound=way.addresses)
        decision = decide(snapshot, cluster, inside)
        if decision.verdict is Verdict.BLOCKED:
            left = [one for one in way.addresses if not any(contains(r, one) for r in ranges)]
            return Match(
                f"{cluster.name} {decision.by[0].says} (by {way.by.kind} {way.by.name})",
                facts={"ranges": ",".join(ranges), "addresses": ",".join(map(_range, left))},
                cites=(
                    cluster.cite(
                        "properties.apiServerAccessProfile.authorizedIPRanges", ", ".join(ranges)
                    ),
                ),
            )
        if decision.verdict is Verdict.UNKNOWN:
            unseen = unseen or (*decision.gaps, *way.gaps)[-1]
    if unseen:
        raise UnseenError(unseen)
    return Clear(f"the authorized ranges of {cluster.name} let its nodes in")


def _range(address: str) -> str:
    return address if "/" in address else f"{address}/32"


RULE = Rule(
    title="The authorized IP ranges of the API server leave out the address that the nodes come from",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(leave_out_the_nodes,),
    why="Nodes of a public cluster call the API server over the internet, from the public address of the firewall, NAT gateway or load balancer through which they leave. AKS adds the addresses of its own load balancer to the authorized ranges by itself, but not those of a firewall or a NAT gateway: without them the nodes are refused like any stranger.",
    remedy=(
        Step(
            "Add the address of the way out to the ranges, and keep those that are there.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--api-server-authorized-ip-ranges",
                "{ranges},{addresses}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants every node Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges",
        "https://learn.microsoft.com/azure/aks/limit-egress-traffic",
    ),
    leads_to=(
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "aks.node_cannot_reach_api",
        "kubernetes.kubelet_silent",
    ),
    spreads=True,
)

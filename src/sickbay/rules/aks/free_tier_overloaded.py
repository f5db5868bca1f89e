from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

MOST_NODES = 10


@each(ManagedCluster, TYPICAL)
def outgrew_the_tier(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    tier = (cluster.sku and cluster.sku.tier) or ""
    if tier.casefold() != "free" or cluster.is_stopped:
        return None
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    if not pools:
        snapshot.require(AgentPool, cluster.id)
    nodes = sum(pool.count or 0 for pool in pools if not pool.is_stopped)
    if nodes <= MOST_NODES:
        return Clear(
            f"{cluster.name} has {nodes} nodes in the Free tier, which carries {MOST_NODES}"
        )
    # A choice, until the API server shows that it is too much.
    return Match(
        f"{cluster.name} has {nodes} nodes in the Free tier, which is meant for {MOST_NODES}",
        cites=(cluster.cite("sku.tier", tier),),
        felt_as=("kubernetes.api_overloaded", "network.api_timeout", "kubernetes.kubelet_silent"),
    )


RULE = Rule(
    title="A cluster of the Free tier has more load on its API server than that tier carries",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(outgrew_the_tier,),
    why="The control plane of the Free tier has no uptime SLA and little capacity: it is meant for up to ten nodes. With more nodes or clients the API server throttles or drops out for a moment, heartbeats are missed, and many nodes flap to NotReady at once and come back.",
    remedy=(
        Step(
            "Move the cluster to the Standard tier.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--tier",
                "standard",
            ),
            risk=Risk.SAFE,
            verify="az aks show -g {resource_group} -n {cluster} --query sku.tier wants Standard",
        ),
        Step("Take list and watch traffic off the API server."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-then-recovers",
        "https://learn.microsoft.com/azure/aks/free-standard-pricing-tiers",
    ),
    leads_to=(
        "kubernetes.api_overloaded",
        "network.api_timeout",
        "kubernetes.kubelet_silent",
    ),
)

from collections import Counter

from sickbay.model.hybrid import HybridInstancePool, ProvisionedClusterInstance
from sickbay.model.ids import arm
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

_CLUSTERS, _POOLS, _POOL_NODES, _NODES = 32, 16, 64, 200


def clusters_by_location(snapshot: Snapshot) -> Counter[str]:
    clusters = snapshot.some(ProvisionedClusterInstance)
    return Counter(one.custom_location.casefold() for one in clusters)


@each(ProvisionedClusterInstance)
def too_many_clusters(
    cluster: ProvisionedClusterInstance, snapshot: Snapshot
) -> Match | Clear | None:
    if not cluster.custom_location:
        return None
    count = snapshot.once(clusters_by_location)[cluster.custom_location.casefold()]
    place = arm(cluster.custom_location)
    if count > _CLUSTERS:
        return _match(f"{place.name} has {count} clusters, and {_CLUSTERS} are allowed", cluster)
    pools = cluster.agent_pool_profiles or []
    nodes = sum(pool.count or 0 for pool in pools)
    if len(pools) > _POOLS or nodes > _NODES:
        says = f"{cluster.title} has {len(pools)} node pools with {nodes} nodes, and {_POOLS} with {_NODES} are allowed"
        return _match(says, cluster)
    snapshot.require(ProvisionedClusterInstance, f"/subscriptions/{place.subscription}")
    return Clear(f"{place.name} has {count} of at most {_CLUSTERS} clusters")


def _match(says: str, one: ProvisionedClusterInstance | HybridInstancePool) -> Match:
    return Match(says, facts={"problem": says}, cites=(one.cite("id", one.id),))


@each(HybridInstancePool)
def pool_is_too_large(pool: HybridInstancePool, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if pool.count is None:
        return None
    if pool.count <= _POOL_NODES:
        return Clear(f"pool {pool.name} has {pool.count} of at most {_POOL_NODES} nodes")
    says = f"pool {pool.name} asks for {pool.count} nodes, and {_POOL_NODES} are allowed"
    return _match(says, pool)


RULE = Rule(
    title="A scale limit of AKS on Azure Local is exceeded: clusters, node pools or nodes",
    severity=Severity.WARNING,
    categories=(Category.SCALING, Category.CREATION),
    detect=(
        too_many_clusters,
        pool_is_too_large,
        Signature(
            pattern=r"(?i)\b(?:node ?pools?|clusters?|nodes?|control ?plane ?nodes?|virtual ?machines?)\b.{0,60}?(?:exceeds?|exceeded|maximum|limit of|limit is)\b.{0,120}?(?:Azure (?:Local|Stack HCI)|AKS ?Arc|AKS enabled by)",
            says="a scale limit is exceeded",
            sample="Node pool count exceeds the maximum of 16 node pools per cluster on Azure Local",
            near_miss="Node pool count is 3 on Azure Local",
            weight=TYPICAL,
        ),
    ),
    why="An Azure Local instance carries at most 32 clusters (12 with the autoscaler), a cluster 16 node pools, a pool 64 nodes, and all together 200 nodes; 8 clusters can be created at a time (4 with the autoscaler). Beyond that, operations fail or time out.",
    remedy=(
        Step("Stay below the limit: {problem}.", risk=Risk.READ),
        Step(
            "Scale down, delete clusters that nobody needs, or use a second Azure Local instance.",
            risk=Risk.DESTRUCTIVE,
            verify="az aksarc list -o table wants no more than the limit",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/scale-requirements",),
    leads_to=("hybrid.cluster_failed",),
)

from sickbay.model.aks import AgentPool
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


@each(AgentPool, TYPICAL)
def has_all_it_may(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    most, count = pool.max_count, pool.count
    if not pool.enable_auto_scaling or pool.is_stopped or not most or count is None:
        return None
    if count < most:
        return Clear(f"node pool {pool.name} has {count} of at most {most} nodes")
    beside = snapshot.grouped(AgentPool, "parent_key", pool.parent_key)
    if any(one.enable_auto_scaling and (one.count or 0) < (one.max_count or 0) for one in beside):
        return Clear(f"another pool than {pool.name} may still grow")
    return Match(
        f"node pool {pool.name} has {count} nodes, and its autoscaler may make {most}",
        facts={"minimum": str(pool.min_count or 0), "maximum": str(most + max(1, most // 2))},
        cites=(pool.cite("properties.maxCount", most),),
        # As meant, until a pod waits for a node.
        felt_as=("kubernetes.pod_pending", "kubernetes.insufficient_resources"),
    )


RULE = Rule(
    title="The node pools are at the maximum size of the cluster autoscaler",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.WORKLOAD),
    detect=(
        has_all_it_may,
        Signature(
            pattern=r"(?i)(?:\d+ )?max node group size reached|\(it wouldn.t fit if a new node is added\): \d+ max limit reached|node group .{0,60}? has reached (?:its )?max(?:imum)? size|max(?:imum)? cluster (?:size|cores|memory) limit reached",
            says="the node groups have reached their maximum size",
            sample="Normal NotTriggerScaleUp 2m cluster-autoscaler pod didn't trigger scale-up: 1 max node group size reached",
            near_miss="pod triggered scale-up: [{aks-np1-31-vmss 2->3 (max: 5)}]",
            # Another group has room, and Azure refused its machines.
            unless=r"in backoff after failed scale-up",
        ),
    ),
    why="A pod needs another node, but every pool that could hold it already has as many nodes as the autoscaler may make (max-count).",
    remedy=(
        Step(
            "See the limits.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,count:count,min:minCount,max:maxCount}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise the maximum, within quota and addresses.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--update-cluster-autoscaler",
                "--min-count",
                "{minimum}",
                "--max-count",
                "{maximum}",
            ),
            risk=Risk.SAFE,
            verify="kubectl get pods -A --field-selector status.phase=Pending wants none of them",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/cluster-autoscaler",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-pods-remain-pending-state-scenario",
    ),
    leads_to=("kubernetes.insufficient_resources", "kubernetes.pod_pending"),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
    spreads=True,
)

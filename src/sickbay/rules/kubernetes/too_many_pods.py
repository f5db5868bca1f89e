from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import (
    full_nodes_for,
    is_unschedulable,
    kept_out_by_count,
    most_pods,
    pods_on,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Node)
def runs_all_it_may(node: Node, snapshot: Snapshot) -> Match | Clear | None:
    most = most_pods(node)
    if not most or not node.is_ready:
        return None
    count = pods_on(node, snapshot)
    if count < most:
        # Only for a no must all of them have been read.
        snapshot.require(Pod)
        return Clear(f"{node.name} runs {count} of {most} pods")
    if snapshot.has_seen(Node.kind) and snapshot.once(kept_out_by_count):
        # Told of the pods that wait for it.
        return None
    return Match(
        f"{node.name} runs {count} pods, which is all that it may ({most})",
        facts={"most": str(most)},
        cites=(node.cite("status.allocatable.pods", most),),
    )


@each(Pod)
def finds_every_node_full(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    full = full_nodes_for(pod, snapshot)
    if not full:
        return None
    most = most_pods(full[0])
    return Match(
        f"{pod.namespace}/{pod.name} finds no place: all {len(full)} nodes that would take it run as many pods as they may ({most})",
        facts={"most": str(most)},
        cites=tuple(one.cite("status.allocatable.pods", most_pods(one)) for one in full[:3]),
    )


RULE = Rule(
    title="The nodes already run as many pods as they may (max pods)",
    severity=Severity.WARNING,
    categories=(Category.SCALING, Category.WORKLOAD),
    detect=(
        runs_all_it_may,
        finds_every_node_full,
        Signature(
            pattern=r"(?i)nodes are available:.{0,400}?\b(?:Too many pods|Insufficient pods)\b",
            says="nodes run as many pods as they may",
            sample="0/3 nodes are available: 3 Too many pods. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
            near_miss="0/3 nodes are available: 3 Insufficient memory.",
        ),
        Signature(
            pattern=r"OutOfpods\b|enough (?:resource|capacity): pods, requested|pods found to reclaim resources: \[\(res: pods,",
            says="a node refused a pod because it runs as many as it may",
            sample="OutOfpods: Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 30, capacity: 30",
            near_miss="OutOfcpu: Pod was rejected: Node didn't have enough resource: cpu, requested: 500, used: 3800, capacity: 3860",
        ),
    ),
    why="Each node takes at most maxPods pods (30 with classic Azure CNI, 110 or 250 otherwise), whatever CPU and memory is free, and the value of a pool cannot be changed later.",
    remedy=(
        Step(
            "See the limit of each pool.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,maxPods:maxPods,count:count}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add nodes.",
            run=(
                "az",
                "aks",
                "nodepool",
                "scale",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-count",
                "<count>",
            ),
            verify="kubectl get pods -A shows no pod Pending",
        ),
        Step(
            "Or add a pool with a higher limit, and move the pods.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "<pool>",
                "--max-pods",
                "110",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning#maximum-pods-per-node",
    ),
    leads_to=("kubernetes.pod_pending",),
)

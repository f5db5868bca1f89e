from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import (
    fits_labels,
    free,
    is_unschedulable,
    refusing_taint,
    requested,
    usable_nodes,
)
from sickbay.model.quantity import cores, memory
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# Summing every pod of a large cluster for every pod that waits is not linear; there the scheduler's own words must do.
MOST_NODES = 200


@each(Pod)
def finds_no_room(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    nodes = snapshot.once(usable_nodes)
    if len(nodes) > MOST_NODES:
        return None
    open_to_it = [n for n in nodes if fits_labels(pod, n) and not refusing_taint(pod, n)]
    if not open_to_it:
        return None
    for resource, shown in (("cpu", cores), ("memory", memory)):
        wanted = requested(pod, resource)
        room = {n.name: free(n, _pods_on(n, snapshot), resource) for n in open_to_it}
        best = max(room, key=lambda name: (room[name], name))
        if wanted > room[best]:
            return Match(
                f"{pod.namespace}/{pod.name} asks for {shown(wanted)} of {resource}, and of {len(room)} usable nodes the emptiest, {best}, has {shown(max(room[best], 0))} left",
                facts={"resource": resource},
                cites=(
                    pod.cite(
                        "spec.containers[*].resources.requests", f"{resource} {shown(wanted)}"
                    ),
                ),
            )
    # Pods that nobody read can only take more.
    snapshot.require(Pod)
    return Clear(f"{len(open_to_it)} nodes have room for what {pod.namespace}/{pod.name} requests")


def _pods_on(node: Node, snapshot: Snapshot) -> list[Pod]:
    return list(snapshot.grouped(Pod, "node", node.name))


RULE = Rule(
    title="No node has enough free CPU, memory or GPU for a pod (insufficient resources)",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.WORKLOAD),
    detect=(
        finds_no_room,
        Signature(
            pattern=r"(?i:nodes are available:|nodes are available that match all of the (?:following )?predicates:+).{0,400}?(?i:\bInsufficient (?P<resource>cpu|mem(?:ory)?|ephemeral-storage|hugepages-\w+|[a-z.]+/[a-z0-9-]+))",
            says="the nodes have too little free {resource} for a pod",
            sample="0/5 nodes are available: 2 node(s) were unschedulable, 3 Insufficient cpu. preemption: 0/5 nodes are available: 5 No preemption victims found for incoming pod.",
            near_miss="0/5 nodes are available: 5 Insufficient pods.",
            passes=True,
        ),
        Signature(
            pattern=r"(?:OutOf(?P<resource>cpu|memory|ephemeral-storage)\b|Node didn't have enough (?:resource|capacity): (?P<lacking>[a-oq-z][\w./-]*|p[a-np-z][\w./-]*), requested)|failed to find fit for pod.{0,200}?PodFitsResources|[Ff]ailed for reason PodFitsResources|pods found to reclaim resources: \[\(res: (?:cpu|memory|ephemeral-storage),",
            says="a node refused a pod for lack of resources",
            sample="Pod was rejected: Node didn't have enough resource: cpu, requested: 500, used: 3800, capacity: 3860",
            near_miss="Pod was rejected: Allocate failed due to no healthy devices present",
            passes=True,
        ),
    ),
    why="The scheduler counts the requests of the pods, not their use: each node has less of a resource (cpu, memory, GPU) unreserved than this pod requests, so it waits until a node is added or another pod goes.",
    remedy=(
        Step(
            "See what is reserved on each node.",
            run=("kubectl", "describe", "nodes"),
            risk=Risk.READ,
        ),
        Step(
            "Add nodes to the pool (or raise the maximum of its autoscaler).",
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
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or lower the requests of pods that use far less than they reserve.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-pod-scheduler-errors",
        "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
    ),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl describe pod {pod} -n {namespace}",
)

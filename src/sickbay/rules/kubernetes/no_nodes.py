from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import is_unschedulable, usable_nodes
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


@each(Pod)
def has_no_ready_node(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    nodes = snapshot.all(Node)
    usable = len(snapshot.once(usable_nodes))
    if usable:
        return Clear(f"{usable} of {len(nodes)} nodes are ready and take pods")
    cordoned = sum(node.is_ready for node in nodes)
    if cordoned:
        # That they are cordoned is the fault, and is told by itself.
        return Clear(f"{cordoned} of {len(nodes)} nodes are ready, and only cordoned")
    return Match(
        f"none of {len(nodes)} nodes is ready and takes pods",
        facts={"nodes": str(len(nodes))},
        cites=(pod.cite("status.conditions[PodScheduled]", "False"),),
    )


RULE = Rule(
    title="There are no nodes that could run anything, so add-ons and pods stay Pending",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION, Category.SCALING),
    detect=(
        has_no_ready_node,
        Signature(
            pattern=r"no nodes available to schedule pods|nodes are available: (?P<count>\d+) node\(s\) were unschedulable\.",
            says="the cluster has no node that takes pods",
            sample="Warning  FailedScheduling  24m (x1 over 25m)  default-scheduler  no nodes available to schedule pods",
            near_miss="3/3 nodes available",
        ),
        Signature(
            pattern=r"ControlPlaneAddOnsNotReady|Pods not in Running status: [\w., -]{0,300}?(?:konnectivity-agent|coredns|metrics-server)",
            says="the add-ons of the cluster have no node to run on",
            sample="(ControlPlaneAddOnsNotReady) Pods not in Running status: konnectivity-agent-67f7f5554f-nsw2g,metrics-server-6bc97b47f7-dfhbr,coredns-845757d86-7xjqb",
            near_miss="All system pods are in Running status: konnectivity-agent-67f7f5554f-nsw2g",
            weight=TYPICAL,
        ),
    ),
    why="No node has joined, or all are NotReady or cordoned: the first nodes failed to provision or cannot reach the API server, a pool was scaled to zero, or the cluster is stopped, so that even system pods have no nodes to be scheduled on.",
    remedy=(
        Step(
            "See whether there are nodes at all, and in which state.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "See the state of the pools.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--output",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the system pool at least one node.",
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
                "3",
            ),
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-aks-cluster-start-issues",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-pods-remain-pending-state-scenario",
    ),
    leads_to=("kubernetes.pod_pending",),
    spreads=True,
)

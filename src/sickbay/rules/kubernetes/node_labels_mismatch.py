from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import fits_labels, is_unschedulable, wanted_labels
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
def wants_labels_nobody_has(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    nodes = snapshot.all(Node)
    fitting = sum(fits_labels(pod, node) for node in nodes)
    if fitting or not nodes:
        return Clear(f"{fitting} nodes carry the labels that {pod.namespace}/{pod.name} wants")
    wanted = wanted_labels(pod)
    return Match(
        f"{pod.namespace}/{pod.name} wants nodes with {wanted}, and none of {len(nodes)} nodes has that",
        facts={"labels": wanted},
        cites=(pod.cite("spec.nodeSelector", pod.spec.node_selector or wanted),),
    )


RULE = Rule(
    title="No node carries the labels that the pod's node selector or affinity asks for",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        wants_labels_nobody_has,
        Signature(
            pattern=r"nodes are available:.{0,400}?node\(s\) didn't match (?:Pod's node affinity(?:/selector)?|node selector)",
            says="nodes do not have the labels that the pod wants",
            sample="0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
            near_miss="0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"Predicate (?:NodeAffinity|MatchNodeSelector|NodeSelector) failed|Reason: (?:NodeAffinity|MatchNodeSelector)\b",
            says="the kubelet rejected a pod because the node lost the labels that it wants",
            sample="Status: Failed\nReason: NodeAffinity\nMessage: Pod was rejected: Predicate NodeAffinity failed",
            near_miss="Status: Failed\nReason: Evicted",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) 0/\d+ (?:NodeAffinity|MatchNodeSelector) \d+ ",
            says="pod {pod} was rejected by its node",
            sample="NAME READY STATUS RESTARTS AGE\ncart-1   0/1   NodeAffinity   0   12m",
            near_miss="NAME READY STATUS RESTARTS AGE\ncart-1   0/1   Completed   0   12m",
            weight=TYPICAL,
        ),
    ),
    why="The pod insists on node labels (a pool, a zone, an operating system, a VM size) that no existing node has, for example after a pool was renamed or scaled to zero.",
    remedy=(
        Step(
            "Compare the selector with the labels of the nodes.",
            run=("kubectl", "get", "nodes", "--show-labels"),
            risk=Risk.READ,
        ),
        Step(
            "Correct nodeSelector or affinity of the workload.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or label the pool that is meant.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--labels",
                "<key>=<value>",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-pod-scheduler-errors",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/",
    ),
    leads_to=("kubernetes.pod_pending", "aks.new_node_unfit"),
    ask="kubectl get nodes -o json",
)

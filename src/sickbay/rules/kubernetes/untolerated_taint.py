from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import fits_labels, is_unschedulable, refusing_taint
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

# Taints that the cluster itself sets on a sick or emptied node: there the node is the fault, not the pod.
SET_BY_SYSTEM = (
    "node.kubernetes.io/",
    "node.cloudprovider.kubernetes.io/",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
)


@each(Pod)
def tolerates_no_node(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    nodes = [node for node in snapshot.all(Node) if fits_labels(pod, node)]
    if not nodes:
        return None
    taints = [refusing_taint(pod, node) for node in nodes]
    if not all(taints):
        return Clear(
            f"{pod.namespace}/{pod.name} tolerates {sum(not taint for taint in taints)} of {len(nodes)} nodes"
        )
    chosen = [taint for taint in taints if taint and not taint.key.startswith(SET_BY_SYSTEM)]
    if not chosen:
        return None
    keys = ", ".join(
        sorted({f"{taint.key}={taint.value or ''}:{taint.effect}" for taint in chosen})
    )
    return Match(
        f"{pod.namespace}/{pod.name} tolerates no node: all {len(nodes)} that it may use are tainted ({keys})",
        facts={"taint": chosen[0].key},
        cites=(
            pod.cite(
                "spec.tolerations", [toleration.key for toleration in pod.spec.tolerations or ()]
            ),
        ),
    )


RULE = Rule(
    title="Every node that could run the pod has a taint that it does not tolerate",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.SCALING),
    detect=(
        tolerates_no_node,
        Signature(
            # The taints of sick nodes (node.kubernetes.io/…) are told apart: their cause is the node.
            pattern=r"nodes are available:.{0,400}?(?:had untolerated taint(?:s|\(s\))?(?: \{(?P<taint>[^n}][^:}]{0,120}|n[^o}][^:}]{0,120})|\.|,|$)|had taint \{(?P<old>[^n}][^:}]{0,120}|n[^o}][^:}]{0,120}))",
            says="nodes are tainted, and the pod does not tolerate it",
            sample="0/3 nodes are available: 3 node(s) had untolerated taint {CriticalAddonsOnly: true}. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
            near_miss="0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"incompatible with nodepool \"(?P<nodepool>[\w.-]+)\".{0,600}?did not tolerate (?:taint \()?(?P<refused>[\w./=:-]+)",
            says="the pod does not tolerate the taint {refused} of the NodePool {nodepool}",
            sample='Failed to schedule pod, incompatible with nodepool "gpu", daemonset overhead={"cpu":"1"}, did not tolerate sku=gpu:NoSchedule',
            near_miss='Failed to schedule pod, incompatible with nodepool "gpu", no instance type met all requirements',
            # Tainted pools of the system stand in every such list; another NodePool says what it lacks.
            unless=r"\bno instance type (?:met|has|had|which|satisfied)\b",
        ),
    ),
    why="A taint keeps pods off a node unless they carry a matching toleration; system node pools (CriticalAddonsOnly), spot pools and GPU pools are tainted on purpose, so an ordinary pod needs another pool or a toleration.",
    remedy=(
        Step(
            "See the taints of the nodes.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a user node pool without taints for ordinary pods.",
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
                "--mode",
                "User",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or give the pod a toleration for the taint, if it belongs on these nodes.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-pod-scheduler-errors",
        "https://learn.microsoft.com/azure/aks/use-node-taints",
    ),
    leads_to=("kubernetes.pod_pending", "aks.new_node_unfit"),
    ask="kubectl get nodes -o json",
)

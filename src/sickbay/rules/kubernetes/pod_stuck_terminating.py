from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Pod)
def ends_on_silent_node(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not pod.metadata.deletion_timestamp or not pod.spec.node_name:
        return None
    node = snapshot.get(kube("Node", "", pod.spec.node_name), Node)
    if node is None:
        return Clear(f"the node of {pod.namespace}/{pod.name} does not exist any more")
    ready = node.condition("Ready")
    if not (ready and ready.status == "Unknown"):
        return Clear(f"the node of {pod.namespace}/{pod.name}, {node.name}, reports")
    return Match(
        f"{pod.namespace}/{pod.name} is to be deleted since {pod.metadata.deletion_timestamp}, but its node {pod.spec.node_name} does not report",
        facts={"node": pod.spec.node_name},
        cites=(pod.cite("metadata.deletionTimestamp", pod.metadata.deletion_timestamp),),
        at=pod.metadata.deletion_timestamp,
    )


RULE = Rule(
    title="A pod stays in Terminating because its node is silent",
    severity=Severity.WARNING,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(ends_on_silent_node,),
    why="Only the kubelet of its node can confirm that a pod has ended. While the node does not report, the object stays, and a StatefulSet does not start the replacement.",
    remedy=(
        Step(
            "See the node of the pod.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the node object if its machine is really gone.",
            run=(
                "kubectl",
                "delete",
                "node",
                "{node}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} finds nothing",
        ),
        Step(
            "Or remove the pod by force; only when it surely no longer runs.",
            run=(
                "kubectl",
                "delete",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "--grace-period=0",
                "--force",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/pods-namespaces-terminating-state",
        "https://kubernetes.io/docs/tasks/run-application/force-delete-stateful-set-pod/",
    ),
    leads_to=(
        "kubernetes.pod_terminating",
        "aks.drain_failed",
        "kubernetes.volume_multi_attach",
        "kubernetes.attachment_stale",
    ),
    ask="kubectl get nodes -o json",
)

from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Pod)
def outlived_its_node(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not pod.metadata.deletion_timestamp or not pod.spec.node_name:
        return None
    node = snapshot.get(kube("Node", "", pod.spec.node_name), Node)
    if node is not None:
        return Clear(f"the node of {pod.namespace}/{pod.name}, {node.name}, exists")
    return Match(
        f"{pod.namespace}/{pod.name} is to be deleted since {pod.metadata.deletion_timestamp}, but its node {pod.spec.node_name} does not exist any more",
        facts={"node": pod.spec.node_name},
        cites=(pod.cite("metadata.deletionTimestamp", pod.metadata.deletion_timestamp),),
        at=pod.metadata.deletion_timestamp,
    )


RULE = Rule(
    title="A pod stays in Terminating although its node does not exist any more",
    severity=Severity.WARNING,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(outlived_its_node,),
    why="Only the kubelet of its node can confirm that a pod has ended. The node was deleted, so nobody ever will: the object stays, a StatefulSet does not start the replacement, and a drain or a namespace waits for it.",
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
            "Remove the pod by force; see in the portal first that the machine of {node} is gone too, since what still runs there would write to the same volume.",
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
            verify="kubectl get pod {pod} -n {namespace} finds nothing, or the replacement",
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

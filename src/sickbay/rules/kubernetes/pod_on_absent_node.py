from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Pod)
def waits_on_no_node(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    name = pod.spec.node_name
    if not name or pod.status.phase != "Pending" or pod.metadata.deletion_timestamp:
        return None
    if snapshot.get(kube("Node", "", name), Node) is not None:
        return Clear(f"the node of {pod.namespace}/{pod.name}, {name}, exists")
    return Match(
        f"{pod.namespace}/{pod.name} is bound to node {name}, which does not exist",
        facts={"node": name},
        cites=(pod.cite("spec.nodeName", name),),
    )


RULE = Rule(
    title="A pod is bound to a node that does not exist (nodeName), so nobody starts it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(waits_on_no_node,),
    why="spec.nodeName goes past the scheduler: only the kubelet of exactly that node would start the pod. The name is mistyped, is that of another cluster, or the node was removed meanwhile; the pod stays Pending until the garbage collector deletes it.",
    remedy=(
        Step("See the nodes that exist.", run=("kubectl", "get", "nodes"), risk=Risk.READ),
        Step(
            "Take nodeName out of the pod or its template and let the scheduler choose (a nodeSelector keeps it on certain nodes), then make the pod anew.",
            run=("kubectl", "delete", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} -o wide shows it Running on a node that exists",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename",),
    leads_to=("kubernetes.pod_pending", "kubernetes.rollout_stuck"),
    ask="kubectl get nodes -o json",
)

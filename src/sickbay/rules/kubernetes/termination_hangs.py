from sickbay.model.ages import hours_between, seen_at
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
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

_PATIENCE = 0.5


@each(Pod, TYPICAL)
def outlasts_its_grace(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    since = pod.metadata.deletion_timestamp
    if not since or pod.metadata.finalizers or not pod.spec.node_name:
        return None
    node = snapshot.get(kube("Node", "", pod.spec.node_name), Node)
    if node is None or not node.is_ready:
        return None
    # The timestamp is the end of the grace period, not its beginning.
    waited = hours_between(since, seen_at(pod, snapshot))
    if waited is None or waited < _PATIENCE:
        return Clear(f"{pod.namespace}/{pod.name} may still be ending")
    return Match(
        f"{pod.namespace}/{pod.name} should have ended at {since}, {waited:.1f} hours ago, and its node {node.name} is Ready",
        facts={"node": node.name},
        cites=(pod.cite("metadata.deletionTimestamp", since),),
        at=since,
    )


RULE = Rule(
    title="The kubelet cannot end a pod: its processes or volumes hang on the node (KillPodSandbox, unmount)",
    severity=Severity.WARNING,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(
        outlasts_its_grace,
        Signature(
            pattern=r'error killing pod: .{0,100}?failed to "?KillPodSandbox|KillPodSandbox.{0,200}?DeadlineExceeded|FailedKillPod\b|failed to "?KillContainer"? for .{0,200}?DeadlineExceeded|an error occurs during waiting for container "[^"]{1,100}" to be killed|UnmountVolume\.TearDown failed for volume .{0,300}?(?:device or resource busy|target is busy|directory not empty|DeadlineExceeded)|Cannot (?:kill|stop) container "?(?P<container>[\w.-]{1,80})|orphaned pod .{0,200}?volume paths are still present',
            says="the kubelet could not end a pod or release its volumes",
            sample='Warning  FailedKillPod  3s (x22 over 40m)  kubelet  error killing pod: failed to "KillPodSandbox" for "1f5e" with KillPodSandboxError: "rpc error: code = DeadlineExceeded desc = context deadline exceeded"',
            near_miss="Normal  Killing  3s  kubelet  Stopping container app",
            weight=TYPICAL,
        ),
    ),
    why="The node reports, but the pod does not end there: a process waits for a disk or a network share that does not answer (state D ignores even SIGKILL), the container runtime is stuck, or a volume is busy and cannot be unmounted.",
    remedy=(
        Step(
            "See what the kubelet says of the pod.",
            run=(
                "kubectl",
                "describe",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring back the share or disk that the process waits for; if there is none, drain and restart the node.",
            run=(
                "az",
                "vmss",
                "restart",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} finds nothing",
        ),
        Step(
            "Remove the object by force only when the containers are surely gone.",
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
        "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination",
    ),
    leads_to=(
        "kubernetes.pod_terminating",
        "aks.drain_failed",
        "kubernetes.volume_multi_attach",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)

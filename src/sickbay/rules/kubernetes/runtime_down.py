from sickbay.model.kubernetes import Node
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


@each(Node)
def lost_its_runtime(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    ready = node.condition("Ready")
    problem = node.condition("ContainerRuntimeProblem")
    said = (ready.message or "") if ready and not ready.is_true else ""
    runtime_is_named = "container runtime is down" in said or bool(problem and problem.is_true)
    if runtime_is_named or "pleg was last seen active" in said:
        return Match(
            f"the container runtime of {node.name} does not work",
            cites=(node.cite("status.conditions", said or (problem.message if problem else "")),),
            at=(ready.last_transition_time if ready else "") or "",
            # A starved disk or CPU makes the list of pods late, too, while the runtime is up.
            weight=TYPICAL if not runtime_is_named else None,
        )
    return Clear(f"the container runtime of {node.name} works")


RULE = Rule(
    title="The container runtime of a node is down (containerd, PLEG is not healthy)",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        lost_its_runtime,
        Signature(
            pattern=r"container runtime is down|(?:desc = |rpc error: .{0,60}?|GCFailed.{0,200}?|PLEG.{0,200}?)Cannot connect to the Docker\b|containerd\.sock: connect: (?:connection refused|no such file or directory)|(?:code = Unavailable|Error while dialing).{0,200}?containerd\.sock|//\./pipe/containerd-containerd: The system cannot find the file|\bStatus from runtime service failed|failed to start shim: (?:fork/exec|start failed|exec: )|unsupported shim version|Error response from daemon: .{0,200}?grpc: the connection is unavailable|make sure you are running as root and the endpoint has been started|(?:containerd task|StartContainer|RunPodSandbox).{0,200}?ttrpc: closed",
            says="the kubelet cannot talk to containerd",
            sample="KubeletNotReady: container runtime is down, PLEG is not healthy: pleg was last seen active 5m12s ago; threshold is 3m0s",
            near_miss='"ContainerStatus from runtime service failed" err="rpc error: code = NotFound desc = an error occurred when try to find container "1f5e": not found"',
            passes=True,
        ),
        Signature(
            pattern=r"PLEG is not healthy: pleg was last seen active|\b(?:Container|Image)GCFailed\b.{0,200}?code = (?:DeadlineExceeded|Unavailable)|failed to start sandbox container for pod .{1,200}?(?:operation timeout: )?context deadline exceeded|RunPodSandbox from runtime service failed.{0,80}?code = DeadlineExceeded|[Ee]rror (?:syncing pod .{1,300}?, skipping|determining status): rpc error: code = DeadlineExceeded|\b(?:List(?:Containers|PodSandbox|Images)|Version|Status|PodSandboxStatus|ContainerStatus|ImageFsInfo)\b.{0,300}? from runtime service failed.{0,80}?code = (?:DeadlineExceeded|Unavailable)|getKubeletContainers failed: rpc error: code = (?:DeadlineExceeded|Unavailable)|failed to dial \S{0,3}/run/containerd/containerd\.sock",
            says="the runtime does not list its pods in time",
            sample="skipping pod synchronization - PLEG is not healthy: pleg was last seen active 5m12s ago; threshold is 3m0s",
            near_miss="container runtime status check may not have completed yet, PLEG is not healthy: pleg has yet to be successful",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The kubelet asks containerd for everything; when it hangs or has died (out of memory, full or throttled disk, too many containers), no pod can be started or stopped and the node turns NotReady.",
    remedy=(
        Step(
            "Read the log of the runtime on the node.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "chroot",
                "/host",
                "journalctl",
                "-u",
                "containerd",
                "-n",
                "200",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Restart the instance, which starts containerd again.",
            run=(
                "az",
                "vmss",
                "restart",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get node {node} wants Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-after-being-healthy",
    ),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.container_creating_stuck",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
        "kubernetes.control_plane_not_started",
    ),
)

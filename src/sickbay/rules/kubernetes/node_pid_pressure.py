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
def is_short_of_processes(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    pressure = node.condition("PIDPressure")
    if pressure is None or not pressure.is_true:
        return Clear(f"{node.name} has no PIDPressure")
    return Match(
        f"{node.name} reports PIDPressure: {pressure.message or pressure.reason or 'no reason given'}",
        cites=(node.cite("status.conditions[PIDPressure].status", pressure.status),),
        at=pressure.last_transition_time or "",
    )


RULE = Rule(
    title="A node runs out of process ids or threads (PIDPressure)",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        is_short_of_processes,
        Signature(
            pattern=r"NodeHasInsufficientPID|KubeletHasInsufficientPID|Attempting to reclaim pids|pthread_create failed: Resource temporarily unavailable|failed to create new OS thread|fork/exec \S{1,200}: resource temporarily unavailable|fork: (?:retry: )?Resource temporarily unavailable|\bPIDPressure True |taint \{node\.kubernetes\.io/pid-pressure",
            says="a node has no process ids left",
            sample="runtime/cgo: pthread_create failed: Resource temporarily unavailable",
            near_miss="Normal  NodeHasSufficientPID  2m  kubelet  Node aks-np1-12345678-vmss000000 status is now: NodeHasSufficientPID",
        ),
        Signature(
            pattern=r"unable to create (?:new )?native thread|can't start new thread|Resource temporarily unavailable\)? .{0,60}?(?:fork|clone|thread)|can't get final child's PID from pipe: EOF",
            says="a program could start no further thread or process",
            sample='Exception in thread "main" java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
            near_miss='Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
            weight=TYPICAL,
        ),
    ),
    why="Some workload starts so many processes or threads that the node's limit is reached; kubelet and container runtime then cannot start threads of their own (pthread_create failed), and the node turns NotReady. A pod has a limit of its own as well, which a single program with too many threads reaches first.",
    remedy=(
        Step(
            "Find the pod with the most threads.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "ps",
                "-eLf",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Mend or limit that workload (podMaxPids in the kubelet configuration of the pool).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node {node} shows PIDPressure False",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-after-being-healthy",
    ),
    leads_to=("kubernetes.pod_evicted", "kubernetes.node_not_ready", "kubernetes.pod_pending"),
)

from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


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
            pattern=r"NodeHasInsufficientPID|KubeletHasInsufficientPID|Attempting to reclaim pids|pthread_create failed: Resource temporarily unavailable|failed to create new OS thread|fork: (?:retry: )?Resource temporarily unavailable|\bPIDPressure True ",
            says="a node has no process ids left",
            sample="runtime/cgo: pthread_create failed: Resource temporarily unavailable",
            near_miss="Normal  NodeHasSufficientPID  2m  kubelet  Node aks-np1-12345678-vmss000000 status is now: NodeHasSufficientPID",
        ),
    ),
    why="Some workload starts so many processes or threads that the node's limit is reached; kubelet and container runtime then cannot start threads of their own (pthread_create failed), and the node turns NotReady.",
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

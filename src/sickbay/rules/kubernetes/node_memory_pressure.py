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
def is_short_of_memory(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    pressure = node.condition("MemoryPressure")
    if pressure is None or not pressure.is_true:
        return Clear(f"{node.name} has no MemoryPressure")
    return Match(
        f"{node.name} reports MemoryPressure: {pressure.message or pressure.reason or 'no reason given'}",
        cites=(node.cite("status.conditions[MemoryPressure].status", pressure.status),),
        at=pressure.last_transition_time or "",
    )


RULE = Rule(
    title="A node runs out of memory (MemoryPressure), so pods are evicted or killed",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        is_short_of_memory,
        Signature(
            pattern=r"NodeHasInsufficientMemory|eviction manager: (?:node conditions - observed: \[[^\]]{0,80}MemoryPressure|thresholds - reclaim not satisfied: threshold \[signal=memory\.available|must evict pod\(s\) to reclaim memory)|must evict pod\(s\) to reclaim memory|KubeletHasInsufficientMemory|Attempting to reclaim memory|\bSystemOOM\b|System OOM encountered|Out of memory: Kill(?:ed)? process|(?:fork/exec|failed to create shim|runc|mmap)\S{0,200}.{0,80}?: cannot allocate memory|\bMemoryPressure True |taint \{node\.kubernetes\.io/memory-pressure",
            says="a node is short of memory",
            sample="Warning  SystemOOM  4m  kubelet  System OOM encountered, victim process: java, pid: 4711",
            near_miss="Normal  NodeHasSufficientMemory  2m  kubelet  Node aks-np1-12345678-vmss000000 status is now: NodeHasSufficientMemory",
        ),
        Signature(
            pattern=r"node metrics: memory of (?P<node>[\w.-]+) at (?P<percent>\d+) percent, above its limit for (?P<minutes>\d+) minutes",
            says="{node} used {percent} percent of its memory, and too much of it for {minutes} minutes",
            sample="node metrics: memory of aks-np1-12345678-vmss000002 at 98 percent, above its limit for 45 minutes",
            near_miss="node metrics: memory of aks-np1-12345678-vmss000002 at 71 percent, below its limit",
            weight=TYPICAL,
        ),
    ),
    why="The pods on the node together use more memory than it has: pods without limits, or limits far above requests; the kubelet evicts pods, and the kernel may kill the kubelet or the container runtime itself.",
    remedy=(
        Step(
            "See who uses the memory.",
            run=("kubectl", "top", "pods", "-A", "--sort-by=memory"),
            risk=Risk.READ,
        ),
        Step(
            "Give the pods memory requests near their use and limits, or use larger nodes.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node {node} shows MemoryPressure False",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-after-being-healthy",
    ),
    leads_to=("kubernetes.pod_evicted", "kubernetes.node_not_ready", "kubernetes.pod_pending"),
)

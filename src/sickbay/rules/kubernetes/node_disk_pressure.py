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
def is_short_of_disk(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    pressure = node.condition("DiskPressure")
    if pressure is None or not pressure.is_true:
        return Clear(f"{node.name} has no DiskPressure")
    return Match(
        f"{node.name} reports DiskPressure: {pressure.message or pressure.reason or 'no reason given'}",
        cites=(node.cite("status.conditions[DiskPressure].status", pressure.status),),
        at=pressure.last_transition_time or "",
    )


RULE = Rule(
    title="The disk of a node is nearly full (DiskPressure), so pods are evicted",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        is_short_of_disk,
        Signature(
            pattern=r"status is now: NodeHasDiskPressure|eviction manager: (?:node conditions - observed: \[[^\]]{0,80}DiskPressure|thresholds - reclaim not satisfied: threshold \[signal=(?:nodefs|imagefs))|KubeletHasDiskPressure|Attempting to reclaim (?:ephemeral-storage|inodes|nodefs|imagefs)|Failed to garbage collect required amount of images|wanted to free \d+ bytes, but freed \d+ bytes|wanted to free \d+ bytes, but freed|must evict pod\(s\) to reclaim (?:ephemeral-storage|inodes|nodefs|imagefs)|\bDiskPressure True |taint \{node\.kubernetes\.io/disk-pressure",
            says="a node is short of disk space",
            sample="Warning  EvictionThresholdMet  2m (x12 over 9m)  kubelet  Attempting to reclaim ephemeral-storage",
            near_miss="Normal  NodeHasNoDiskPressure  2m  kubelet  Node aks-np1-12345678-vmss000000 status is now: NodeHasNoDiskPressure",
        ),
        Signature(
            pattern=r"node metrics: disk of (?P<node>[\w.-]+) at (?P<percent>\d+) percent, above its limit for (?P<minutes>\d+) minutes",
            says="the disk of {node} was {percent} percent full, and too full for {minutes} minutes",
            sample="node metrics: disk of aks-np1-12345678-vmss000002 at 93 percent, above its limit for 120 minutes",
            near_miss="node metrics: disk of aks-np1-12345678-vmss000002 at 61 percent, below its limit",
            weight=TYPICAL,
        ),
    ),
    why="Images, container logs and emptyDir data fill the node's OS disk; below the eviction threshold the kubelet deletes images, evicts pods and takes no new ones.",
    remedy=(
        Step(
            "See what fills the disk.",
            run=("kubectl", "describe", "node", "{node}"),
            risk=Risk.READ,
        ),
        Step(
            "Set ephemeral-storage limits on pods that write much, and use a pool with a larger OS disk.",
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
                "--node-osdisk-size",
                "256",
            ),
            verify="kubectl describe node {node} shows DiskPressure False",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-after-being-healthy",
    ),
    leads_to=(
        "kubernetes.runtime_down",
        "kubernetes.pod_evicted",
        "kubernetes.node_not_ready",
        "kubernetes.pod_pending",
    ),
)

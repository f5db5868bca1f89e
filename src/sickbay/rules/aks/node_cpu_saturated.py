from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node
from sickbay.model.node import NodeMetrics
from sickbay.model.quantity import number
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

_ALL = 0.95
_EFFECTS = (
    "kubernetes.node_not_ready",
    "kubernetes.kubelet_silent",
    "kubernetes.probe_too_slow",
)


@each(NodeMetrics, TYPICAL)
def uses_all_that_it_has(now: NodeMetrics, snapshot: Snapshot) -> Match | Clear | None:
    node = snapshot.get(kube("Node", "", now.name), Node)
    has = number((node.status.allocatable or {}).get("cpu")) if node else 0.0
    if not node or not has:
        return None
    used = f"{now.name} uses {now.used('cpu'):.1f} of {has:.1f} cores"
    if now.used("cpu") < _ALL * has:
        return Clear(used)
    # A node that works to capacity is no fault as long as nobody feels it.
    cites = (now.cite("usage.cpu", str((now.usage or {}).get("cpu", ""))),)
    return Match(used, {"node": now.name}, cites, subject=node.ref, felt_as=_EFFECTS)


RULE = Rule(
    title="A node has no CPU left: what runs on it starves, the kubelet included",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        uses_all_that_it_has,
        Signature(
            pattern=r"\b(?P<node>aks-[\w-]+vmss\w{6}) \d+m? (?:9[5-9]|[1-9]\d\d)% \d+(?:Ki|Mi|Gi)?\b",
            says="{node} has no CPU left",
            sample="aks-np1-12345678-vmss000002 3890m 99% 4321Mi 77%",
            near_miss="aks-np1-12345678-vmss000002 390m 9% 4321Mi 77%",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"/proc/pressure/cpu.{0,120}?some avg10=[\d.]+ avg60=(?:[2-9]\d|100)\.\d+(?P<node>)",
            says="tasks wait for CPU a fifth of the time or more",
            sample="cat /host/proc/pressure/cpu some avg10=41.20 avg60=38.77 avg300=35.10 total=98123123",
            near_miss="cat /host/proc/pressure/cpu some avg10=0.20 avg60=0.77 avg300=0.10 total=98123",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"node metrics: CPU of (?P<node>[\w.-]+) at (?P<percent>\d+) percent, above its limit for (?P<minutes>\d+) minutes",
            says="{node} used {percent} percent of its CPU, and all of it for {minutes} minutes",
            sample="node metrics: CPU of aks-np1-12345678-vmss000002 at 100 percent, above its limit for 35 minutes",
            near_miss="node metrics: CPU of aks-np1-12345678-vmss000002 at 44 percent, below its limit",
            weight=TYPICAL,
        ),
    ),
    why="Containers without limits, or with limits above what the node has, take nearly all of its CPU. Neighbours slow down, probes time out, and a kubelet that gets no time lets the node flap to NotReady. Waiting time in /proc/pressure/cpu (PSI) shows contention even where the average use looks moderate.",
    remedy=(
        Step(
            "See which pods use the CPU.",
            run=(
                "kubectl",
                "top",
                "pods",
                "-A",
                "--sort-by=cpu",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give them requests and limits that fit, or move them to a pool of their own.",
            run=(
                "kubectl",
                "set",
                "resources",
                "<deployment>",
                "-n",
                "<namespace>",
                "--requests=cpu=<value>",
                "--limits=cpu=<value>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl top nodes wants CPU% well below 100",
        ),
        Step(
            "Or add nodes.",
            run=(
                "az",
                "aks",
                "nodepool",
                "scale",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--node-count",
                "<count>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/identify-high-cpu-consuming-containers-aks",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-node-cpu-pressure-psi",
    ),
    leads_to=_EFFECTS,
    ask="kubectl top nodes",
)

from sickbay.model.kubernetes import Node, announces_eviction
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Node)
def is_taken_back(node: Node, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    event = node.condition("VMEventScheduled")
    if event is None or not announces_eviction(event):
        return None
    return Match(
        f"{node.name}: {event.message or event.reason}",
        cites=(node.cite("status.conditions[VMEventScheduled].status", "True"),),
        at=event.last_transition_time or "",
    )


RULE = Rule(
    title="Azure took spot nodes back (eviction, preempt)",
    severity=Severity.WARNING,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        is_taken_back,
        Signature(
            pattern=r"(?i)\bPreemptScheduled\b|VM eviction (?:notice|scheduled)|spot (?:vm|node|instance)s? .{0,80}?(?:was|were|has been|will be|is being) (?:evicted|preempted|reclaimed|deallocated)|\bSpotVMEvict\w*|scheduled event of type Preempt|\bPreempt Scheduled: |\bVMEventScheduled\b.{0,80}?\bPreempt\b|\bspot node (?:evicted|preempted|reclaimed)\b",
            says="a spot node was evicted",
            sample="Warning PreemptScheduled node/aks-spot-31-vmss000002 IMDS query scheduled event of type Preempt, eviction at 12:00",
            near_miss="spot node aks-spot-31-vmss000002 is running",
        ),
    ),
    why="A spot machine runs only as long as Azure has capacity to spare and the price stays below its limit. It is taken back with 30 seconds of notice, and with it the node.",
    remedy=(
        Step(
            "See what runs on spot nodes.",
            run=("kubectl", "get", "nodes", "-l", "kubernetes.azure.com/scalesetpriority=spot"),
            risk=Risk.READ,
        ),
        Step(
            "Give workloads that must not stop a pool of regular priority, and spread the rest over several sizes.",
            risk=Risk.SAFE,
            verify="kubectl get pods -A -o wide wants no vital pod on a spot node",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/spot-node-pool",),
    leads_to=("kubernetes.node_not_ready",),
    ask="kubectl get events -A --field-selector reason=PreemptScheduled",
)

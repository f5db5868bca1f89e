from sickbay.model.kubernetes import Node, announces_eviction
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
def has_a_scheduled_event(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    event = node.condition("VMEventScheduled")
    if event is None or announces_eviction(event):
        return None
    if not event.is_true:
        return Clear(f"no event is scheduled for {node.name}")
    return Match(
        f"{node.name}: {event.reason or 'an event'} ({event.message or 'no details'})",
        cites=(node.cite("status.conditions[VMEventScheduled].status", "True"),),
        at=event.last_transition_time or "",
    )


RULE = Rule(
    title="The host of a node has an event of the platform: freeze, reboot or redeploy",
    severity=Severity.WARNING,
    categories=(Category.NODES,),
    detect=(
        has_a_scheduled_event,
        Signature(
            pattern=r"\b(?:Freeze|Reboot|Redeploy|Terminate)Scheduled\b|VMEventScheduled (?:is now: )?True\b|(?i:scheduled event of type (?P<event>Freeze|Reboot|Redeploy|Terminate))|(?i:platform-initiated (?:reboot|redeploy|restart|event))",
            says="the host of a node has an event",
            sample="Warning FreezeScheduled node/aks-np1-31-vmss000001 IMDS query scheduled event of type Freeze",
            near_miss="VMEventScheduled False Mon, 12 Jan 2026 10:11:12 +0000 NoVMEventScheduled VM has no scheduled event",
            weight=TYPICAL,
            unless=r"No(?:Freeze|Reboot|Redeploy|Terminate)Scheduled|\bPreempt\b",
        ),
    ),
    why="Azure announces maintenance and faults of the physical host as scheduled events (FreezeScheduled, RebootScheduled, RedeployScheduled), which AKS shows as condition VMEventScheduled and as events of the node. The node can be NotReady for seconds to minutes and then recovers; only nodes on that host are affected.",
    remedy=(
        Step(
            "See what is scheduled, and whether Resource Health speaks of the platform.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "involvedObject.kind=Node",
                "--sort-by",
                ".lastTimestamp",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Nothing is to be mended in the cluster. Spread replicas over nodes and zones, with budgets that allow one to go."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-then-recovers",
        "https://learn.microsoft.com/azure/aks/node-problem-detector",
    ),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.kubelet_silent",
    ),
)

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


@each(Node, TYPICAL)
def stopped_reporting(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    ready = node.condition("Ready")
    if ready is None or ready.status != "Unknown":
        return Clear(f"the kubelet of {node.name} reports")
    return Match(
        f"the kubelet of {node.name} has not reported since {ready.last_heartbeat_time or 'an unknown time'}",
        cites=(
            node.cite("status.conditions[Ready]", f"{ready.status} {ready.reason or ''}".strip()),
        ),
        at=ready.last_transition_time or "",
    )


RULE = Rule(
    title="The kubelet of a node has stopped reporting (NodeStatusUnknown)",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        stopped_reporting,
        Signature(
            pattern=r"Kubelet stopped posting node status|NodeStatusUnknown|Kubelet never posted node status",
            says="the kubelet of a node stopped reporting",
            sample="Ready                Unknown   Mon, 12 Jan 2026 10:11:12 +0000   Mon, 12 Jan 2026 10:12:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.",
            near_miss="Ready                True   Mon, 12 Jan 2026 10:11:12 +0000   Mon, 12 Jan 2026 10:12:00 +0000   KubeletReady   kubelet is posting ready status",
            weight=TYPICAL,
        ),
    ),
    why="The control plane hears nothing from the node: its virtual machine is stopped, deallocated or hung, the kubelet is dead or starved of CPU, memory or disk, or the network between node and API server is cut.",
    remedy=(
        Step(
            "See whether the virtual machine runs.",
            run=(
                "az",
                "vmss",
                "get-instance-view",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-id",
                "<id>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart the instance, if it runs and nothing else is found.",
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
        Step(
            "If it stays silent, reimage it.",
            run=(
                "az",
                "vmss",
                "reimage",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-after-being-healthy",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-basic-troubleshooting",
    ),
    leads_to=("kubernetes.node_not_ready", "kubernetes.pod_stuck_terminating"),
)

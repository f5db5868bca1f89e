from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each

LOST = frozenset({"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"})


@each(Node, SYMPTOM)
def is_not_ready(node: Node, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    ready = node.condition("Ready")
    if ready is None:
        return _told_by_taint(node)
    if ready.is_true:
        return None
    return Match(
        f"{node.name} is NotReady (Ready is {ready.status or 'absent'}: {ready.reason or 'no reason given'})",
        cites=(
            node.cite("status.conditions[Ready]", f"{ready.status} {ready.reason or ''}".strip()),
        ),
        at=ready.last_transition_time or "",
    )


def _told_by_taint(node: Node) -> Match | None:
    """A description that breaks off before the conditions still tells it by a taint."""
    told = sorted(LOST & node.tainted)
    if not told:
        return None
    return Match(
        f"{node.name} carries the taint {told[0]}", cites=(node.cite("spec.taints", told[0]),)
    )


RULE = Rule(
    title="A node is NotReady",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        is_not_ready,
        Signature(
            pattern=r"\bNodes?NotReady\b|(?i:(?:not all|all) nodes (?:did not )?reach(?:ed)? Ready state)|(?i:nodes? .{0,60}?(?:did not|failed to|never) (?:become|reach|get) Ready)|(?i:\bnodes? (?:\w+ ){0,2}(?:went|turned|fell) (?:in(?:to)? )?\W{0,3}Not ?Ready\b)|status is now: NodeNotReady|\bnode (?P<node>[\w.-]+) (?:is|became) (?:not ready|NotReady)|(?i:Node\(s\) are Not Ready)|At least 1 node in your cluster is not ready|\d+ node\(s\) had (?:untolerated )?taints? \{node\.kubernetes\.io/(?:not-ready|unreachable)",
            says="a node became NotReady",
            sample="Normal  NodeNotReady  5m  kubelet  Node aks-np1-12345678-vmss000002 status is now: NodeNotReady",
            near_miss="Normal  NodeReady  5m  kubelet  Node aks-np1-12345678-vmss000002 status is now: NodeReady",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\b(?P<node>[a-z][a-z0-9.-]+) NotReady(?:,\w+){0,2} (?:(?:<none>|[\w,-]+) \d+[smhdy]|(?:\d+[smhdy]){1,2} v\d)",
            says="{node} is NotReady",
            sample="NAME STATUS ROLES AGE VERSION\naks-np1-12345678-vmss000002   NotReady   <none>   45d   v1.29.4",
            near_miss="NAME STATUS ROLES AGE VERSION\naks-np1-12345678-vmss000002   Ready   <none>   45d   v1.29.4",
            weight=SYMPTOM,
        ),
    ),
    why="The kubelet reports the node as not ready, or has stopped reporting, so that the control plane places nothing on it and moves its pods after five minutes.",
    remedy=(
        Step(
            "Read the conditions and the last events of the node.",
            run=("kubectl", "describe", "node", "{node}"),
            risk=Risk.READ,
        ),
        Step(
            "See whether its virtual machine runs.",
            run=(
                "az",
                "vmss",
                "list-instances",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--expand",
                "instanceView",
                "--output",
                "table",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-basic-troubleshooting",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-after-being-healthy",
    ),
    leads_to=("kubernetes.pod_pending", "kubernetes.rollout_stuck"),
)

from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each

_MACHINE = "topology.kubernetes.io/baremetalmachine"


@each(Node, TYPICAL)
def node_is_cordoned(node: Node, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    if not node.spec.unschedulable or _MACHINE not in node.labels:
        return None
    return Match(
        f"node {node.name} on machine {node.labels[_MACHINE]} is cordoned",
        facts={"node": node.name},
        cites=(node.cite("spec.unschedulable", node.spec.unschedulable),),
    )


RULE = Rule(
    title="A node of a Nexus Kubernetes cluster is cordoned (SchedulingDisabled) although it is Ready",
    severity=Severity.WARNING,
    categories=(Category.NODES, Category.UPGRADE),
    detect=(
        node_is_cordoned,
        Signature(
            pattern=r"(?P<node>[a-z0-9][a-z0-9.-]*-(?:control-plane|md)-[a-z0-9-]+) +Ready,SchedulingDisabled\b",
            says="node {node} is Ready, but cordoned",
            sample="example-naks-agentpool1-md-s8vp4-xp98x Ready,SchedulingDisabled <none> 2d6h v1.30.12 10.4.32.11",
            near_miss="example-naks-agentpool1-md-s8vp4-xp98x Ready <none> 2d6h v1.30.12 10.4.32.11",
            weight=TYPICAL,
        ),
    ),
    why="A runtime upgrade of the site cordons the nodes of a machine and uncordons them afterwards; a race can leave one cordoned (SchedulingDisabled), so that no pod is placed on it. The same is seen while an upgrade runs, or when an operator cordoned the node.",
    remedy=(
        Step(
            "See whether an upgrade still runs.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "list",
                "--query",
                "[].{name:name,status:detailedStatus,version:clusterVersion}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Uncordon the node when none runs.",
            run=("kubectl", "uncordon", "{node}"),
            risk=Risk.SAFE,
            verify="kubectl get node {node} wants Ready without SchedulingDisabled",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-kubernetes-cluster-node-cordoned",
    ),
    ask="kubectl get nodes -o wide",
)

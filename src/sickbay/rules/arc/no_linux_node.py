from sickbay.model.arc import ConnectedCluster
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_SYSTEM = "kubernetes.io/os"


@each(ConnectedCluster)
def has_no_linux_node(cluster: ConnectedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if cluster.connectivity == "connected":
        return Clear(f"{cluster.name} is connected")
    nodes = snapshot.all(Node)
    systems = [node.labels.get(_SYSTEM, "").casefold() for node in nodes]
    if not nodes or not all(systems) or "linux" in systems:
        return Clear(f"{systems.count('linux')} of {len(nodes)} nodes run Linux")
    return Match(
        f"none of {len(nodes)} nodes runs Linux: {', '.join(sorted(set(systems)))}",
        facts={"cluster": cluster.name},
        cites=(nodes[0].cite(f"metadata.labels.{_SYSTEM}", systems[0]),),
    )


RULE = Rule(
    title="The cluster has no Linux node, on which the Arc agents run",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        has_no_linux_node,
        Signature(
            pattern=r"(?i)ensure that this Kubernetes cluster has any nodes with OS 'linux'|ArcK8sSupportedOSArchitecture|\bAZK8S0206\b|No Linux node is available for scheduling Azure Arc agents",
            says="no node runs Linux",
            sample="Please ensure that this Kubernetes cluster has any nodes with OS 'linux', for scheduling the Arc-Agents onto and connecting to Azure. Learn more at https://aka.ms/ArcK8sSupportedOSArchitecture",
            near_miss="This Kubernetes cluster has 3 nodes with OS linux",
        ),
    ),
    why="The agents of Arc are Linux containers for amd64 and arm64. A cluster in which no node has kubernetes.io/os=linux has no place for them, so onboarding stops.",
    remedy=(
        Step(
            "See the nodes with their operating system and architecture.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-L",
                "kubernetes.io/os,kubernetes.io/arch",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a Linux node of amd64 or arm64 with 850 MB of free memory.",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/system-requirements",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=(
        "arc.agents_unschedulable",
        "arc.prechecks_failed",
    ),
)

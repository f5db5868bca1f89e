from sickbay.model.aks import ManagedCluster
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Node, TYPICAL)
def is_idle_windows(node: Node, snapshot: Snapshot) -> Match | Clear | None:
    info = node.status.node_info
    if info is None or (info.operating_system or "").casefold() != "windows":
        return None
    clusters = snapshot.some(ManagedCluster)
    if len(clusters) != 1 or clusters[0].network_profile is None:
        return None
    if clusters[0].network_profile.probe_mode.casefold() != "shared":
        return Clear(f"{clusters[0].name} has a probe for each service")
    snapshot.require(Pod)
    pods = snapshot.grouped(Pod, "node", node.name)
    if any(pod.namespace != "kube-system" for pod in pods):
        return Clear(f"{node.name} runs pods that start kube-proxy")
    return Match(
        f"{node.name} runs {len(pods)} pods, all of kube-system, and {clusters[0].name} probes in mode Shared",
        facts={"resource_group": clusters[0].ref.group, "cluster": clusters[0].name},
        cites=(node.cite("status.nodeInfo.operatingSystem", "windows"),),
    )


RULE = Rule(
    title="The shared health probe marks idle Windows nodes as down, because kube-proxy has not started there",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(is_idle_windows,),
    why="On a Windows node kube-proxy starts with the first pod that is not a HostProcess pod. In probe mode Shared the load balancer asks for kube-proxy, so a Windows node without such a pod counts as down although nothing is wrong with it.",
    remedy=(
        Step(
            "See what runs on the node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
                "--field-selector",
                "spec.nodeName={node}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run at least one ordinary pod on every Windows node (a DaemonSet), or go back to a probe for each service.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--cluster-service-load-balancer-health-probe-mode",
                "ServiceNodePort",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the health status of the load balancer wants the node up",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-service-health-probe-mode-issues",
    ),
    leads_to=("network.health_probe_fails",),
)

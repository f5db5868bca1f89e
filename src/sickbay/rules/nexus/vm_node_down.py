from sickbay.model.nexus import NexusKubernetesCluster, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_DOWN = {"error", "unknown", "stopped"}


@each(NexusKubernetesCluster)
def node_is_down(cluster: NexusKubernetesCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    nodes = cluster.nodes or []
    down = [one for one in nodes if (one.detailed_status or "").casefold() in _DOWN]
    if not down or not same_word(cluster.provisioning_state, "Succeeded"):
        return Clear(f"{len(nodes)} nodes of {cluster.name} are up") if nodes else None
    names = ", ".join(one.name or "a node" for one in down[:4])
    return Match(
        f"{len(down)} of {len(nodes)} nodes of {cluster.name} are down: {names}",
        facts={"node": down[0].name or "<node>", "nodes": names},
        cites=tuple(
            cluster.cite(f"properties.nodes[name={one.name}].detailedStatus", one.detailed_status)
            for one in down[:3]
        ),
    )


RULE = Rule(
    title="A virtual machine node of a Nexus Kubernetes cluster is stopped or in error (NotReady)",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(node_is_down,),
    why="Each node of the cluster is a virtual machine on a bare-metal machine. Azure shows this one as Stopped, Error or Unknown, so Kubernetes sees it as NotReady: mostly its host failed or restarted, or the virtual machine did.",
    remedy=(
        Step(
            "See what Kubernetes says of it.",
            run=("kubectl", "describe", "node", "{node}"),
            risk=Risk.READ,
        ),
        Step(
            "Restart the node.",
            run=(
                "az",
                "networkcloud",
                "kubernetescluster",
                "restart-node",
                "--node-name",
                "{node}",
                "--kubernetes-cluster-name",
                "{name}",
                "-g",
                "{resource_group}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get node {node} wants Ready",
        ),
        Step(
            "If it stays NotReady, delete the node object; it is replaced by a new one.",
            run=("kubectl", "delete", "node", "{node}"),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-not-ready-kubernetes-cluster-node",
    ),
    leads_to=("kubernetes.node_not_ready", "kubernetes.kubelet_silent"),
)

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
def has_no_pod_network(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    ready = node.condition("Ready")
    missing = node.condition("NetworkUnavailable")
    said = (ready.message or "") if ready and not ready.is_true else ""
    if (
        "NetworkPluginNotReady" in said
        or "cni plugin not initialized" in said
        or (missing and missing.is_true)
    ):
        return Match(
            f"the pod network of {node.name} is not set up",
            cites=(node.cite("status.conditions", said or (missing.message if missing else "")),),
            at=(ready.last_transition_time if ready else "") or "",
        )
    return Clear(f"the pod network of {node.name} is set up")


RULE = Rule(
    title="The network plugin of a node is not initialised (NetworkPluginNotReady)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CONNECTIVITY),
    detect=(
        has_no_pod_network,
        Signature(
            pattern=r"NetworkPluginNotReady|cni plugin not initialized|cni config uninitialized|(?i:no (?:valid )?networks? (?:config )?found) in (?:(?:/host)?/etc/cni/net\.d|\S{0,40}netconf\b)|failed \(add\): loadFlannelSubnetEnv failed|open /run/flannel/subnet\.env: no such file|Kubenet does not have netConfig|failed to find plugin \"(?P<plugin>[\w-]+)\" in path",
            says="the node has no working network plugin",
            sample="KubeletNotReady: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
            near_miss="failed to load cni during init: cni config load failed: no network config found in /etc/cni/net.d: cni plugin not initialized",
            passes=True,
            # Every containerd says this when it starts before the network plugin has written its file.
            unless=r"cni config load failed",
            ended_by=r"just became ready|Node became ready|status is now: NodeReady",
        ),
        Signature(
            pattern=r"nodes are available:.{0,400}?(?:had untolerated taint(?:s|\(s\))?|had taint) \{node\.(?:kubernetes\.io/network-unavailable|cilium\.io/agent-not-ready)",
            says="nodes carry the taint network-unavailable",
            sample="0/4 nodes are available: 1 node(s) were unschedulable, 3 node(s) had untolerated taint {node.kubernetes.io/network-unavailable: }.",
            near_miss="0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
            weight=TYPICAL,
        ),
    ),
    why="No CNI configuration is on the node, or the plugin's own pods (azure-cns, cilium, calico, a plugin of your own) do not run there, so that pods get no network and the node stays NotReady.",
    remedy=(
        Step(
            "See whether the plugin's pods run on the node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-o",
                "wide",
                "--field-selector",
                "spec.nodeName={node}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what keeps them from running (image pull, memory, API server); with network plugin none, install one.",
            verify="kubectl get node {node} wants Ready",
        ),
        Step(
            "If the configuration on the node is broken, reimage it.",
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
    docs=("https://learn.microsoft.com/azure/aks/concepts-network-cni-overview",),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.container_creating_stuck",
        "kubernetes.pod_pending",
    ),
)

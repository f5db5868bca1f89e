from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Node, TYPICAL)
def agents_share_a_full_node(node: Node, snapshot: Snapshot) -> Match | None:
    if not any(
        c.type == "MemoryPressure" and c.status == "True" for c in node.status.conditions or ()
    ):
        return None
    snapshot.some(Pod)
    agents = [
        pod for pod in snapshot.grouped(Pod, "node", node.name) if pod.namespace == "azure-arc"
    ]
    if not agents:
        return None
    return Match(
        f"node {node.name} is under memory pressure and runs {len(agents)} Arc agent pod(s)",
        facts={"node": node.name},
        cites=(node.cite("status.conditions[type=MemoryPressure].status", "True"),),
    )


RULE = Rule(
    title="Memory saturation on an AKS hybrid node: Arc agents and workload compete for its memory",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        agents_share_a_full_node,
        Signature(
            pattern=r"(?i)low on resource: memory.{0,300}?\bcontainer (?P<container>clusterconnect-agent|config-agent|connect-agent|cluster-metadata-operator|clusteridentityoperator|resource-sync-agent|extension-manager|metrics-agent|kube-aad-proxy|flux-logs-agent|extension-events-collector)\b",
            says="the Arc agent {container} was evicted because its node ran out of memory",
            sample="Evicted: The node was low on resource: memory. Threshold quantity: 100Mi, available: 71Mi. Container config-agent was using 412Mi, request is 50Mi, has larger consumption of memory.",
            near_miss="Evicted: The node was low on resource: memory. Container web was using 412Mi, request is 50Mi, has larger consumption of memory.",
            weight=TYPICAL,
        ),
    ),
    why="The Arc agents run on the same nodes as the network functions, and can take much memory. When a node has none left, the kubelet evicts pods, and workload that is scheduled there does not start.",
    remedy=(
        Step(
            "See who uses the memory.",
            run=("kubectl", "top", "pod", "-A", "--sort-by=memory"),
            risk=Risk.READ,
        ),
        Step(
            "See what the nodes have left.",
            run=("kubectl", "describe", "node", "{node}"),
            risk=Risk.READ,
        ),
        Step(
            "Set memory requests and limits on the workload, keep it off the nodes of the agents with a taint or anti-affinity, or use a larger node size.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node {node} wants MemoryPressure False",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/identify-memory-saturation-aks",
    ),
    leads_to=(
        "hybrid.agent_never_reported",
        "hybrid.cluster_offline",
        "kubernetes.pod_evicted",
        "kubernetes.node_memory_pressure",
    ),
    ask="kubectl top node",
)

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

SYSTEM = ("kube-system", "gatekeeper-system", "aks-command", "calico-system", "tigera-operator")


@each(ManagedCluster, TYPICAL)
def serves_two_masters(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    modes = {(pool.mode or "").casefold() for pool in pools}
    if modes != {"system"}:
        return Clear(f"{cluster.name} has a user pool") if "user" in modes else None
    nodes = {node.name for node in snapshot.some(Node)}
    foreign = [
        pod for pod in snapshot.some(Pod) if pod.node in nodes and pod.namespace not in SYSTEM
    ]
    if not foreign:
        return Clear(f"only pods of the system run on {cluster.name}")
    pool = min(pools, key=lambda pool: pool.name)
    return Match(
        f"{cluster.name} has no user pool, so {len(foreign)} pods of applications run on its system pool {pool.name}",
        facts={"pool": pool.name},
        cites=(pool.cite("properties.mode", pool.mode),),
        felt_as=(
            "kubernetes.node_memory_pressure",
            "kubernetes.coredns_down",
            "aks.coredns_starved",
            "aks.metrics_server_starved",
            "aks.node_cpu_saturated",
        ),
    )


RULE = Rule(
    title="Application pods share the only system node pool with the pods of kube-system",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(serves_two_masters,),
    why="CoreDNS, the tunnel and metrics run on the system pool. Where applications run there too, because there is no user pool, their memory or CPU starves or evicts those pods, and the whole cluster feels it.",
    remedy=(
        Step(
            "Add a user pool for the applications.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--mode",
                "User",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
        Step(
            "Then keep the system pool for the system.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--node-taints",
                "CriticalAddonsOnly=true:NoSchedule",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -A -o wide wants only kube-system on its nodes",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-oomkilled-aks-clusters",
        "https://learn.microsoft.com/azure/aks/use-system-pools",
    ),
    leads_to=(
        "kubernetes.node_memory_pressure",
        "kubernetes.coredns_down",
        "aks.coredns_starved",
        "aks.metrics_server_starved",
        "aks.node_cpu_saturated",
    ),
)

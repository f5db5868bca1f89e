from sickbay.model.aks import AgentPool, ManagedCluster, minor
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
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

MOST_BEHIND = 3


@each(AgentPool)
def is_too_far_apart(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    cluster = snapshot.get(arm(pool.ref.parent), ManagedCluster)
    if cluster is None or pool.is_stopped:
        return None
    mine = pool.current_orchestrator_version or pool.orchestrator_version
    theirs = cluster.current_kubernetes_version or cluster.kubernetes_version
    node, server = minor(mine), minor(theirs)
    if node is None or server is None:
        return None
    if 0 <= server - node <= MOST_BEHIND:
        apart = f"node pool {pool.name} is at {mine} and the control plane at {theirs}"
        return Clear(apart if mine != theirs else "")
    behind = server - node
    apart = f"{behind} minor versions behind" if behind > 0 else "newer"
    return Match(
        f"node pool {pool.name} is at {mine}, and the control plane at {theirs}: {apart}, and {MOST_BEHIND} behind is the most",
        facts={"target": (theirs if behind > 0 else mine) or ""},
        cites=(
            pool.cite("properties.currentOrchestratorVersion", mine),
            cluster.cite("properties.currentKubernetesVersion", theirs),
        ),
    )


RULE = Rule(
    title="The node pool version is incompatible with the control plane (version skew)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING, Category.CREATION),
    detect=(
        is_too_far_apart,
        Signature(
            pattern=r"\bAgentPoolUpgradeVersionNotAllowed\b|\bNodePoolMcVersionIncompatible\b|(?i:node pool version '?(?P<pool_version>[\w.]+)'? and control plane version '?(?P<version>[\w.]+)'? (?:is|are) incompatible)|(?i:node pools in the cluster are using an older version of Kubernetes)|(?i:node pool is using the latest version of Kubernetes supported by the cluster)|(?i:minor version of node pool(?: version)? (?P<newer>[\w.]+) is (?:bigger|higher|greater|newer) than (?:the )?control plane)",
            says="the version of the pool does not fit the control plane",
            sample="NodePoolMcVersionIncompatible: Node pool version 1.24.9 and control plane version 1.29.15 are incompatible. Minor version of node pool cannot be more than 3 versions less than control plane's version.",
            near_miss="Node pool version 1.29.9 and control plane version 1.29.15 are compatible",
        ),
    ),
    why="Kubelets may be up to three minor versions older than the API server, and never newer. The version of the pool is outside of that window.",
    remedy=(
        Step(
            "Compare the versions.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{cluster:currentKubernetesVersion,pools:agentPoolProfiles[].{name:name,version:currentOrchestratorVersion}}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade the older of the two[ to {target}]: the pools that lag behind, or the control plane.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--kubernetes-version",
                "{target}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks nodepool show wants the version",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/nodepoolmcversionincompatible-error",
        "https://kubernetes.io/docs/setup/release/version-skew-policy/",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)

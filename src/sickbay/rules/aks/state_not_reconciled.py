from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import ScaleSet, ScaleSetInstance
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


def _machines(group: str, snapshot: Snapshot) -> tuple[ScaleSetInstance, ...]:
    """All machines of a group; a live run reads them scale set by scale set."""
    if snapshot.has_seen(ScaleSetInstance.kind, group):
        return snapshot.all(ScaleSetInstance, within=group)
    sets = snapshot.all(ScaleSet, within=group)
    return tuple(
        one for scale_set in sets for one in snapshot.all(ScaleSetInstance, within=scale_set.ref.id)
    )


@each(ManagedCluster, TYPICAL)
def is_failed_in_name_only(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_unwell or cluster.is_stopped or not cluster.node_group_id:
        return None
    error = cluster.status.provisioning_error if cluster.status else None
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    ailing = [pool.name for pool in pools if pool.is_unwell]
    if ailing or not pools or (error and error.code):
        return None
    machines = _machines(cluster.node_group_id, snapshot)
    if any(machine.is_unwell for machine in machines):
        return Clear(f"machines of {cluster.name} are failed")
    return Match(
        f"{cluster.name} is {cluster.provisioning_state}, while its {len(pools)} node pools and {len(machines)} machines are all Succeeded",
        cites=(cluster.cite("properties.provisioningState", cluster.provisioning_state),),
    )


RULE = Rule(
    title="The cluster keeps a failed state although nothing of it is failed any more",
    severity=Severity.WARNING,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
        Category.CREATION,
    ),
    detect=(is_failed_in_name_only,),
    why="A past operation ended with an internal or passing error, and AKS keeps `provisioningState: Failed` until another operation succeeds. Pools and machines are all well, so an empty update (reconciliation) is what clears it.",
    remedy=(
        Step(
            "Reconcile the cluster: an update without a change brings it to its goal state.",
            run=(
                "az",
                "resource",
                "update",
                "--ids",
                "{subject}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
        Step(
            "If it fails again with an internal error, open a support request with the correlation id of the operation."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.cluster_failed",),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)

from sickbay.model.aks import ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(ManagedCluster, SYMPTOM)
def is_failed(cluster: ManagedCluster, snapshot: Snapshot) -> Match | None:  # noqa: ARG001 - a check is asked with both
    state = (cluster.provisioning_state or "").casefold()
    if state not in {"failed", "canceled"}:
        return None
    error = cluster.status.provisioning_error if cluster.status else None
    because = f": {error.code}" if error and error.code else ""
    return Match(
        f"cluster {cluster.name} is in state {cluster.provisioning_state}{because}",
        facts={"node_resource_group": cluster.node_resource_group or ""},
        cites=(cluster.cite("properties.provisioningState", cluster.provisioning_state),),
        at=cluster.modified_at,
    )


RULE = Rule(
    title="The cluster is in a failed state",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        is_failed,
        Signature(
            pattern=r"(?i)managed ?cluster '?(?P<cluster>[\w.-]+)'? is (?:in )?(?:a )?failed(?: provisioning)? state|(?:cluster|container service) (?:is )?in (?:a )?failed (?:provisioning )?state|Azure failed to provision cluster with state: Failed|not allowed while cluster is being upgra|managed cluster is in Provisioning State\(Failed\)",
            says="the cluster is in a failed state",
            sample="OperationNotAllowed: managed cluster is in Provisioning State(Failed) and Power State(Running), upgrading cannot be performed",
            near_miss="managed cluster is in Provisioning State(Succeeded) and Power State(Running)",
            weight=SYMPTOM,
        ),
    ),
    why="The last operation on the cluster did not reach its goal, and AKS keeps `provisioningState: Failed` until a later one does. The state says nothing of the cause: that is in the error of the operation, in a node pool, or in a resource that the operation touched.",
    remedy=(
        Step(
            "Read the error that the cluster keeps, and the failed operations.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{state:provisioningState,error:status.provisioningError,pools:agentPoolProfiles[].{name:name,state:provisioningState}}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "When the cause is gone, reconcile the cluster to its goal state.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.ids import arm
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


@each(AgentPool, SYMPTOM)
def is_failed(pool: AgentPool, snapshot: Snapshot) -> Match | None:
    state = (pool.provisioning_state or "").casefold()
    if state not in {"failed", "canceled"}:
        return None
    error = pool.status.provisioning_error if pool.status else None
    because = f": {error.code}" if error and error.code else ""
    home = snapshot.find(arm(pool.ref.parent))
    return Match(
        f"node pool {pool.name} is in state {pool.provisioning_state}{because}",
        facts={
            "node_resource_group": home.node_resource_group or ""
            if isinstance(home, ManagedCluster)
            else ""
        },
        cites=(pool.cite("properties.provisioningState", pool.provisioning_state),),
        at=pool.modified_at,
    )


RULE = Rule(
    title="A node pool is in a failed state",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.UPGRADE, Category.NODES),
    detect=(
        is_failed,
        Signature(
            pattern=r"(?i)(?:node|agent) ?pool '?(?P<pool>[\w-]+)'? is (?:in )?(?:a )?failed(?: provisioning)? state|agent pool is in Provisioning State\(Failed\)",
            says="a node pool is in a failed state",
            sample="agent pool is in Provisioning State(Failed)",
            near_miss="agent pool is in Provisioning State(Succeeded)",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"(?i)failed to (?P<verb>scale|upgrade|create|update|start|stop|save) (?:the )?(?:node|agent) ?pool '?(?P<pool>[\w<>-]+)'?",
            says="the attempt to {verb} node pool {pool} failed",
            sample="Failed to scale node pool 'np1' in Kubernetes service 'shop'.",
            near_miss="Successfully saved node pool 'np1' in Kubernetes service 'shop'",
            weight=SYMPTOM,
        ),
    ),
    why="The scale set behind the pool met an error while it was provisioned, scaled or upgraded, and the pool keeps `provisioningState: Failed` until an operation succeeds. Capacity, quota, addresses, policy, locks, bootstrap and drains all end like this.",
    remedy=(
        Step(
            "Read the error that the pool keeps.",
            run=(
                "az",
                "aks",
                "nodepool",
                "show",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--query",
                "{state:provisioningState,error:status.provisioningError}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See which instances failed, and with what.",
            run=(
                "az",
                "vmss",
                "list-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--expand",
                "instanceView",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "When the cause is gone, reconcile the pool.",
            run=("az", "resource", "update", "--ids", "{subject}"),
            risk=Risk.DISRUPTIVE,
            verify="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n {pool} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.cluster_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)

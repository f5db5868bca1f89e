from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import ScaleSet
from sickbay.model.ids import arm
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


def _tagged(snapshot: Snapshot) -> frozenset[tuple[str, str]]:
    """The groups and pools that the scale sets in evidence are tagged for."""
    sets = snapshot.some(ScaleSet) if snapshot.holds(ScaleSet.kind) else ()
    return frozenset((one.ref.parent.casefold(), one.pool_name.casefold()) for one in sets)


@each(AgentPool)
def scale_set_is_gone(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    if not pool.has_scale_set or not pool.count or pool.is_stopped:
        return None
    cluster = snapshot.get(arm(pool.ref.parent), ManagedCluster)
    if cluster is None or cluster.is_stopped or not cluster.node_group_id:
        return None
    sets = snapshot.all(ScaleSet, within=cluster.node_group_id)
    if (cluster.node_group_id.casefold(), pool.name.casefold()) in snapshot.once(_tagged):
        return Clear(f"node pool {pool.name} has its scale set")
    if any(f"aks-{pool.name}-".casefold() in one.name.casefold() for one in sets):
        return Match(
            f"the scale set of node pool {pool.name} lacks the tag aks-managed-poolName",
            facts={"node_resource_group": cluster.node_resource_group or ""},
            weight=TYPICAL,
        )
    return Match(
        f"node pool {pool.name} wants {pool.count} nodes, but {cluster.node_resource_group} holds no scale set of it",
        facts={"node_resource_group": cluster.node_resource_group or ""},
        cites=(pool.cite("properties.count", pool.count),),
    )


RULE = Rule(
    title="Resources in the node resource group were changed by hand",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING),
    detect=(
        scale_set_is_gone,
        Signature(
            pattern=r"(?i)Changing property '?imageReference'? (?:isn't|is not) allowed|\bNodeResourceGroupModified\b|virtual machine scale set '?aks-[\w-]+'? (?:was )?not found|\bVMSS(?:NotFound|Deleted)\b|could not find vmss: (?P<missing>[\w-]+)",
            says="a resource of the node resource group does not fit what AKS made",
            sample="Changing property 'imageReference' is not allowed.",
            near_miss="Changing property 'imageReference' succeeded for aks-np1-vmss",
        ),
    ),
    why="AKS keeps scale sets, load balancers, tags and identities of the node resource group as it made them. A scale set that was changed, tagged anew, given an autoscale setting or deleted by hand no longer accepts AKS's own updates.",
    remedy=(
        Step(
            "See who changed it.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{node_resource_group}",
                "--offset",
                "30d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put back what was changed (tags, image, network). If that is not possible, add a pool, move the workload and delete the damaged pool.",
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
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
        Step(
            "Reconcile the cluster.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/changing-property-imagereference-not-allowed",
        "https://learn.microsoft.com/azure/aks/faq",
    ),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {node_resource_group} --offset 30d -o json",
)

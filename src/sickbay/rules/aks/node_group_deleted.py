from sickbay.model.aks import ManagedCluster
from sickbay.model.governance import ResourceGroup
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagedCluster)
def group_is_gone(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.node_group_id or (cluster.provisioning_state or "").casefold() == "deleting":
        return None
    if snapshot.get(arm(cluster.node_group_id), ResourceGroup) is not None:
        return Clear(f"the node resource group {cluster.node_resource_group} exists")
    return Match(
        f"{cluster.name} keeps its nodes in {cluster.node_resource_group}, which does not exist",
        facts={"node_resource_group": cluster.node_resource_group or ""},
        cites=(cluster.cite("properties.nodeResourceGroup", cluster.node_resource_group),),
    )


RULE = Rule(
    title="The node resource group of the cluster was deleted",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
        Category.NODES,
    ),
    detect=(
        group_is_gone,
        Signature(
            pattern=r"(?i)(?:^|: |\. |[^r] )resource group '(?P<node_resource_group>MC_[\w.()-]+)' (?:could not be found|was not found|not found)|\bNodeResourceGroup(?:NotFound|Deleted)\b|node resource group .{0,80}? (?:could not be found|was deleted|not found)",
            says="the node resource group was not found",
            sample="ResourceGroupNotFound: Resource group 'MC_rg_shop_westeurope' could not be found.",
            near_miss="Resource group 'shop-data' could not be found.",
        ),
    ),
    why="Everything that a cluster runs on, scale sets, load balancer and identities, lies in its node resource group (`MC_…`). It was deleted outside of AKS, so no operation finds what it has to change (`ResourceGroupNotFound`), and there are no nodes.",
    remedy=(
        Step(
            "See who deleted it.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--offset",
                "30d",
                "--query",
                "[?contains(operationName.value,'resourceGroups/delete')].{who:caller,what:resourceId}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Reconcile the cluster, which makes group and nodes anew; data on disks in the group is lost.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--yes",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az group show -n {node_resource_group} wants the group",
        ),
        Step(
            "If that fails, create the cluster again from its template, and lock the new group down (node resource group lockdown)."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/cannot-scale-cluster-autoscaler-enabled-node-pool",
    ),
    leads_to=(
        "aks.resource_not_found",
        "aks.operation_failed",
        "aks.pool_failed",
        "aks.cluster_failed",
        "kubernetes.no_nodes",
    ),
)

from sickbay.model.aks import ManagedCluster
from sickbay.model.governance import AutoscaleSetting
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(AutoscaleSetting)
def scales_the_nodes(setting: AutoscaleSetting, snapshot: Snapshot) -> Match | Clear | None:
    target = (setting.target_resource_uri or "").casefold()
    if setting.enabled is False or "/virtualmachinescalesets/" not in target:
        return Clear(f"autoscale setting {setting.name} scales no scale set")
    for cluster in snapshot.some(ManagedCluster):
        group = cluster.node_group_id.casefold()
        if group and target.startswith(f"{group}/"):
            scale_set = (setting.target_resource_uri or "").rpartition("/")[2]
            return Match(
                f"autoscale setting {setting.name} scales {scale_set}, which belongs to {cluster.name}",
                facts={
                    "setting": setting.name,
                    "node_resource_group": cluster.node_resource_group or "",
                },
                cites=(setting.cite("properties.targetResourceUri", setting.target_resource_uri),),
            )
    return None


RULE = Rule(
    title="An autoscale setting of Azure Monitor fights with AKS over the size of a scale set",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(scales_the_nodes,),
    why="Autoscale was switched on for the scale set itself (`Microsoft.Insights/autoscaleSettings`). It changes the number of machines behind the back of AKS and of the cluster autoscaler, so nodes come and go without reason and operations on the pool fail.",
    remedy=(
        Step(
            "See the settings in the node resource group.",
            run=(
                "az",
                "monitor",
                "autoscale",
                "list",
                "-g",
                "{node_resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the setting; let AKS scale the pool.",
            run=(
                "az",
                "monitor",
                "autoscale",
                "delete",
                "-g",
                "{node_resource_group}",
                "-n",
                "{setting}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az monitor autoscale list -g {node_resource_group} wants []",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/cannot-scale-cluster-autoscaler-enabled-node-pool",
        "https://learn.microsoft.com/azure/aks/cluster-autoscaler",
    ),
    leads_to=(
        "aks.pool_failed",
        "aks.operation_failed",
        "kubernetes.node_not_ready",
    ),
)

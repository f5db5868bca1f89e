from sickbay.model.aks import ManagedCluster
from sickbay.model.governance import ResourceGroup
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


@each(ManagedCluster, TYPICAL)
def lost_its_tags(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.node_group_id:
        return None
    group = snapshot.get(arm(cluster.node_group_id), ResourceGroup)
    if group is None:
        return None
    marks = {
        "aks-managed-cluster-name": cluster.name,
        "aks-managed-cluster-rg": cluster.ref.group,
    }
    wrong = [tag for tag, value in marks.items() if group.tag(tag).casefold() != value.casefold()]
    if not wrong:
        return Clear(f"{group.name} carries the tags of {cluster.name}")
    is_ailing = cluster.is_unwell or any(p.is_unwell for p in cluster.agent_pool_profiles or ())
    return Match(
        f"{group.name} has lost {' and '.join(wrong)}, which name {cluster.name} in {cluster.ref.group}",
        facts={"node_resource_group": group.name, "cluster": cluster.name},
        cites=(group.cite("tags", ", ".join(sorted(group.tags or {})) or "none"),),
        felt_as=() if is_ailing else ("aks.operation_failed", "aks.scale_up_failed"),
    )


RULE = Rule(
    title="The tags by which AKS knows its node resource group were changed",
    severity=Severity.WARNING,
    categories=(
        Category.SCALING,
        Category.UPGRADE,
    ),
    detect=(
        lost_its_tags,
        Signature(
            pattern=r"(?i)aks-managed-cluster-(?:name|rg)\b.{0,80}?(?:missing|not found|changed|removed|does not match|mismatch)|NodeResourceGroup(?:Tags?)?(?:Changed|Mismatch|Modified)\w*|chang\w+ property 'tags?' of the node resource group",
            says="the tags of the node resource group do not fit",
            sample="tag aks-managed-cluster-name is missing on resource group MC_rg_shop",
            near_miss="tag aks-managed-cluster-name is shop on resource group MC_rg_shop",
            weight=TYPICAL,
        ),
    ),
    why="AKS marks its node resource group with aks-managed-cluster-name and aks-managed-cluster-rg. Somebody, often a tagging policy, removed or overwrote them; scaling and upgrades then fail because the group is taken for another's.",
    remedy=(
        Step(
            "See the tags.",
            run=(
                "az",
                "group",
                "show",
                "-n",
                "{node_resource_group}",
                "--query",
                "tags",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put them back.",
            run=(
                "az",
                "group",
                "update",
                "-n",
                "{node_resource_group}",
                "--set",
                "tags.aks-managed-cluster-name={cluster}",
                "tags.aks-managed-cluster-rg={resource_group}",
            ),
            risk=Risk.SAFE,
            verify="az group show -n {node_resource_group} --query tags wants both",
        ),
        Step(
            "Reconcile the cluster.",
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
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/cannot-scale-cluster-autoscaler-enabled-node-pool",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.pool_failed",
        "aks.cluster_failed",
    ),
)

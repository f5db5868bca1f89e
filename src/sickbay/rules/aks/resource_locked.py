from sickbay.model.ailing import is_ailing
from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import Lock
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Lock)
def covers_the_nodes(lock: Lock, snapshot: Snapshot) -> Match | None:
    scope = lock.scope.rstrip("/").casefold() + "/"
    for cluster in snapshot.some(ManagedCluster):
        group = cluster.node_group_id.casefold() + "/"
        held = (
            group.startswith(scope) or scope.startswith(group) if cluster.node_group_id else False
        )
        is_read_only = (lock.level or "").casefold() == "readonly" and (
            cluster.ref.key + "/"
        ).startswith(scope)
        if not (held or is_read_only) or not is_ailing(cluster, snapshot):
            continue
        return Match(
            f"lock {lock.name} ({lock.level}) on {lock.scope} covers the nodes of {cluster.name}"
            if held
            else f"lock {lock.name} ({lock.level}) on {lock.scope} covers {cluster.name}",
            facts={"lock_id": lock.id, "node_resource_group": cluster.node_resource_group or ""},
            cites=(lock.cite("properties.level", lock.level),),
            subject=cluster.ref,
        )
    return None


RULE = Rule(
    title="A management lock keeps AKS from changing or deleting its resources (ScopeLocked)",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.UPGRADE, Category.CREATION),
    detect=(
        covers_the_nodes,
        Signature(
            pattern=r"\bResource(?:Group)?Locked\b|Resource group \S{1,100} (?:under subscription:? \S{1,60} )?is locked|\bScopeLocked\b|\bUserErrorSnapshotResourceGroupHasLocks\b|(?i:following scope\(s\) are locked: ?'?(?P<scope>/[^\s',]+))|(?i:cannot perform (?:write|delete) operation because following scope)",
            says="a lock stands on the scope",
            sample="ScopeLocked: The scope '/subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-vmss' cannot perform delete operation because following scope(s) are locked: '/subscriptions/s/resourceGroups/MC_rg_shop'. Please remove the lock and try again.",
            near_miss="The scope '/subscriptions/s/resourceGroups/MC_rg_shop' has no locks",
            unless=r"(?i)(?:Administrative|Configuration)(?:ly)? locked|network ?fabric",
        ),
    ),
    why="A lock on a resource, its group or the subscription holds for everybody, AKS included. With CanNotDelete, scale-down, upgrade and repair cannot delete instances; with ReadOnly nothing can be written at all.",
    remedy=(
        Step(
            "See the locks on the node resource group and above it.",
            run=("az", "lock", "list", "-g", "{node_resource_group}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Remove the lock, or move it to what it should protect outside the node resource group.",
            run=("az", "lock", "delete", "--ids", "{lock_id}"),
            risk=Risk.DISRUPTIVE,
            verify="az lock list -g {node_resource_group} wants no lock",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.private_dns_failed",
        "aks.scale_up_failed",
        "aks.pool_failed",
    ),
)

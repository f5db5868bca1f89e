from sickbay.model.aks import AgentPool
from sickbay.model.azure import Subnet, VirtualNetwork
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(AgentPool)
def subnet_is_elsewhere(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    if not pool.vnet_subnet_id:
        return None
    wanted = arm(pool.vnet_subnet_id)
    if snapshot.get(wanted, Subnet) is not None:
        return Clear(f"the subnet {wanted.name} of {pool.name} exists")
    network = arm(wanted.parent)
    for other in sorted(snapshot.some(VirtualNetwork), key=lambda one: one.ref.key):
        subnets = {subnet.name.casefold() for subnet in other.subnets or ()}
        if other.name.casefold() == network.name.casefold() and wanted.name.casefold() in subnets:
            return Match(
                f"node pool {pool.name} is placed in {network.id}, and that network is now {other.id}",
                facts={
                    "network": network.name,
                    "missing": network.id,
                    "found": other.id,
                    "home": network.group,
                },
                cites=(pool.cite("properties.vnetSubnetID", pool.vnet_subnet_id),),
            )
    return None


RULE = Rule(
    title="The virtual network of the cluster was moved to another resource group or subscription",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
        Category.CONNECTIVITY,
    ),
    detect=(subnet_is_elsewhere,),
    why="Node pools refer to their subnet by its full ARM id, which cannot be changed. The network is there no more under that id, but one of the same name with the same subnet exists elsewhere: it was moved, which AKS does not support (`InvalidResourceReference`).",
    remedy=(
        Step(
            "See where the network is now.",
            run=(
                "az",
                "resource",
                "list",
                "--name",
                "{network}",
                "--resource-type",
                "Microsoft.Network/virtualNetworks",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Move it back under its old id.",
            run=(
                "az",
                "resource",
                "move",
                "--ids",
                "{found}",
                "--destination-group",
                "{home}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet show --ids {missing} wants the network",
        ),
        Step(
            "If it cannot go back, build a new cluster on the moved network and move the workload."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/invalidresourcereference-error",
    ),
    leads_to=(
        "aks.invalid_resource_reference",
        "aks.operation_failed",
        "aks.pool_failed",
        "aks.cluster_failed",
    ),
)

from sickbay.model.aks import AgentPool
from sickbay.model.azure import Subnet
from sickbay.model.entity import ArmEntity
from sickbay.model.ids import arm
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


def _other_region(pool: AgentPool, subnet: str, snapshot: Snapshot) -> str:
    """Where the network of a subnet lies, when that is known not to be where the cluster is."""
    network = snapshot.find(arm(arm(subnet).parent))
    cluster = snapshot.find(arm(pool.ref.parent))
    there, here = (
        (found.location or "").replace(" ", "").casefold() if isinstance(found, ArmEntity) else ""
        for found in (network, cluster)
    )
    return there if there and here and there != here else ""


@each(AgentPool)
def subnet_is_gone(pool: AgentPool, snapshot: Snapshot) -> Match | None:
    for id in (pool.vnet_subnet_id, pool.pod_subnet_id):
        elsewhere = _other_region(pool, id, snapshot) if id else ""
        if elsewhere:
            return Match(
                f"node pool {pool.name} is placed in {id}, which lies in another region ({elsewhere})",
                facts={"missing": id or ""},
                cites=(pool.cite("properties.vnetSubnetID", id),),
            )
        if id and snapshot.get(arm(id), Subnet) is None:
            return Match(
                f"node pool {pool.name} is placed in {id}, which does not exist",
                facts={"missing": id},
                cites=(pool.cite("properties.vnetSubnetID", id),),
            )
    return None


RULE = Rule(
    title="A resource that is referred to does not exist: it was deleted, moved, misnamed or is in another region",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING, Category.CREATION),
    detect=(
        subnet_is_gone,
        Signature(
            pattern=r"\b(?:CustomRouteTableNotFound|PrivateDNSZoneResourceNotFoundError|LoadBalancerProfileOutboundIP(?:Prefix)?(?:NotInTheSame\w+|NotStandardSKU|HasManagedOutboundIPTag|AttachedToAnotherIPConfiguration)|SubnetNotFound|GetSubnetError|NATGatewayNotFound|PPGNotFound|InvalidPPG(?:Region|Subscription)|InvalidPublicIPPrefixDifferent(?:Sub|Location))\b|\b(?:LoadBalancerProfileOutboundIP\w*NotExist|InvalidLoadBalancerProfileOutboundIP\w*|InvalidResourceReference|InvalidReferenceOfResource)\b|\bDiskEncryptionSet(?:Invalid|NotExists?)\b|(?i:disk ?encryption ?set\b.{0,250}?(?:is|was|could) not (?:be )?found)|(?i:failed to ensure load ?balancer: nsg .?(?P<nsg>[\w.-]+).? not found)|(?i:Could not find subnet \S+ in vnet )|(?i:resource (?P<missing>/subscriptions/\S+) referenced by (?:resource )?(?P<resource>/subscriptions/\S+) was not found)",
            says="a resource that is referred to was not found",
            sample='Code="InvalidResourceReference" Message="Resource /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n referenced by resource /subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-vmss was not found. Please make sure that the referenced resource exists, and that both resources are in the same region."',
            near_miss="Resource /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v referenced by resource vmss was found in the same region",
        ),
    ),
    why="A scale set or load balancer of the cluster points to a subnet, address, frontend, security group or outbound rule that is not there any more (`InvalidResourceReference`): it was deleted by hand, moved to another group, or lies in a different region.",
    remedy=(
        Step(
            "See whether the resource that the message names exists.",
            run=("az", "resource", "show", "--ids", "{missing}"),
            risk=Risk.READ,
        ),
        Step(
            "Create it again under the same id, or take the reference back (load balancer rules, outbound addresses). A virtual network that was moved cannot be followed: build a new cluster on it.",
            risk=Risk.DISRUPTIVE,
            verify="az resource show --ids {missing} wants the resource",
        ),
        Step(
            "Reconcile the cluster.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/invalidresourcereference-error",
    ),
    leads_to=("aks.operation_failed", "kubernetes.load_balancer_fails"),
)

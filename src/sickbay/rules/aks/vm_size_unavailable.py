from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.capacity import in_region, offer, sizes_that_fit
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.model.vmsize import VmSku
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AgentPool)
def size_is_withheld(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    cluster = snapshot.get(arm(pool.ref.parent), ManagedCluster)
    if cluster is None or not pool.vm_size or not (pool.is_unwell or cluster.is_unwell):
        return None
    region = cluster.location or ""
    if not in_region(snapshot, region):
        raise UnseenError(Gap(VmSku.kind, f"sizes that {region} offers", to_open=VmSku.look))
    found = offer(snapshot, pool.vm_size, region)
    if found is None:
        snapshot.require(VmSku)
    reason = found.withheld(region) if found else "not offered there"
    if found and not reason:
        return Clear(f"{region} offers {pool.vm_size}")
    sizes = sizes_that_fit(snapshot, pool, region, max(1, pool.count or 1))
    return Match(
        f"{pool.vm_size} of node pool {pool.name} is not to be had in {region}: {reason}",
        facts={
            "location": region,
            "sizes": sizes or "none that the evidence shows",
            "size": sizes.partition(",")[0],
        },
        cites=(pool.cite("properties.vmSize", pool.vm_size),),
    )


RULE = Rule(
    title="The VM size is not offered to this subscription in this region or zone (SkuNotAvailable)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        size_is_withheld,
        Signature(
            pattern=r"(?i)\bVMSizeNotSupportedForWindowsAgentPool\b|\bSkuNotAvailable\b|requested VM size '?(?P<size>[\w-]+)'? is not available in (?:the current region|location '?(?P<location>[\w-]+))|VM size of \S{1,80} is not allowed in your subscription(?: in location '?(?P<region>[\w-]+))?|(?:requested (?:size|VM size)|SKUs) .*?is (?:currently )?not available in (?:location|zone|region)|requested SKU is unavailable for instance type|aka\.ms/(?:azureskunotavailable|aks/quotas-skus-regions)|(?:VM|Virtual Machine) sizes?:? .{0,80}? (?:is|are) not (?:supported|allowed) (?:for|in) (?:subscription|location|region)|provided value '(?P<refused>(?:Standard|Basic)_\w+)' for the template parameter|resource sku with name '?(?P<sku>[\w-]+)'? and category '?virtualMachines'? not found in location|\bVMSizeNotSupported\b|AgentPoolVMSizeNotSupported",
            says="the VM size is not available here",
            sample="SkuNotAvailable: The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: Standard_D4s_v3' is currently not available in location 'westeurope'. Please try another size or deploy to a different location or different zone.",
            near_miss="The requested VM size Standard_D4s_v3 is available in location westeurope",
            passes=True,
        ),
    ),
    why="Azure offers each size only in some regions and zones, and restricts some to certain subscriptions (`SkuNotAvailable`, `NotAvailableForSubscription`). A node pool cannot change its size, so it cannot get around this by itself.",
    remedy=(
        Step(
            "See where the size is offered, and with which restrictions.",
            run=(
                "az",
                "vm",
                "list-skus",
                "-l",
                "{location}",
                "--resource-type",
                "virtualMachines",
                "--all",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a pool with a size or with zones that are offered, and move the workload there.[ As many cores, offered here and within quota: {sizes}.]",
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
                "--node-vm-size",
                "{size}",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
        Step("To keep the size, ask for access to it (support request, quota type Compute)."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-sku-not-available",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
    ask="az vm list-skus -l {location} --resource-type virtualMachines --all -o json",
)

from sickbay.model.aks import AgentPool
from sickbay.model.capacity import REGIONAL, needs
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


@each(AgentPool)
def region_has_no_cores(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    need = next((one for one in needs(snapshot, pool) if one.limit.name == REGIONAL), None)
    if need is None:
        return None
    limit = need.limit
    if need.is_met:
        return Clear(
            f"{need.region} has {limit.free} of {limit.limit} cores free, and a surge step of {pool.name} needs {need.cores}"
        )
    return Match(
        f"{need.in_words} by all families, and one surge step of {pool.name} needs {need.cores}",
        facts={"location": need.region, "wanted": str(limit.used + need.cores)},
        cites=(need.usages.cite("usages.cores", f"{limit.used} of {limit.limit}"),),
        weight=TYPICAL if need.is_met_for_one else None,
    )


RULE = Rule(
    title="The regional vCPU quota of the subscription is used up (Total Regional Cores)",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        region_has_no_cores,
        Signature(
            pattern=r"(?i)insufficient regional vcpu quota left for location (?P<location>[\w-]+)\. left regional vcpu quota (?P<left>\d+), requested quota (?P<required>\d+)",
            says="{location} has {left} cores left, and {required} are asked for",
            sample="Code: ErrCode_InsufficientVCPUQuota Message: Insufficient regional vcpu quota left for location eastus. left regional vcpu quota 0, requested quota 4",
            near_miss="Insufficient vcpu quota requested 48, remaining 32 for family standardDSv5Family for region qatarcentral",
        ),
        Signature(
            pattern=r"(?i)insufficient regional vcpu quota|exceeding approved Total Regional (?:vCPUs|Cores)(?: Cores)? quota(?:.{0,120}?Location: (?P<location>[\w -]+?),? Current Limit: (?P<limit>\d+),? Current Usage: (?P<used>\d+))?|Total Regional (?:vCPUs|Cores) quota|regional (?:on-demand |spot )?(?:vCPU )?(?:capacity|quota) limit for (?:your )?subscription(?: in region(?: '?[\w-]+'?)?)? has been reached",
            says="the cores of the whole region are used up",
            sample="QuotaExceeded: Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Additional details - Deployment Model: Resource Manager, Location: westus2, Current Limit: 10, Current Usage: 8, Additional Required: 6, (Minimum) New Limit Required: 14.",
            near_miss="The request stays below the approved Total Regional Cores limit",
        ),
    ),
    why="Besides the limit of each VM family a subscription has one for all vCPUs of a region (`cores`, Total Regional vCPUs). It is used up, so no size of any family can be had there, whatever its own quota says (`QuotaExceeded`, `ErrCode_InsufficientVCPUQuota`).",
    remedy=(
        Step(
            "See what is used and what is allowed in the region.",
            run=(
                "az",
                "vm",
                "list-usage",
                "-l",
                "{location}",
                "--query",
                "[?name.value=='cores']",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask for a higher regional limit[ of at least {wanted}][ in {location}] (portal: Quotas), or free cores there.",
            risk=Risk.SAFE,
            verify="az vm list-usage -l {location} wants limit minus current value of cores to cover the new nodes",
        ),
        Step(
            "Or create the pool's cluster in a region with cores left; another size does not help."
        ),
        Step(
            "Until then let upgrades replace nodes without extra ones: az aks nodepool update with --max-surge 0 --max-unavailable 1.",
            risk=Risk.DISRUPTIVE,
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/quotas/regional-quota-requests",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/quota-exceeded-during-creation-upgrade",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.scale_up_failed",
    ),
)

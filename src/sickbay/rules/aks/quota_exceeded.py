from sickbay.model.aks import AgentPool
from sickbay.model.capacity import REGIONAL, needs, sizes_that_fit
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
def leaves_no_cores(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    own = [need for need in needs(snapshot, pool) if need.limit.name != REGIONAL]
    short = next((need for need in own if not need.is_met), None)
    if short is None:
        return Clear("; ".join(f"{need.in_words}, {need.cores} are needed" for need in own))
    limit, sizes = short.limit, sizes_that_fit(snapshot, pool, short.region, short.machines)
    return Match(
        f"{short.in_words}, and one surge step of {pool.name} needs {short.cores}",
        facts={
            "family": limit.name,
            "location": short.region,
            "wanted": str(limit.used + short.cores),
            "sizes": sizes or "none that the evidence shows",
            "size": sizes.partition(",")[0],
        },
        cites=(short.usages.cite(f"usages.{limit.name}", f"{limit.used} of {limit.limit}"),),
        weight=TYPICAL if short.is_met_for_one else None,
    )


RULE = Rule(
    title="The vCPU quota of the subscription is used up in this region (QuotaExceeded)",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        leaves_no_cores,
        Signature(
            pattern=r"(?i)exceeding approved (?P<family>[\w ]+?) Cores quota.{0,120}?Location: (?P<location>[\w -]+?),? Current Limit: (?P<limit>\d+),? Current Usage: (?P<used>\d+),? Additional Required: (?P<required>\d+)(?:,? \(Minimum\) New Limit Required: (?P<wanted>\d+))?",
            says="{family} in {location}: {used} of {limit} cores are used and {required} more are needed",
            sample="QuotaExceeded: Operation could not be completed as it results in exceeding approved standardDSv3Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: eastus2, Current Limit: 1500, Current Usage: 1500, Additional Required: 16, (Minimum) New Limit Required: 1516.",
            near_miss="The request stays below the approved standardDSv3Family Cores quota. Location: eastus2, Current Limit: 1500, Current Usage: 12",
            unless=r"(?i)Total Regional|regional vcpu",
        ),
        Signature(
            pattern=r"(?i)insufficient vcpu quota requested (?P<required>\d+), remaining (?P<left>\d+) for family (?P<family>\w+) for region (?P<location>[\w-]+)",
            says="{family} in {location}: {required} cores are asked for, and {left} are left",
            sample="Code: ErrCode_InsufficientVCPUQuota Message: Insufficient vcpu quota requested 48, remaining 32 for family standardDSv5Family for region qatarcentral",
            near_miss="vcpu quota requested 48, remaining 320 for family standardDSv5Family for region qatarcentral",
        ),
        Signature(
            pattern=r"(?i)ErrCode_InsufficientVCPUQuota|insufficientvcpuquota|exceeding quota limits? of (?:\w+ )?cores?|subscription level (?P<kind>[\w-]+) vCPU quota .{0,80}?has been reached|(?:LowPriority|Spot) ?(?:vCPUs|Cores) quota|vCPU quota for spot \(LowPriorityQuota\)|(?:reached|exceeded|used up) (?:our|my|the) (?:\w+ ){0,2}(?:core|vCPU|CPU)s? quota",
            says="the vCPU quota does not cover the request",
            sample="Operation results in exceeding quota limits of Core. Maximum allowed: 10, Current in use: 8, Additional requested: 4.",
            near_miss="vcpu quota requested 48, remaining 320 for family standardDSv5Family for region qatarcentral",
            unless=r"(?i)Total Regional|regional vcpu(?: limit| capacity| quota(?:$| left| limit|[.,]))",
        ),
        Signature(
            pattern=r"\bQuotaExceeded\b|(?i:results? in exceeding (?:approved |quota limits)|exceeding (?:the )?(?:approved|quota) .{0,60}?(?:cores|quota))",
            says="a quota would be exceeded",
            sample="QuotaExceeded: The request exceeds a quota of the subscription in this region.",
            near_miss="Operation stays within the quota of the subscription in this region",
            weight=TYPICAL,
            unless=r"(?i)Total Regional|regional vcpu",
        ),
    ),
    why="Azure counts vCPUs by VM family (`standardDSv5Family`), and those of spot machines apart (`lowPriorityCores`), and refuses machines beyond the subscription's limit in the region with `QuotaExceeded` or `OperationNotAllowed`. An upgrade needs quota for its surge nodes, too.",
    remedy=(
        Step(
            "See what is used and what is allowed in the region.",
            run=(
                "az",
                "vm",
                "list-usage",
                "-l",
                "{location}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask for a higher limit[ of at least {wanted}][ for {family}][ in {location}] (portal: Quotas), or free cores there.",
            risk=Risk.SAFE,
            verify="az vm list-usage -l {location} wants limit minus current value to cover the new nodes",
        ),
        Step(
            "Or add a pool with a size whose family has cores left[ ({sizes})], and move the workload.",
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
        Step(
            "Until then let upgrades replace nodes without extra ones: az aks nodepool update with --max-surge 0 --max-unavailable 1.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/quota-exceeded-during-creation-upgrade",
        "https://learn.microsoft.com/azure/quotas/per-vm-quota-requests",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.scale_up_failed",
    ),
)

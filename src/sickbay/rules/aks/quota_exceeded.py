from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import RegionUsages, usages_of
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.model.vmsize import vm_size
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
    size = vm_size(pool.vm_size)
    cluster = snapshot.get(arm(pool.ref.parent), ManagedCluster)
    if (
        size is None
        or cluster is None
        or pool.is_stopped
        or not (pool.is_unwell or cluster.is_unwell)
    ):
        return None
    usages = usages_of(snapshot.some(RegionUsages), cluster.location or "", "cores")
    needed = size.cores * pool.surge
    for name in (*size.families, "cores"):
        counter = usages.counter(name)
        if counter is None:
            continue
        used, limit = counter
        if limit - used < needed:
            return Match(
                f"{name} in {cluster.location}: {used} of {limit} cores are used, and one surge step of {pool.name} needs {needed}",
                facts={
                    "family": name,
                    "location": cluster.location or "",
                    "limit": str(limit),
                    "used": str(used),
                    "required": str(needed),
                },
                cites=(usages.cite(f"usages.{name}", f"{used} of {limit}"),),
                weight=TYPICAL if limit - used >= size.cores else None,
            )
        if name == "cores":
            return Clear(
                f"{cluster.location} has {limit - used} of {limit} cores free, and a surge step of {pool.name} needs {needed}"
            )
    return None


RULE = Rule(
    title="The vCPU quota of the subscription is used up in this region (QuotaExceeded)",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.CREATION, Category.UPGRADE),
    detect=(
        leaves_no_cores,
        Signature(
            pattern=r"(?i)exceeding approved (?P<family>[\w ]+?) Cores quota.{0,120}?Location: (?P<location>[\w -]+?),? Current Limit: (?P<limit>\d+),? Current Usage: (?P<used>\d+),? Additional Required: (?P<required>\d+)(?:,? \(Minimum\) New Limit Required: (?P<wanted>\d+))?",
            says="{family} in {location}: {used} of {limit} cores are used and {required} more are needed",
            sample="QuotaExceeded: Operation could not be completed as it results in exceeding approved standardDSv3Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: eastus2, Current Limit: 1500, Current Usage: 1500, Additional Required: 16, (Minimum) New Limit Required: 1516.",
            near_miss="The request stays below the approved standardDSv3Family Cores quota. Location: eastus2, Current Limit: 1500, Current Usage: 12",
        ),
        Signature(
            pattern=r"(?i)insufficient (?:regional )?vcpu quota requested (?P<required>\d+), remaining (?P<left>\d+) for family (?P<family>\w+) for region (?P<location>[\w-]+)",
            says="{family} in {location}: {required} cores are asked for, and {left} are left",
            sample="Code: ErrCode_InsufficientVCPUQuota Message: Insufficient vcpu quota requested 48, remaining 32 for family standardDSv5Family for region qatarcentral",
            near_miss="vcpu quota requested 48, remaining 320 for family standardDSv5Family for region qatarcentral",
        ),
        Signature(
            pattern=r"(?i)insufficient (?:regional )?vcpu quota left for location (?P<location>[\w-]+)|ErrCode_InsufficientVCPUQuota|results? in exceeding quota limits of core|insufficientvcpuquota|Total Regional (?:vCPUs|Cores) quota",
            says="the vCPU quota of the region does not cover the request",
            sample="Code: ErrCode_InsufficientVCPUQuota Message: Insufficient vcpu quota requested 48, remaining 32 for family standardDSv5Family for region qatarcentral",
            near_miss="vcpu quota requested 48, remaining 320 for family standardDSv5Family for region qatarcentral",
        ),
        Signature(
            pattern=r"\bQuotaExceeded\b|(?i:results? in exceeding (?:approved |quota limits)|exceeding (?:the )?(?:approved|quota) .{0,60}?(?:cores|quota))",
            says="a quota would be exceeded",
            sample="QuotaExceeded: The request exceeds a quota of the subscription in this region.",
            near_miss="Operation stays within the quota of the subscription in this region",
            weight=TYPICAL,
        ),
    ),
    why="Azure counts vCPUs by VM family and for the whole region, and refuses machines beyond the subscription's limit with `QuotaExceeded` or `OperationNotAllowed`. An upgrade needs quota for its surge nodes, too.",
    remedy=(
        Step(
            "See what is used and what is allowed in the region.",
            run=("az", "vm", "list-usage", "-l", "{location}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Ask for a higher limit of the family and of the region (portal: Quotas), or free cores, or use a size of another family.",
            risk=Risk.SAFE,
            verify="az vm list-usage -l {location} wants limit minus current value to cover the new nodes",
        ),
        Step(
            "Until then let upgrades replace nodes without extra ones.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--max-surge",
                "0",
                "--max-unavailable",
                "1",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/quota-exceeded-during-creation-upgrade",
        "https://learn.microsoft.com/azure/quotas/per-vm-quota-requests",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
)

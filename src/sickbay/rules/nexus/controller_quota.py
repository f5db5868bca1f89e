from sickbay.model.azure import RegionUsages, usages_of
from sickbay.model.fabric import NetworkFabricController
from sickbay.model.nexus import ClusterManager, NexusEntity
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

_FAMILY = "standardDSv3Family"
_NEEDS = {NetworkFabricController: 228, ClusterManager: 32}


def cores_are_missing(entity: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    if not entity.is_unwell or not entity.location:
        return None
    needed = _NEEDS[type(entity)]
    usages = usages_of(snapshot.some(RegionUsages), entity.location, _FAMILY)
    used, limit = usages.counter(_FAMILY) or (0, 0)
    sum_ = f"{limit - used} of {limit} vCPUs of the DSv3 family are free in {entity.location}"
    if limit - used >= needed:
        return Clear(f"{sum_}, and {needed} are needed")
    return Match(
        f"{sum_}, and {entity.name} needs {needed}",
        facts={"needed": str(needed), "free": str(limit - used)},
        cites=(usages.cite(f"usages.{_FAMILY}", f"{used} of {limit}"),),
    )


RULE = Rule(
    title="The region has too few vCPUs of quota for a fabric controller or cluster manager",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        each(NetworkFabricController)(cores_are_missing),
        each(ClusterManager, TYPICAL)(cores_are_missing),
        Signature(
            pattern=r"(?i)\b(?:network ?fabric ?controllers?|cluster ?managers?|NFC)\b.{0,200}?(?:\bquota\b|exceeding approved|not enough (?:vCPUs?|cores))|\bquota\b.{0,200}?\b(?:network ?fabric ?controllers?|cluster ?managers?)\b(?P<needed>)(?P<free>)",
            says="the quota of the region is too small",
            sample="NetworkFabricController create failed: Standard_D4s_v3 vCPU quota insufficient in eastus, 24 required",
            near_miss="NetworkFabricController create done in eastus",
            unless=r"(?i)QuotaExceeded|OperationNotAllowed|isolation ?domains?",
            weight=TYPICAL,
        ),
    ),
    why="A network fabric controller is built from virtual machines that take 228 vCPUs of the Standard DSv3 family, a cluster manager 32 (64 during an upgrade). With less quota left in the region its creation fails.",
    remedy=(
        Step(
            "See the quota of the region.",
            run=("az", "vm", "list-usage", "-l", "{location}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Ask for more: {needed} vCPUs are needed and {free} are free. Or choose another region.",
            verify="az vm list-usage wants enough of Standard DSv3 Family vCPUs",
        ),
        Step("Delete what failed and create it again."),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/reference-limits-and-quotas",),
    leads_to=("nexus.controller_failed", "nexus.cluster_manager_failed"),
)

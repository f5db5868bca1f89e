from sickbay.model.host_vcenter import RESOURCE_POOL, VcenterPlace
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


@each(VcenterPlace)
def belongs_to_one_host(place: VcenterPlace, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if place.setting != RESOURCE_POOL or not place.is_there:
        return None
    if not place.is_host_pool:
        return Clear(f"{place.path} is no default pool of a single host")
    return Match(
        f"the resource pool {place.named} ({place.path}) is the default pool of a single host",
        cites=(place.cite("path", place.path),),
    )


RULE = Rule(
    title="The default resource pool of a single host is chosen, which the resource bridge does not offer or support",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        belongs_to_one_host,
        Signature(
            pattern=r"(?i)resource ?pool '?(?P<resource_pool>[^']{0,120}?\bResources)'? (?:not found|does not exist|is a (?:default )?host resource pool)|resource ?pool '?[^']{1,120}?'? is a (?:default )?host resource pool|default host resource pools? (?:are |is |aren.t )?(?:unavailable|not (?:listed|supported|shown)|listed)",
            says="the resource pool cannot be used",
            sample="Error: resource pool '/DC1/host/esx01/Resources' not found",
            near_miss="Resource pool '/DC1/host/cluster1/Resources/arc' selected",
            weight=TYPICAL,
        ),
    ),
    why="`az arcappliance createconfig` lists cluster pools and pools that users made, but not the default pool of a standalone host, because a bridge there has no high availability when the host fails.",
    remedy=(
        Step(
            "See the pools there are.",
            run=(
                "govc",
                "find",
                "/",
                "-type",
                "p",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose the default pool of a cluster, or make a pool for the bridge.",
            run=(
                "govc",
                "pool.create",
                "<cluster>/Resources/arc",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Create the configuration files again.",
            run=(
                "az",
                "arcappliance",
                "createconfig",
                "vmware",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    ask="govc find / -type p",
)

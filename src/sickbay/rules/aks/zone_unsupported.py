from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.capacity import in_region, offer, sizes_that_fit
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.model.vmsize import VmSku
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AgentPool)
def zone_is_withheld(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    cluster = snapshot.get(arm(pool.ref.parent), ManagedCluster)
    wanted = pool.availability_zones or []
    if cluster is None or not wanted or not (pool.is_unwell or cluster.is_unwell):
        return None
    region, name = cluster.location or "", pool.vm_size or ""
    if not in_region(snapshot, region):
        raise UnseenError(Gap(VmSku.kind, f"zones that {region} offers", to_open=VmSku.look))
    found = offer(snapshot, name, region)
    if found is None or found.withheld(region):
        return None
    offered = found.zones(region)
    missing = [zone for zone in wanted if zone not in offered]
    if not missing:
        return Clear(f"{region} offers {name} in zones {', '.join(offered)}")
    sizes = sizes_that_fit(snapshot, pool, region, max(1, pool.count or 1))
    return Match(
        f"{name} of node pool {pool.name} is offered in zones {', '.join(offered) or 'none'} of {region}, and zone {', '.join(missing)} is asked for",
        facts={
            "location": region,
            "size": name,
            "zones": " ".join(offered) or "none",
            "sizes": sizes or "none that the evidence shows",
        },
        cites=(pool.cite("properties.availabilityZones", ", ".join(wanted)),),
    )


RULE = Rule(
    title="The availability zone is not supported for this VM size (AvailabilityZoneNotSupported)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        zone_is_withheld,
        Signature(
            pattern=r"(?i)\bAvailabilityZoneNotSupported\b|\bResourceTypeNotSupportAvailabilityZones\b|does not support availability zones at location '?(?P<region>[\w<>-]+)|zone\(s\) '?(?P<zone>[\w, ]+)'? for resource '?(?P<resource_name>[\w<>-]+)'? is not supported|is not available in the availability zone|supported zones for location '?(?P<location>[\w<>-]+)'? are|\b(?:ZoneNotSupported\w*|AvailabilityZones?Not(?:Supported|Available)\w*|ZonesNotSupported\w*|ZoneRedundan\w*NotSupported\w*|InvalidAvailabilityZone\w*)\b|(?:availability zones?|zone[ -]redundan\w+) (?:\w+ )?(?:are|is) not (?:supported|available|enabled|allowed) (?:in|for|at|with)",
            says="a zone is not supported for the pool",
            sample="Preflight validation check for resource(s) for container service shop in resource group rg failed. Message: The zone(s) '1' for resource 'np1' is not supported. The supported zones for location 'westeurope' are '2', '3'",
            near_miss="The zone(s) '1' for resource 'np1' is supported in westeurope",
        ),
    ),
    why="A size is not offered in every zone of a region, and a zone can be restricted for a subscription. The pool asks for a zone that is not in the list. Some regions have no zones at all, and other Azure services (databases, caches, addresses) refuse zones or zone redundancy there in the same way.",
    remedy=(
        Step(
            "See in which zones the size is offered to you.",
            run=(
                "az",
                "vm",
                "list-skus",
                "-l",
                "{location}",
                "--zone",
                "--resource-type",
                "virtualMachines",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the pool in the zones that are listed[ ({zones})], or with a size that has all of them[: {sizes}].",
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
                "--zones",
                "{zones}",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/availabilityzonenotsupported-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az vm list-skus -l {location} --zone --resource-type virtualMachines -o json",
)

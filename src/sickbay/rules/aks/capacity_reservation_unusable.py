from sickbay.model.aks import AgentPool
from sickbay.model.ids import arm
from sickbay.model.reservations import CapacityReservation, CapacityReservationGroup
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
def cannot_take_more(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    """Whether the group of a failed pool is gone, holds nothing that fits, or is used up."""
    id = pool.capacity_reservation_group_id
    if not id or not pool.is_unwell:
        return None
    group = snapshot.get(arm(id), CapacityReservationGroup)
    if group is None:
        says = f"capacity reservation group {arm(id).name} of pool {pool.name} does not exist"
        cited = (pool.cite("properties.capacityReservationGroupID", id),)
        return Match(says, facts={"reservation_id": id}, cites=cited)
    held = snapshot.all(CapacityReservation, within=group.id)
    size, zones = pool.vm_size or "", pool.availability_zones or [""]
    fitting = {zone: [one for one in held if one.fits(size, zone)] for zone in zones}
    cite = group.cite("properties.capacityReservations", held_in(held))
    if missing := [zone for zone in zones if not fitting[zone]]:
        where = f" in zone {', '.join(missing)}" if missing != [""] else " without a zone"
        says = (
            f"{group.name} reserves no {size}{where} for pool {pool.name}; it holds {held_in(held)}"
        )
        return Match(says, facts={"reservation_id": id}, cites=(cite,))
    counts = [(one.machines, one.used(group)) for zone in zones for one in fitting[zone]]
    machines = sum(held_here for held_here, _ in counts)
    if free := sum(max(0, held_here - used) for held_here, used in counts):
        return Clear(f"{group.name} has {free} of {machines} {size} left")
    # Azure gives more than is reserved as long as the region has machines left.
    says = f"all {machines} {size} that {group.name} reserves for pool {pool.name} are in use"
    return Match(says, facts={"reservation_id": id}, cites=(cite,), weight=TYPICAL)


def held_in(reservations: tuple[CapacityReservation, ...]) -> str:
    return ", ".join(sorted(one.in_words for one in reservations)) or "nothing"


RULE = Rule(
    title="The capacity reservation or host group of the pool cannot take its machines",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        cannot_take_more,
        Signature(
            pattern=r"(?i)(?:\bCRGConflictWith(?:SpotVM|PPG|UltraSSD|DedicatedHost|SPG)\b|\b(?:CapacityReservation(?:Group)?(?:NotFound|NotUsable|Exhausted|IsFull|MismatchZone|\w*NotSupported)|CapacityReservationGroup(?:NotInSubscription|(?:Region|Subscription)Mismatch|AccessDenied|No(?:Eligible|Compatible)?Reservations|Unsupported\w+|IDInvalid))\b|capacity reservation group (?:is in region|has no capacity reservations|has unsupported)|capacity reservation group .*?(?:does not|doesn't|not|no) (?:exist|have|contain|match|found|be found).{0,80}|host group .*?(?:does not have|doesn't have|insufficient|not enough) .{0,60}?(?:hosts?|capacity|fault domain)|DedicatedHostGroup\w*(?:NotFound|Insufficient\w*|Exhausted))(?P<reservation_id>)",
            says="the reserved capacity does not fit the pool",
            sample="AllocationFailed: capacity reservation group '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/capacityReservationGroups/crg' does not have a reservation of VM size Standard_D4s_v5 in zone 2",
            near_miss="capacity reservation group 'crg' has a reservation of VM size Standard_D4s_v5 in zone 2",
        ),
    ),
    why="A pool that is tied to a capacity reservation group or to dedicated hosts gets machines only from there. The group has no reservation of this size and zone, too few hosts or fault domains, lies in another region or subscription, or the cluster's identity may not use it.",
    remedy=(
        Step(
            "See what the group holds and what is in use.",
            run=(
                "az",
                "capacity",
                "reservation",
                "group",
                "show",
                "--ids",
                "{reservation_id}",
                "--instance-view",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a reservation of the pool's size in each of its zones, or hosts in each fault domain, and let the cluster's identity use the group.",
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-capacity-reservation-groups",),
    leads_to=("aks.operation_failed", "aks.allocation_failed", "aks.node_class_unready"),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n {pool} --query [capacityReservationGroupId,hostGroupId]",
)

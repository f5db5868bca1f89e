from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The capacity reservation or host group of the pool cannot take its machines",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:CapacityReservation(?:Group)?(?:NotFound|NotUsable|Exhausted|IsFull|MismatchZone|\w*NotSupported)|CapacityReservationGroupNotInSubscription)\b|capacity reservation group .*?(?:does not|doesn't|not|no) (?:exist|have|contain|match|found|be found).{0,80}|host group .*?(?:does not have|doesn't have|insufficient|not enough) .{0,60}?(?:hosts?|capacity|fault domain)|DedicatedHostGroup\w*(?:NotFound|Insufficient\w*|Exhausted)",
            says="the reserved capacity does not fit the pool",
            sample="AllocationFailed: capacity reservation group '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/capacityReservationGroups/crg' does not have a reservation of VM size Standard_D4s_v5 in zone 2",
            near_miss="capacity reservation group 'crg' has a reservation of VM size Standard_D4s_v5 in zone 2",
        ),
    ),
    why="A pool that is tied to a capacity reservation group or to dedicated hosts gets machines only from there. The group has no reservation of this size and zone, too few hosts or fault domains, or the cluster's identity may not use it.",
    remedy=(
        Step(
            "See what the group holds and what is in use.",
            run=(
                "az",
                "capacity",
                "reservation",
                "group",
                "show",
                "-g",
                "<group-resource-group>",
                "-n",
                "<group>",
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
    leads_to=("aks.operation_failed", "aks.allocation_failed"),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n {pool} --query [capacityReservationGroupId,hostGroupId]",
)

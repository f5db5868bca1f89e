from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure has no free capacity for the VM size in this zone or region (AllocationFailed)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:Zonal)?AllocationFailed\b|do(?:es)? not have sufficient capacity for the requested VM size|not enough capacity for the requested VM size|\bAllocationTimedOut\b|such allocation is scoped to a single cluster|\bInsufficientCapacity\b|unable to allocate resources (?:in the selected zone|in all zones|with selected VM size)",
            says="there is no capacity for the VM size",
            sample="ZonalAllocationFailed: Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance.",
            near_miss="Allocation succeeded. We have sufficient capacity for the requested VM size in this zone",
            passes=True,
            unless=r"(?i)metallb|Failed to allocate IP",
        ),
    ),
    why="`AllocationFailed` and `ZonalAllocationFailed` mean that the datacentre has no machine of this size free at the moment. It is no quota: the limit may be far away. A proximity placement group or a dedicated host group narrows the choice further.",
    remedy=(
        Step(
            "See which sizes are free of restrictions in which zones.",
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
            "Try again later, or add a pool with another size or other zones.",
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
                "<size>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
        Step(
            "For an upgrade, replace nodes in place instead of adding surge nodes.",
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
        Step(
            "To be sure of capacity from now on, associate a capacity reservation group with the pool."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/zonalallocation-allocationfailed-error",
        "https://learn.microsoft.com/azure/aks/use-capacity-reservation-groups",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
    ask="az monitor activity-log list -g {node_resource_group} --status Failed --offset 7d -o json",
)

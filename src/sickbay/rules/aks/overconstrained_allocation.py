from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No host fits all constraints of the node pool at once (OverconstrainedAllocationRequest)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)\bOverconstrained(?:Zonal)?Alloc\w*|following constraints cannot be allocated, because the condition is too restrictive|Constraints applied are: ?(?P<constraints>[^.]{0,200})",
            says="the constraints of the pool leave no host",
            sample="Create or update VMSS failed. Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some constraints and try again. Constraints applied are: - Differencing (Ephemeral) Disks - Networking Constraints (such as Accelerated Networking or IPv6) - VM Size",
            near_miss="VM(s) with the following constraints were allocated: VM Size",
        ),
    ),
    why="Each constraint (size, zone, ephemeral OS disk, accelerated networking, proximity placement group, host group) halves the hosts that qualify. `OverconstrainedAllocationRequest` means that none qualifies for all of them; each alone may be satisfiable.",
    remedy=(
        Step(
            "See which constraints the pool has.",
            run=(
                "az",
                "aks",
                "nodepool",
                "show",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--query",
                "{size:vmSize,zones:availabilityZones,disk:osDiskType,ppg:proximityPlacementGroupId,host:hostGroupId,ultra:enableUltraSsd}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the pool again with fewer constraints: first without proximity placement group, then with a managed OS disk or more zones.",
            risk=Risk.DISRUPTIVE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/zonalallocation-allocationfailed-error",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n {pool} -o json",
)

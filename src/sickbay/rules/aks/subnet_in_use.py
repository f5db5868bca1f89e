from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The address range of a subnet cannot be changed while nodes or pods use it",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.CREATION),
    detect=(
        Signature(
            pattern=r"\bInUse(?:Subnet|Prefix)CannotBeUpdated\b|\bInUsePrefixCannotBeDeleted\b|(?i:IpPrefix \S{5,60} on Subnet \S{1,300} has active allocations)|(?i:subnet '?(?P<subnet>[\w.-]{1,80})'? is in use and cannot be (?:updated|changed|resized))",
            says="the subnet is in use",
            sample='Code="InUseSubnetCannotBeUpdated" Message="Subnet aks-nodes is in use and cannot be updated."',
            near_miss="Subnet aks-nodes was updated",
        ),
    ),
    why="A subnet whose addresses are taken by machines, pods or load balancers keeps its range. A cluster cannot move to a larger subnet either; only a new pool can be placed elsewhere.",
    remedy=(
        Step(
            "Make a larger subnet beside it, in the same network.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "create",
                "-g",
                "<vnet-group>",
                "--vnet-name",
                "<vnet>",
                "-n",
                "<new-subnet>",
                "--address-prefixes",
                "<prefix>",
            ),
        ),
        Step(
            "Add a pool there, move the workload to it, and delete the old pool.",
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
                "--vnet-subnet-id",
                "<new-subnet-id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants the new nodes Ready",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/node-pool-unique-subnet",),
    leads_to=("aks.operation_failed",),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)

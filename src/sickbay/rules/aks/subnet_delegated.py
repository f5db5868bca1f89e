from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnet is delegated to another Azure service (SubnetIsDelegated)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bSubnetIsDelegated\b|cannot be used as it(?:'s| is) a delegated subnet",
            says="the subnet is delegated",
            sample="Code: SubnetIsDelegated Message: AgentPoolProfile subnet with id /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n cannot be used as it's a delegated subnet.",
            near_miss="Subnet n is not delegated and can be used",
        ),
    ),
    why="A delegated subnet takes machines only from the service that it is delegated to. Node pools cannot be placed in it.",
    remedy=(
        Step(
            "See to whom the subnet is delegated.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "<subnet-id>",
                "--query",
                "delegations",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Place the pool in a subnet without delegation; or, when nothing uses it, remove the delegation.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "<subnet-id>",
                "--remove",
                "delegations",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet subnet show --ids <subnet-id> --query delegations wants []",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/subnetisdelegated-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)

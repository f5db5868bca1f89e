from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network resource that is referred to is not in a succeeded state yet (ReferencedResourceNotProvisioned)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\bVirtualNetworkNotInSucceededState\b|\bReferencedResourceNotProvisioned\b|(?i:virtual network .{0,100}?not in (?:a )?succeeded (?:provisioning )?state)|Cannot proceed with operation because resource \S+ used by resource \S+ is not in Succeeded state",
            says="a network resource is not in a succeeded state",
            sample="ReferencedResourceNotProvisioned: Cannot proceed with operation because resource /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n used by resource vmss is not in Succeeded state. Resource is in Updating state",
            near_miss="Operation proceeds: resource /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v is in Succeeded state",
        ),
    ),
    why="Another operation is changing the virtual network or one of its subnets, or left it as Failed. ARM lets nobody build on it before it is Succeeded again: it answers `VirtualNetworkNotInSucceededState`, or `ReferencedResourceNotProvisioned` inside a `RetryableError` (429).",
    remedy=(
        Step(
            "See the state of the network.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "<vnet-id>",
                "--query",
                "{state:provisioningState,subnets:subnets[].{name:name,state:provisioningState}}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the other operation; if the state stays, write the network again without a change.",
            run=("az", "resource", "update", "--ids", "<vnet-id>"),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet show --ids <vnet-id> --query provisioningState wants Succeeded",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/virtualnetworknotinsucceededstate-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az network vnet show --ids <vnet-id> -o json",
)

from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two virtual networks cannot be peered: their address spaces overlap",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"\bVnetAddressSpaces?Overlap\w*|\bVnetAddressSpace\w*Overlap\w*|(?i:cannot be peered because their address spaces overlap)|(?i:address space of (?:the )?(?:remote|peered) virtual network .{0,200}? overlaps)",
            says="the address spaces of the two networks overlap",
            sample="VnetAddressSpacesOverlap: Cannot create or update peering /subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/hub/virtualNetworkPeerings/p1. Virtual networks cannot be peered because their address spaces overlap.",
            near_miss="Virtual networks are peered; their address spaces do not overlap.",
        ),
    ),
    why="A peering routes every address of each network into the other, so no address may belong to both, nor to another network that either of them is already peered with.",
    remedy=(
        Step(
            "Compare the address spaces of both networks and of what they are peered with.",
            run=(
                "az",
                "network",
                "vnet",
                "list",
                "--query",
                "[].{name:name,prefixes:addressSpace.addressPrefixes}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give one of them another range: remove an unused prefix, or make the network anew in a free range.",
            risk=Risk.DISRUPTIVE,
            verify="az network vnet peering list wants peeringState Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-peering",),
    leads_to=("aso.not_ready", "aso.request_refused", "aso.invalid_value"),
    ask="az network vnet list --query [].{name:name,prefixes:addressSpace.addressPrefixes} -o json",
)
